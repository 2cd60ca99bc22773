import { describe, expect, it } from "vitest";
import { analyze } from "../analyze.js";
import { manifestOf } from "../manifest/index.js";
import { fixDiff } from "./fix-diff.js";

const FILE = "/project/flow.ts";

function analyse(text: string): ReturnType<typeof analyze> {
  return analyze({ cwd: "/project", paths: [FILE], overlay: new Map([[FILE, text]]) });
}

/** Fixes `now` for instances of `old`; gives the new text and what the diff says then. */
function fixed(old: string, now: string): { text: string; verdict: string; applied: string[] } {
  const manifest = { root: "/project", tool: "test" };
  const result = fixDiff({
    old: manifestOf(analyse(old), manifest),
    analyse: (overlay) => analyse(overlay.get(FILE) ?? now),
    read: () => now,
    manifest,
  });
  return {
    text: result.files.get(FILE) ?? now,
    verdict: result.left.verdict,
    applied: result.applied.map((change) => change.kind),
  };
}

const flow = (body: string): string => `import { workflow } from "@stepproof/runtime";

export const flow = workflow({
  run: async (ctx) => {
${body}
  },
});
`;

describe("fixing the source for the instances that run", () => {
  it("keeps the name of a renamed step, in the quotes that it has", () => {
    const old = flow(`    await ctx.step("charge", async () => 1);\n    await ctx.sleep("s", 1);`);
    const now = flow(`    await ctx.step('pay', async () => 1); // pays\n    await ctx.sleep("s", 1);`);
    const result = fixed(old, now);
    expect(result.text).toBe(now.replace("'pay'", "'charge'"));
    expect(result.verdict).toBe("identical");
  });

  it("declares what is gone, before the step that would be refused, and keeps comments", () => {
    const old = flow(
      `    await ctx.step("a", async () => 1);\n    await ctx.step("b", async () => 2);\n    await ctx.step("c", async () => 3);`,
    );
    const now = flow(`    // first\n    await ctx.step("c", async () => 3); // last`);
    const result = fixed(old, now);
    expect(result.verdict).toBe("safe");
    expect(result.text).toContain(`    // first\n    await ctx.removed("`);
    expect(result.text).toContain(`await ctx.step("c", async () => 3); // last`);
    expect(result.text.match(/removed/g)).toHaveLength(2);
  });

  it("declares what is gone at the end of the scope", () => {
    const old = flow(`    await ctx.step("a", async () => 1);\n    await ctx.sleep("s", 1);`);
    const now = flow(`    await ctx.step("a", async () => 1); // one`);
    expect(fixed(old, now)).toMatchObject({
      verdict: "safe",
      text: flow(`    await ctx.step("a", async () => 1); // one\n    await ctx.removed("s", "sleep");`),
    });
  });

  it("declares nothing where control never comes", () => {
    const old = (end: string): string =>
      flow(
        `    const x = await ctx.step("a", async () => Math.random());\n    if (x > 1) {\n      return 0;\n    } else {\n      await ctx.sleep("gone", 1);\n      return x;\n    }${end}`,
      );
    for (const end of ["", "\n    return 2;"]) {
      const now = old(end).replace('await ctx.sleep("gone", 1);', "x.toFixed();");
      expect(fixed(old(end), now)).toMatchObject({
        verdict: "safe",
        text: now.replace("    if (", '    await ctx.removed("gone", "sleep");\n    if ('),
      });
    }
    const returned = flow(`    return await ctx.step("a", async () => 1);`);
    const before = returned
      .replace("return", "const x =")
      .replace("1);", `1);\n    await ctx.sleep("gone", 1);\n    return x;`);
    expect(fixed(before, returned)).toMatchObject({
      verdict: "safe",
      text: returned.replace("    return", '    await ctx.removed("gone", "sleep");\n    return'),
    });
  });

  it("puts an inserted step behind a gate, with a variable of its own", () => {
    const old = flow(`    await ctx.step("a", async () => 1);\n    await ctx.sleep("s", 1);`);
    const now = flow(
      `    await ctx.step("new", async () => {\n      const version = 1;\n    });\n    await ctx.step("a", async () => 1);\n    await ctx.sleep("s", 1);`,
    );
    const result = fixed(old, now);
    expect(result.verdict).toBe("safe");
    expect(result.text).toContain(
      `    const version2 = await ctx.getVersion("add-new", 2);\n    if (version2 >= 2) {\n      await ctx.step("new", async () => {\n        const version = 1;\n      });\n    }\n`,
    );
  });

  it("leaves a step alone whose value is used after it", () => {
    const old = flow(`    await ctx.step("a", async () => 1);\n    await ctx.sleep("s", 1);`);
    const now = flow(
      `    const x = await ctx.step("new", async () => 1);\n    await ctx.step("a", async () => x);\n    await ctx.sleep("s", 1);`,
    );
    expect(fixed(old, now)).toMatchObject({ text: now, verdict: "breaking", applied: [] });
  });

  it("keeps tabs and CRLF", () => {
    const lines = (body: string): string => flow(body).replaceAll("  ", "\t").replaceAll("\n", "\r\n");
    const old = lines(`    await ctx.step("a", async () => 1);\n    await ctx.step("b", async () => 2);`);
    const now = lines(`    await ctx.step("b", async () => 2);`);
    const result = fixed(old, now);
    expect(result.verdict).toBe("safe");
    expect(result.text).toContain(`\r\n\t\tawait ctx.removed("a", "step");\r\n\t\tawait ctx.step("b"`);
    expect(result.text.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("adds braces where an if has none, and around an arrow's expression", () => {
    const old = flow(
      `    if (1 > 0) { await ctx.step("x", async () => 0); await ctx.step("a", async () => 1); }\n    await ctx.try("t", async (block) => { await block.step("y", async () => 5); return block.step("z", async () => 2); });`,
    );
    const now = flow(
      `    if (1 > 0) await ctx.step("a", async () => 1);\n    await ctx.try("t", async (block) => block.step("z", async () => 2));`,
    );
    const result = fixed(old, now);
    expect(result.text).toContain(
      `if (1 > 0) { await ctx.removed("x", "step"); await ctx.step("a", async () => 1); }`,
    );
    expect(result.text).toContain(
      `async (block) => { await block.removed("y", "step"); return block.step("z", async () => 2); })`,
    );
    expect(result.verdict).toBe("safe");
  });

  it("corrects the kind of removed(), moves it up, gives a new kind a new name", () => {
    const old = flow(`    await ctx.sleep("w", 1);\n    await ctx.step("a", async () => 1);`);
    expect(
      fixed(old, flow(`    await ctx.removed("w", "step");\n    await ctx.step("a", async () => 1);`)).text,
    ).toContain(`removed("w", "sleep")`);
    const kind = fixed(
      old,
      flow(`    await ctx.rollbackCheckpoint("w");\n    await ctx.step("a", async () => 1);`),
    );
    expect(kind.text).toContain(
      `await ctx.removed("w", "sleep");\n    await ctx.rollbackCheckpoint("w-rollback_checkpoint");`,
    );
    expect(kind.verdict).toBe("safe");
  });

  it("retires a gate that was deleted, in the loop that it was in", () => {
    const old = flow(
      `    await ctx.loop("l", async (one) => {\n      const v = await one.getVersion("g", 2);\n      if (v >= 2) await one.step("new", async () => 1);\n      else await one.step("old", async () => 2);\n      await one.sleep("s", 1);\n    });`,
    );
    const now = flow(
      `    await ctx.loop("l", async (one) => {\n      await one.step("new", async () => 1);\n      await one.sleep("s", 1);\n    });`,
    );
    const result = fixed(old, now);
    expect(result.text).toContain(
      `      await one.removed("g", "version_check");\n      await one.step("new"`,
    );
    expect(result.verdict).toBe("safe");
  });

  it("declares what is gone where it is come to, when all arms return", () => {
    const arms = (inner: string): string =>
      flow(
        `    const a = await ctx.step("a", async () => 1);\n    if (a > 1) {\n      await ctx.sleep("s", 1);\n      return 0;\n    } else {\n${inner}      return a;\n    }`,
      );
    const result = fixed(arms(`      await ctx.step("b", async () => 2);\n`), arms(""));
    expect(result.verdict).toBe("safe");
    expect(result.text).toMatch(
      /run: async \(ctx\) => \{\n {4}await ctx\.removed\("b", "step"\);\n|step\("a", async \(\) => 1\);\n {4}await ctx\.removed\("b", "step"\);\n/,
    );
  });

  it("declares behind an entry what came before an `if`", () => {
    const old = flow(
      `    await ctx.step("a", async () => 1); // first\n    await ctx.step("b", async () => 2);\n    if (Number("1") > 0) await ctx.sleep("s", 1);\n    else await ctx.sleep("t", 1);`,
    );
    const result = fixed(old, old.replace(`    await ctx.step("b", async () => 2);\n`, ""));
    expect(result.verdict).toBe("safe");
    expect(result.text).toContain(
      `    await ctx.step("a", async () => 1); // first\n    await ctx.removed("b", "step");\n`,
    );
  });

  it("names a try block and an endless loop back", () => {
    const old = flow(
      `    await ctx.try("pay", async (b) => {\n      await b.step("x", async () => 1);\n    });\n    await ctx.loop("count", async (l) => {\n      await l.step("y", async () => 2);\n      await l.sleep("s", 1);\n    });`,
    );
    const result = fixed(old, old.replace(`"pay"`, `"card"`).replace(`"count"`, `"counter"`));
    expect(result).toMatchObject({ text: old, verdict: "identical" });
  });

  it("mends many workflows with few analyses", () => {
    const flows = (step: string): string =>
      [1, 2, 3, 4, 5, 6]
        .map(
          (at) =>
            `export const flow${at} = workflow({\n  run: async (ctx) => {\n    await ctx.step("${step}${at}", async () => ${at});\n  },\n});\n`,
        )
        .join("\n");
    const head = `import { workflow } from "@stepproof/runtime";\n\n`;
    const [old, now] = [head + flows("charge"), head + flows("pay")];
    const manifest = { root: "/project", tool: "test" };
    let analyses = 0;
    const result = fixDiff({
      old: manifestOf(analyse(old), manifest),
      analyse: (overlay) => {
        analyses++;
        return analyse(overlay.get(FILE) ?? now);
      },
      read: () => now,
      manifest,
    });
    expect([result.applied.length, result.left.verdict, result.files.get(FILE)]).toEqual([
      6,
      "identical",
      old,
    ]);
    expect(analyses).toBe(2);
  });
});
