import { describe, expect, it } from "vitest";
import { BUILT_IN_ROWS, expandRows } from "./index.js";

const all = expandRows(BUILT_IN_ROWS);

describe("the built-in rows", () => {
  it("each give a reason", () => {
    expect(all.filter((row) => row.why.trim().length < 10).map((row) => row.of)).toEqual([]);
  });

  it("never speak twice of the same use", () => {
    const seen = new Set<string>();
    const twice: string[] = [];
    for (const row of all) {
      const key = `${row.of} ${JSON.stringify(row.when ?? {})}`;
      if (seen.has(key)) twice.push(key);
      seen.add(key);
    }
    expect(twice).toEqual([]);
  });

  it("spell every built-in module of Node with node:", () => {
    const bare =
      /^(?:fs|path|os|crypto|http|https|net|util|events|stream|url|child_process|zlib)(?:\/[^#]*)?#/;
    expect(all.filter((row) => bare.test(row.of)).map((row) => row.of)).toEqual([]);
  });

  it("name what they speak of as a global, an export or a member", () => {
    const name = /^(?:(?:@[\w.-]+\/)?[\w.:/*@-]+#)?[\w$*.]+$/;
    expect(all.filter((row) => !name.test(row.of)).map((row) => row.of)).toEqual([]);
  });
});
