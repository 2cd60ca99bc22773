import { describe, expect, it } from "vitest";
import type { Fix } from "../types.js";
import { applyEdits } from "./apply-edits.js";
import { fixFiles } from "./fix-files.js";

describe("edits", () => {
  it("are applied whatever their order", () => {
    const groups = [
      [{ span: [4, 5] as const, text: "E" }],
      [
        { span: [0, 1] as const, text: "AA" },
        { span: [2, 2] as const, text: "-" },
      ],
    ];
    expect(applyEdits("abcdef", groups)).toEqual({ text: "AAb-cdEf", applied: [true, true] });
    expect(applyEdits("abcdef", [...groups].reverse()).text).toBe("AAb-cdEf");
  });
  it("of a group that overlaps an earlier one are left out as a whole", () => {
    const result = applyEdits("abcdef", [
      [{ span: [1, 3], text: "X" }],
      [
        { span: [2, 4], text: "Y" },
        { span: [5, 6], text: "Z" },
      ],
    ]);
    expect(result).toEqual({ text: "aXdef", applied: [true, false] });
  });
  it("at one place, or outside the text, are not both applied", () => {
    expect(applyEdits("ab", [[{ span: [1, 1], text: "x" }], [{ span: [1, 1], text: "y" }]]).applied).toEqual([
      true,
      false,
    ]);
    expect(applyEdits("ab", [[{ span: [1, 9], text: "x" }]])).toEqual({ text: "ab", applied: [false] });
  });
});

describe("fixes over files", () => {
  const fix = (...edits: Fix["edits"][number][]): Fix => ({ title: "t", safe: true, edits });
  function disk(texts: Record<string, string>) {
    const written: Record<string, string> = {};
    return {
      written,
      files: {
        read: (file: string) => texts[file] ?? "",
        write: (file: string, text: string) => {
          written[file] = text;
        },
      },
    };
  }

  it("write each changed file once and count", () => {
    const { files, written } = disk({ a: "1234", b: "5678" });
    const count = fixFiles(
      [
        fix({ file: "a", span: [0, 1], text: "x" }),
        fix({ file: "a", span: [2, 3], text: "y" }),
        fix({ file: "b", span: [0, 0], text: "z" }),
      ],
      files,
    );
    expect([count, written]).toEqual([3, { a: "x2y4", b: "z5678" }]);
  });
  it("that need two files are made in both or in neither", () => {
    const { files, written } = disk({ a: "1234", b: "5678" });
    const count = fixFiles(
      [
        fix({ file: "b", span: [0, 2], text: "q" }),
        fix({ file: "a", span: [0, 1], text: "x" }, { file: "b", span: [1, 3], text: "y" }),
      ],
      files,
    );
    expect([count, written]).toEqual([1, { b: "q78" }]);
  });
});
