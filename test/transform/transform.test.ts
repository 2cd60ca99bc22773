import { SourceMap } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { analyze } from "stepproof";
import type { AnyRegistry } from "../../runtime/src/types/index.js";
import { carriedIn } from "../../compiler/src/transform/carried-in.js";
import { transformCode } from "../../compiler/src/transform/transform-code.js";
import { bothWays, hosted, LastingStore, layOut, settled, transformed } from "./project.js";

interface Flow {
  readonly registry: AnyRegistry;
  readonly ran: string[];
}

const HEAD = `import { actor, queue, setup, workflow } from "@stepproof/runtime";
export const ran: string[] = [];
const note = (name: string) => () => { ran.push(name); return name; };
`;

describe("the transform", () => {
  test("leaves what a program does as it was", async () => {
    const { plain, carrying } = await bothWays<Flow>(
      "behaviour",
      `${HEAD}
export const order = workflow({
  queues: { go: queue<number>() },
  run: async (ctx) => {
    await ctx.step("a", note("a"));
    const item = await ctx.loop({ name: "l", state: 0, run: async (inner, n: number) => {
      await inner.step("turn", note("turn " + n));
      return n === 2 ? (await import("@stepproof/runtime")).Loop.break(n) : (await import("@stepproof/runtime")).Loop.continue(n + 1);
    } });
    await ctx.step("b", note("b " + item));
  },
}) satisfies object;
const task = actor({ run: workflow(async (ctx) => { await ctx.step("one", note("one")); }) });
export const registry = setup({ use: { order, task } });
`,
    );
    for (const flow of [plain, carrying]) {
      const { host, client } = await hosted(flow.registry);
      for (const name of ["order", "task"]) {
        await client[name]?.getOrCreate("k").resolve();
        await settled(host, `${name}/k`, "completed");
      }
      await host.stop();
    }
    expect(carrying.ran).toEqual(plain.ran);
    expect(carrying.ran).toEqual(["a", "turn 0", "turn 1", "turn 2", "b 2", "one"]);
    const carried = await hosted(carrying.registry);
    expect(carried.host.manifestOf("order")?.manifest).toMatchObject({ name: "order", file: "flow.ts" });
    expect(carried.host.manifestOf("task")?.manifest.body).toMatchObject([{ kind: "step", name: ["one"] }]);
    expect((await hosted(plain.registry)).host.manifestOf("order")).toBeUndefined();
  });

  const waiting = (body: string): string => `${HEAD}
export const job = workflow({
  queues: { go: queue<number>() },
  run: async (ctx) => {
${body}
  },
});
export const registry = setup({ use: { job } });
`;
  const before = waiting(`await ctx.step("old", note("old")); await ctx.queue.next("go");`);

  /** Runs `old` until it waits, then `next` on what it recorded. */
  async function deploy(old: Flow, next: Flow) {
    const store = new LastingStore();
    const one = await hosted(old.registry, store);
    await one.client["job"]?.getOrCreate("k").resolve();
    await settled(one.host, "job/k", "sleeping");
    await one.host.stop();
    const two = await hosted(next.registry, store);
    await two.client["job"]?.getOrCreate("k").resolve();
    if (!["parked", "failed"].includes(two.host.pool.warm("job/k")?.run?.status ?? ""))
      await two.client["job"]?.getOrCreate("k").send("go", 1);
    const run = await settled(two.host, "job/k", "parked", "failed", "completed");
    await two.host.stop();
    return run;
  }

  test("parks an instance that the new code would not accept, instead of failing it", async () => {
    const old = await bothWays<Flow>("park-old", before);
    const next = await bothWays<Flow>(
      "park-new",
      waiting(`await ctx.step("renamed", note("new")); await ctx.queue.next("go");`),
    );
    expect((await deploy(old.plain, next.plain)).status).toBe("failed");
    const parked = await deploy(old.carrying, next.carrying);
    expect(parked).toMatchObject({ status: "parked", error: { code: "history_refused" } });
  });

  test("lets `removed` come after the new step", async () => {
    const old = await bothWays<Flow>("late-old", before);
    const next = await bothWays<Flow>(
      "late-new",
      waiting(
        `await ctx.step("new", note("new")); await ctx.removed("old", "step"); await ctx.queue.next("go");`,
      ),
    );
    expect((await deploy(old.plain, next.plain)).status).toBe("failed");
    expect((await deploy(old.carrying, next.carrying)).status).toBe("completed");
  });

  test("errors of use say where the entry is written", async () => {
    const { plain, carrying } = await bothWays<Flow>(
      "places",
      waiting(`
    await ctx.loop("each", async (inner) => {
      for (const part of ["x", "y"]) await inner.step("same", note(part));
      return (await import("@stepproof/runtime")).Loop.break(1);
    });`),
    );
    const messageOf = async (flow: Flow): Promise<string> => {
      const { host, client } = await hosted(flow.registry);
      await client["job"]?.getOrCreate("k").resolve();
      const run = await settled(host, "job/k", "failed");
      await host.stop();
      return run.error?.message ?? "";
    };
    const [without, withPlace] = [await messageOf(plain), await messageOf(carrying)];
    expect(without).toContain('Duplicate entry name "each/~0/same"');
    expect(withPlace).toBe(`${without} (flow.ts:10:44)`);
  });

  test("what a factory makes carries the manifest under every name", async () => {
    const { carrying } = await bothWays<Flow>(
      "factory",
      `${HEAD}
const make = (step: string) => workflow({ run: async (ctx) => { await ctx.step(step, note(step)); } });
export const registry = setup({ use: { first: make("a"), second: make("b") } });
`,
    );
    const { host } = await hosted(carrying.registry);
    for (const name of ["first", "second"])
      expect(host.manifestOf(name)?.manifest.body).toMatchObject([{ kind: "step", name: [{ hole: "v1" }] }]);
  });

  test("maps every place to where it was written, and moves no line", () => {
    const code = `import { workflow } from "@rivet-dev/workflows";\r\n/* é😀 */ export const a = workflow({ run: async (ctx) => { await ctx.step("s", async () => 1); } }), after = 1;\r\n// end`;
    const folder = layOut("maps", { "flow.ts": code });
    const calls = carriedIn(analyze({ cwd: folder }), folder).get(join(folder, "flow.ts")) ?? [];
    const result = transformCode(code, "flow.ts", calls);
    const [, line = ""] = result?.code.split("\r\n") ?? [];
    const map = new SourceMap(JSON.parse(result?.map.toString() ?? "") as never);
    for (const word of ["export", "workflow", "ctx.step", "after"]) {
      const entry = map.findEntry(1, line.indexOf(word)) as { originalLine: number; originalColumn: number };
      expect([entry.originalLine, entry.originalColumn]).toEqual([1, code.split("\r\n")[1]?.indexOf(word)]);
    }
  });

  test("does nothing twice, and nothing to files without workflows", () => {
    const code = `import { workflow } from "@rivet-dev/workflows";\nexport const a = workflow({ run: async () => undefined });\n`;
    const folder = layOut("twice", { "flow.ts": code, "other.ts": "export const workflow = 1;\n" });
    const once = transformed(folder, "flow.ts", code);
    expect(once).not.toBe(code);
    layOut("twice", { "flow.ts": once });
    expect(transformed(folder, "flow.ts", once)).toBe(once);
    expect(transformed(folder, "other.ts", "export const workflow = 1;\n")).toBe(
      "export const workflow = 1;\n",
    );
  });
});
