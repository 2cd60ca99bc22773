import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../types.js";
import { applyBaseline, BaselineError, makeBaseline, parseBaseline } from "./baseline.js";

const TEXT = ["run() {", "  const a = 1;", "  const who = Math.random();", "  use(who);", "}"];
const files = (lines: readonly string[]) => ({
  text: () => lines.join("\n"),
  name: (file: string) => `../${file}`,
});

function at(line: number): Diagnostic {
  return {
    rule: "no-nondeterminism",
    code: 90001,
    severity: "error",
    message: "m",
    file: "a.ts",
    line,
    column: 1,
    endLine: line,
    endColumn: 2,
    chain: [],
    help: "",
    docs: "",
    fixable: false,
  };
}

describe("a baseline", () => {
  const baseline = makeBaseline([at(3)], files(TEXT));

  it("holds no line number and survives being written and read", () => {
    expect(parseBaseline(JSON.stringify(baseline), "b.json")).toEqual(baseline);
    expect(baseline.findings[0]).toMatchObject({ file: "../a.ts", count: 1 });
  });
  it("keeps a known finding silent when the code moves or is formatted anew", () => {
    const moved = ["// a new line", "", ...TEXT.map((line) => `    ${line.trim()}`)];
    expect(applyBaseline([at(5)], baseline, files(moved))).toEqual({ left: [], gone: [] });
  });
  it("speaks up when the code around it changes", () => {
    const changed = TEXT.map((line) => line.replace("use(who)", "send(who)"));
    const { left, gone } = applyBaseline([at(3)], baseline, files(changed));
    expect([left.length, gone.length]).toEqual([1, 1]);
  });
  it("silences as many alike as it counted, not more", () => {
    expect(applyBaseline([at(3), at(3)], baseline, files(TEXT)).left).toHaveLength(1);
    const two = makeBaseline([at(3), at(3)], files(TEXT));
    expect(applyBaseline([at(3), at(3)], two, files(TEXT)).left).toHaveLength(0);
  });
  it("that is broken or of another version is refused with the file's name", () => {
    for (const text of [
      "{",
      "[]",
      '{"version":2,"findings":[]}',
      '{"version":1,"findings":[{"rule":"x"}]}',
    ]) {
      expect(() => parseBaseline(text, "b.json")).toThrow(BaselineError);
      expect(() => parseBaseline(text, "b.json")).toThrow(/^b\.json is not a baseline/);
    }
  });
});
