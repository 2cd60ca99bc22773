import { describe, expect, it } from "vitest";
import { ProjectMemory } from "./project-memory.js";

describe("the memory of a project", () => {
  it("gives the tree of before for the same text, and only then", () => {
    const memory = new ProjectMemory();
    memory.begin({ strict: true });
    const [a, b] = [memory.parse("/a.ts", "1;"), memory.parse("/b.ts", "2;")];
    memory.begin({ strict: true });
    expect(memory.parse("/a.ts", "1;")).toBe(a);
    expect(memory.parse("/b.ts", "3;")).not.toBe(b);
  });
  it("forgets what the last look did not use, and all under other options", () => {
    const memory = new ProjectMemory();
    memory.begin({});
    const a = memory.parse("/a.ts", "1;");
    memory.begin({});
    memory.begin({});
    expect(memory.parse("/a.ts", "1;")).not.toBe(a);
    const again = memory.parse("/a.ts", "1;");
    memory.begin({ strict: true });
    expect(memory.parse("/a.ts", "1;")).not.toBe(again);
  });
});
