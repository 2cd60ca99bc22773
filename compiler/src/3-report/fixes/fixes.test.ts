import { describe, expect, it } from "vitest";
import { check } from "../../check.js";
import { applyEdits } from "../../fix/apply-edits.js";
import { factsOfSource } from "../../1-collect/facts-of-source.js";
import type { Reported } from "../report.js";

const FILE = "/app/flow.ts";

function findings(text: string): readonly Reported[] {
  return check({ cwd: "/app", paths: [FILE], overlay: new Map([[FILE, text]]) }).reported;
}

const program = (body: string): string => `import { Loop, queue, workflow } from "@rivet-dev/workflows";

export const flow = workflow({
  state: { n: 0 },
  queues: { jobs: queue<{ id: string }>() },
  run: async (ctx) => {
${body}
  },
});
`;

/** Applies the fix of the one finding of a rule; the result must parse, and hold neither it nor anything new. */
function mended(rule: string, text: string): { readonly text: string; readonly safe: boolean } {
  const before = findings(text);
  const [first] = before.filter(({ finding }) => finding.rule === rule && finding.fix !== undefined);
  const fix = first?.finding.fix;
  if (!fix) throw new Error(`no fix among: ${before.map(({ diagnostic }) => diagnostic.message).join("; ")}`);
  const { text: result, applied } = applyEdits(text, [fix.edits]);
  expect(applied).toEqual([true]);
  expect(factsOfSource(result).syntaxErrors).toEqual([]);
  const left = findings(result).map(({ diagnostic }) => diagnostic.rule);
  const others = before.filter((one) => one !== first).map(({ diagnostic }) => diagnostic.rule);
  for (const one of left) expect(others).toContain(one);
  expect(left.length).toBeLessThan(before.length);
  return { text: result, safe: fix.safe };
}

/** Body before, body after, and whether `--fix` applies it. */
type Case = readonly [name: string, rule: string, before: string, after: string, safe: boolean];

const CASES: readonly Case[] = [
  [
    "console with a comment beside it",
    "no-console",
    '    console.log(/* who */ "start"); // told',
    '    ctx.log.info(/* who */ "start"); // told',
    true,
  ],
  [
    "console in a loop's body, by that loop's context",
    "no-console",
    '    await ctx.loop("l", async (c) => {\n      await c.sleep("p", 1_000);\n      console.error(`at ${c.actorId}`)\n    });',
    '    await ctx.loop("l", async (c) => {\n      await c.sleep("p", 1_000);\n      c.log.error(`at ${c.actorId}`)\n    });',
    true,
  ],
  [
    "console with a message and named values",
    "no-console",
    '    const order = await ctx.step("o", async () => ({ id: "a", total: 2 }));\n    console.warn("charged", order, order.total);',
    '    const order = await ctx.step("o", async () => ({ id: "a", total: 2 }));\n    ctx.log.warn({ msg: "charged", order, total: order.total });',
    true,
  ],
  [
    "a wait with a timeout",
    "queue-timeout",
    '    const job = await ctx.queue.next("wait", { names: ["jobs"], timeout: 10 }) // soon\n    ctx.log.info(String(job))',
    '    const [job] = await ctx.queue.nextBatch("wait", { names: ["jobs"], timeout: 10 }) // soon\n    ctx.log.info(String(job))',
    false,
  ],
  [
    "Promise.all whose results are taken apart",
    "no-concurrent-entries",
    '    const [a, b] = await Promise.all([\n      ctx.step("a", async () => 1), // one\n      ctx.step("b", async () => 2),\n    ]);\n    await ctx.step("c", async (step) => { step.state.n = a + b; });',
    '    const { a, b } = await ctx.join("a-and-b", {\n      a: { run: async (branch) => branch.step("a", async () => 1) }, // one\n      b: { run: async (branch) => branch.step("b", async () => 2) },\n    });\n    await ctx.step("c", async (step) => { step.state.n = a + b; });',
    true,
  ],
  [
    "Promise.all as a statement",
    "no-concurrent-entries",
    '    await Promise.all([ctx.sleep("a", 1), ctx.queue.next("b")])',
    '    await ctx.join("branch1-and-branch2", {branch1: { run: async (branch) => branch.sleep("a", 1) }, branch2: { run: async (branch) => branch.queue.next("b") }})',
    true,
  ],
  [
    "the outer context in a loop",
    "use-scope-context",
    '    await ctx.loop("l", async (loopCtx) => {\n      await ctx.sleep("p", 1_000) // pause\n      return Loop.break(loopCtx.actorId)\n    })',
    '    await ctx.loop("l", async (loopCtx) => {\n      await loopCtx.sleep("p", 1_000) // pause\n      return Loop.break(loopCtx.actorId)\n    })',
    true,
  ],
  [
    "a name in a loop that surely turns twice",
    "unique-entry-names",
    "    for (let i = 0; i < 3; i++) await ctx.step('send', async () => i);",
    "    for (let i = 0; i < 3; i++) await ctx.step(`send-${i}`, async () => i);",
    true,
  ],
  [
    "a name in a loop that may turn once",
    "unique-entry-names",
    '    const n = await ctx.step("n", async () => 3)\n    for (let turn = 0; turn < n; turn++) {\n      await ctx.step({ name: "send", run: async () => turn })\n    }',
    '    const n = await ctx.step("n", async () => 3)\n    for (let turn = 0; turn < n; turn++) {\n      await ctx.step({ name: `send-${turn}`, run: async () => turn })\n    }',
    false,
  ],
  [
    "a request as a statement",
    "no-side-effects",
    '    await fetch("https://example.com", { method: "POST" }); // told',
    '    await ctx.step("fetch", async () => { await fetch("https://example.com", { method: "POST" }); }); // told',
    false,
  ],
  [
    "the clock in a declaration",
    "no-nondeterminism",
    "    const at = Date.now(), x = 1;\n    const now = Date.now()\n    ctx.log.info(String(at + x + now));",
    '    const at = Date.now(), x = 1;\n    const now = await ctx.step("now", async () => Date.now())\n    ctx.log.info(String(at + x + now));',
    false,
  ],
];

describe("a fix takes its finding away and brings no new one", () => {
  it.each(CASES)("%s", (_name, rule, before, after, safe) => {
    expect(mended(rule, program(before))).toEqual({ text: program(after), safe });
  });

  it("the same in files with CRLF", () => {
    const crlf = (text: string): string => text.replace(/\n/g, "\r\n");
    for (const [, rule, before, after, safe] of CASES)
      expect(mended(rule, crlf(program(before)))).toEqual({ text: crlf(program(after)), safe });
  });
});

describe("no fix is offered where it would be wrong", () => {
  const fixesOf = (body: string): readonly string[] =>
    findings(program(body)).flatMap(({ finding }) => (finding.fix ? [finding.fix.title] : []));

  it("where another variable hides the context", () => {
    expect(fixesOf('    for (const ctx of ["a"]) { console.log(ctx); }')).toEqual([]);
  });
  it("console with values that have no names, or a format", () => {
    expect(fixesOf('    console.log("at", 1);')).toEqual([]);
    expect(fixesOf('    console.log("at %s", ctx.actorId);')).toEqual([]);
    expect(fixesOf('    console.log(ctx.actorId, "at");')).toEqual([]);
  });
  it("Promise.all whose items use the context beside, or whose result is kept whole", () => {
    const items = '[ctx.step("a", async () => ctx.actorId), ctx.step("b", async () => 2)]';
    expect(fixesOf(`    await Promise.all(${items});`)).toEqual([]);
    const plain = '[ctx.step("a", async () => 1), ctx.step("b", async () => 2)]';
    expect(fixesOf(`    const all = await Promise.all(${plain});\n    ctx.log.info(String(all));`)).toEqual(
      [],
    );
  });
  it("an effect that is a part of its statement", () => {
    expect(fixesOf("    ctx.log.info(String(Date.now()));")).toEqual([]);
  });
});
