import { describe, expect, it } from "vitest";
import { diffManifests, type Block, type Reads } from "../../../runtime/src/manifest/index.js";
import { manifestOfSource } from "./testing/manifest-of-source.js";

/** `run` of a workflow, with whatever stands around it. */
interface Version {
  readonly head?: string;
  readonly run: string;
  readonly tail?: string;
}

const text = ({ head = "", run, tail = "" }: Version): string => `
import { workflow } from "@stepproof/runtime";
${head}
export const orders = workflow({ run: async (ctx) => {
  const order = await ctx.step("order", async () => ({ total: 1, id: "x", items: [{ price: 1, ok: true }], note: "" }));
  const other = await ctx.step("other", async () => ({ total: 1, id: "y", items: [{ price: 1, ok: true }], note: "" }));
  ${run}
} });
${tail}`;

/** How whatever decides something in the workflow is computed. */
function readsIn(version: Version): string {
  const found: (Reads | undefined)[] = [];
  const visit = (block: Block): void => {
    for (const node of block) {
      if (node.kind === "choice" || node.kind === "repeat") found.push(node.guard.reads);
      if (node.kind === "choice") node.arms.forEach(visit);
      if ("reads" in node) found.push(node.reads);
      if ("name" in node) for (const part of node.name) if (typeof part !== "string") found.push(part.reads);
      if ("body" in node && typeof node.body !== "string") visit(node.body);
      if ("branches" in node) for (const branch of node.branches) visit(branch.body);
    }
  };
  visit(manifestOfSource(text(version)).workflows["orders"]?.body ?? []);
  expect(found.length, "something must decide").toBeGreaterThan(0);
  return JSON.stringify(found.map((reads) => reads?.ways));
}

/** `f0` calls `f1`, that `f2` …; the last gives `end`, made of `n`. */
const helpers = (count: number, end: string): string =>
  Array.from(
    { length: count },
    (_, i) => `const f${i} = (n: number): boolean => ${i === count - 1 ? end : `f${i + 1}(n)`};`,
  ).join(" ");

const BIG = `if (big) await ctx.step("big", async () => {});`;

describe("another computation, though the condition reads the same", () => {
  const others: readonly (readonly [string, Version, Version])[] = [
    [
      "a factor",
      { run: `const big = order.total * 2 > 5; ${BIG}` },
      { run: `const big = order.total * 3 > 5; ${BIG}` },
    ],
    [
      "the entry that is read",
      { run: `const big = order.total > 5; ${BIG}` },
      { run: `const big = other.total > 5; ${BIG}` },
    ],
    [
      "brackets",
      { run: `if ((order.total + 1) * 2 > 5) await ctx.step("big", async () => {});` },
      { run: `if (order.total + 1 * 2 > 5) await ctx.step("big", async () => {});` },
    ],
    [
      "what a helper returns",
      {
        head: `const isBig = (o: { total: number }) => o.total > 5;`,
        run: `const big = isBig(order); ${BIG}`,
      },
      {
        head: `const isBig = (o: { total: number }) => o.total > 6;`,
        run: `const big = isBig(order); ${BIG}`,
      },
    ],
    [
      "an early return of a helper",
      {
        head: `function isBig(o: { total: number }) { if (o.total < 0) return true; return o.total > 5; }`,
        run: `const big = isBig(order); ${BIG}`,
      },
      {
        head: `function isBig(o: { total: number }) { if (o.total < 1) return true; return o.total > 5; }`,
        run: `const big = isBig(order); ${BIG}`,
      },
    ],
    [
      "what a helper is given",
      { head: `const isBig = (t: number) => t > 5;`, run: `const big = isBig(order.total); ${BIG}` },
      { head: `const isBig = (t: number) => t > 5;`, run: `const big = isBig(other.total); ${BIG}` },
    ],
    [
      "what a try block returns",
      {
        run: `const t = await ctx.try("t", async (c) => { const m = await c.step("m", async () => 1); const n = await c.step("n", async () => 2); return m; }); if (t.ok && t.value > 1) await ctx.step("big", async () => {});`,
      },
      {
        run: `const t = await ctx.try("t", async (c) => { const m = await c.step("m", async () => 1); const n = await c.step("n", async () => 2); return n; }); if (t.ok && t.value > 1) await ctx.step("big", async () => {});`,
      },
    ],
    [
      "when a try block fails",
      {
        run: `const t = await ctx.try("t", async (c) => { const m = await c.step("m", async () => 1); if (m > 2) throw new Error("no"); }); if (t.ok) await ctx.step("big", async () => {});`,
      },
      {
        run: `const t = await ctx.try("t", async (c) => { const m = await c.step("m", async () => 1); if (m > 3) throw new Error("no"); }); if (t.ok) await ctx.step("big", async () => {});`,
      },
    ],
    [
      "what a helper with entries returns",
      {
        head: `async function h(ctx: any) { const m = await ctx.step("m", async () => 1); const n = await ctx.step("n", async () => 2); return m; }`,
        run: `const big = (await h(ctx)) > 1; ${BIG}`,
      },
      {
        head: `async function h(ctx: any) { const m = await ctx.step("m", async () => 1); const n = await ctx.step("n", async () => 2); return n; }`,
        run: `const big = (await h(ctx)) > 1; ${BIG}`,
      },
    ],
    [
      "a name's hole",
      { run: "await ctx.step(`x-${order.id}`, async () => {});" },
      { run: "await ctx.step(`x-${other.id}`, async () => {});" },
    ],
    [
      "a name through a variable",
      { run: "const id = order.id; await ctx.step(`x-${id}`, async () => {});" },
      { run: "const id = order.id + '!'; await ctx.step(`x-${id}`, async () => {});" },
    ],
    [
      "an entry of the same name in another scope",
      {
        run: `await ctx.loop("l", async (c) => { const n = await c.step("order", async () => ({ total: 1 })); if (n.total > 5) await c.step("big", async () => {}); });`,
      },
      {
        run: `await ctx.loop("l", async (c) => { const n = await c.step("order", async () => ({ total: 1 })); if (order.total > 5) await c.step("big", async () => {}); });`,
      },
    ],
    [
      "an entry of the same name in another branch",
      {
        run: `const j = await ctx.join("j", { a: { run: async (c) => c.try("t", async (b) => b.step("n", async () => 1)) }, b: { run: async (c) => c.try("t", async (b) => b.step("n", async () => 1)) } }); const t = await ctx.try("t", async (b) => b.step("n", async () => 1)); if (t.ok) await ctx.step("big", async () => {});`,
      },
      {
        run: `const j = await ctx.join("j", { a: { run: async (c) => c.try("t", async (b) => b.step("n", async () => 1)) }, b: { run: async (c) => c.try("t", async (b) => b.step("n", async () => 1)) } }); const t = j.a; if (t.ok) await ctx.step("big", async () => {});`,
      },
    ],
    [
      "a name through another",
      { run: "const id = order.id; const x = id.trim(); await ctx.step(x, async () => {});" },
      { run: "const id = order.note; const x = id.trim(); await ctx.step(x, async () => {});" },
    ],
    [
      "what a native loop runs over",
      {
        run: "const list = order.items; for (const i of list) await ctx.step(`x-${i.price}`, async () => {});",
      },
      {
        run: "const list = other.items; for (const i of list) await ctx.step(`x-${i.price}`, async () => {});",
      },
    ],
    [
      "a filter's callback",
      {
        run: "const list = order.items.filter((i) => i.ok); for (const i of list) await ctx.step(`x-${i.price}`, async () => {});",
      },
      {
        run: "const list = order.items.filter((i) => !i.ok); for (const i of list) await ctx.step(`x-${i.price}`, async () => {});",
      },
    ],
    [
      "what is pushed",
      {
        run: `const list: number[] = []; for (const i of order.items) list.push(i.price); if (list.length > 2) await ctx.step("big", async () => {});`,
      },
      {
        run: `const list: number[] = []; for (const i of order.items) if (i.ok) list.push(i.price); if (list.length > 2) await ctx.step("big", async () => {});`,
      },
    ],
    [
      "what is skipped before a push",
      {
        run: `const list: number[] = []; for (const i of order.items) { if (!i.ok) continue; list.push(i.price); } if (list.length > 2) await ctx.step("big", async () => {});`,
      },
      {
        run: `const list: number[] = []; for (const i of order.items) { if (i.price > 3) continue; list.push(i.price); } if (list.length > 2) await ctx.step("big", async () => {});`,
      },
    ],
    [
      "a change through another name",
      {
        run: `const o = { list: [1] }; const l = o.list; l.push(order.total); if (o.list[1]! > 2) await ctx.step("big", async () => {});`,
      },
      {
        run: `const o = { list: [1] }; const l = o.list; l.push(other.total); if (o.list[1]! > 2) await ctx.step("big", async () => {});`,
      },
    ],
    [
      "a change by a helper",
      {
        head: `function fill(l: number[], n: number) { l.push(n); }`,
        run: `const list: number[] = []; fill(list, order.total); if (list[0]! > 2) await ctx.step("big", async () => {});`,
      },
      {
        head: `function fill(l: number[], n: number) { l.push(n + 1); }`,
        run: `const list: number[] = []; fill(list, order.total); if (list[0]! > 2) await ctx.step("big", async () => {});`,
      },
    ],
    [
      "a sum in a callback",
      { run: `let sum = 0; order.items.forEach((i) => { sum += i.price; }); const big = sum > 5; ${BIG}` },
      {
        run: `let sum = 0; order.items.forEach((i) => { if (i.ok) sum += i.price; }); const big = sum > 5; ${BIG}`,
      },
    ],
    [
      "what a callback runs over",
      { run: `let sum = 0; order.items.forEach((i) => { sum += i.price; }); const big = sum > 5; ${BIG}` },
      { run: `let sum = 0; other.items.forEach((i) => { sum += i.price; }); const big = sum > 5; ${BIG}` },
    ],
    [
      "the condition of an assignment",
      { run: `let big = false; if (order.total > 5) big = true; ${BIG}` },
      { run: `let big = false; if (order.total > 6) big = true; ${BIG}` },
    ],
    [
      "which case assigns",
      {
        run: `let n = 0; switch (order.id) { case "a": n = 1; break; case "b": n = 2; break; } const big = n > 1; ${BIG}`,
      },
      {
        run: `let n = 0; switch (order.id) { case "a": n = 1; break; case "c": n = 2; break; } const big = n > 1; ${BIG}`,
      },
    ],
    [
      "the order in a loop",
      {
        run: `let n = 0; for (const i of order.items) { if (n > 1) await ctx.step(\`big-\${i.price}\`, async () => {}); n += i.price; }`,
      },
      {
        run: `let n = 0; for (const i of order.items) { n += i.price; if (n > 1) await ctx.step(\`big-\${i.price}\`, async () => {}); }`,
      },
    ],
    [
      "how a while loop counts",
      { run: `let n = order.total; while (n > 0) { await ctx.sleep(\`s-\${n}\`, 1); n -= 1; }` },
      { run: `let n = order.total; while (n > 0) { await ctx.sleep(\`s-\${n}\`, 1); n -= 2; }` },
    ],
    [
      "what a native catch says",
      { run: `let n = 0; try { n = JSON.parse(order.id); } catch { n = 7; } const big = n > 5; ${BIG}` },
      { run: `let n = 0; try { n = JSON.parse(order.note); } catch { n = 7; } const big = n > 5; ${BIG}` },
    ],
    [
      "a default",
      { run: `const { total = 3 } = order; const big = total > 5; ${BIG}` },
      { run: `const { total = 9 } = order; const big = total > 5; ${BIG}` },
    ],
    [
      "another part of a tuple",
      { run: `const [a] = [order.total, other.total]; const big = a > 5; ${BIG}` },
      { run: `const [, a] = [order.total, other.total]; const big = a > 5; ${BIG}` },
    ],
    [
      "a limit of the module",
      { head: `const LIMITS = { big: 5 };`, run: `const big = order.total > LIMITS.big; ${BIG}` },
      { head: `const LIMITS = { big: 6 };`, run: `const big = order.total > LIMITS.big; ${BIG}` },
    ],
    [
      "a variable of the workflow in a loop's body",
      {
        run: `const max = order.total; await ctx.loop("l", async (c) => { const n = await c.step("n", async () => 1); if (n > max) return Loop.break(1); });`,
        head: `import { Loop } from "@stepproof/runtime";`,
      },
      {
        run: `const max = other.total; await ctx.loop("l", async (c) => { const n = await c.step("n", async () => 1); if (n > max) return Loop.break(1); });`,
        head: `import { Loop } from "@stepproof/runtime";`,
      },
    ],
    [
      "a field of an object of a class",
      {
        head: `class Totals { constructor(private n: number) {} isBig() { return this.n > 5; } }`,
        run: `const big = new Totals(order.total).isBig(); ${BIG}`,
      },
      {
        head: `class Totals { constructor(private n: number) {} isBig() { return this.n > 6; } }`,
        run: `const big = new Totals(order.total).isBig(); ${BIG}`,
      },
    ],
    [
      "a limit that a function reads which changes what it is given",
      {
        head: `const LIMIT = 5; function fill(list: number[]) { list.push(LIMIT); }`,
        run: `const limits: number[] = []; fill(limits); const big = order.total > limits[0]!; ${BIG}`,
      },
      {
        head: `const LIMIT = 6; function fill(list: number[]) { list.push(LIMIT); }`,
        run: `const limits: number[] = []; fill(limits); const big = order.total > limits[0]!; ${BIG}`,
      },
    ],
    [
      "a limit that a method reads which writes the field",
      {
        head: `const { MIN } = { MIN: 5 }; class Totals { n = 0; set(n: number) { this.n = n + MIN; } isBig() { return this.n > 5; } }`,
        run: `const totals = new Totals(); totals.set(order.total); const big = totals.isBig(); ${BIG}`,
      },
      {
        head: `const { MIN } = { MIN: 6 }; class Totals { n = 0; set(n: number) { this.n = n + MIN; } isBig() { return this.n > 5; } }`,
        run: `const totals = new Totals(); totals.set(order.total); const big = totals.isBig(); ${BIG}`,
      },
    ],
    [
      "an enum's value, fifteen calls away",
      {
        head: `enum Limit { Big = 5 } ${helpers(15, "n > Limit.Big")}`,
        run: `const big = f0(order.total); ${BIG}`,
      },
      {
        head: `enum Limit { Big = 6 } ${helpers(15, "n > Limit.Big")}`,
        run: `const big = f0(order.total); ${BIG}`,
      },
    ],
    [
      "a local of the function around, fifteen calls away",
      { run: `const limit = 5; ${helpers(15, "n > limit")} const big = f0(order.total); ${BIG}` },
      { run: `const limit = 6; ${helpers(15, "n > limit")} const big = f0(order.total); ${BIG}` },
    ],
    [
      "a local of the function that makes the helpers, fifteen calls away",
      {
        head: `function make() { const limit = 5; ${helpers(15, "n > limit")} return f0; } const isBig = make();`,
        run: `const big = isBig(order.total); ${BIG}`,
      },
      {
        head: `function make() { const limit = 6; ${helpers(15, "n > limit")} return f0; } const isBig = make();`,
        run: `const big = isBig(order.total); ${BIG}`,
      },
    ],
    [
      "a limit at the end of a long way of helpers",
      { head: `const LIMIT = 5; ${helpers(15, "n > LIMIT")}`, run: `const big = f0(order.total); ${BIG}` },
      { head: `const LIMIT = 6; ${helpers(15, "n > LIMIT")}`, run: `const big = f0(order.total); ${BIG}` },
    ],
    [
      "the last of many helpers",
      { head: helpers(15, "n > 5"), run: `const big = f0(order.total); ${BIG}` },
      { head: helpers(15, "n > 6"), run: `const big = f0(order.total); ${BIG}` },
    ],
    [
      "which branches a join has",
      {
        run: `await ctx.join("j", Object.fromEntries(order.items.map((i) => [String(i.price), { run: async (c: any) => { await c.step("s", async () => {}); } }])));`,
      },
      {
        run: `await ctx.join("j", Object.fromEntries(other.items.map((i) => [String(i.price), { run: async (c: any) => { await c.step("s", async () => {}); } }])));`,
      },
    ],
    [
      "a default parameter",
      { head: `const f = (t: number, max = 5) => t > max;`, run: `const big = f(order.total); ${BIG}` },
      { head: `const f = (t: number, max = 6) => t > max;`, run: `const big = f(order.total); ${BIG}` },
    ],
    [
      "a spread of arguments",
      {
        head: `const f = (...t: number[]) => t.length > 1;`,
        run: `const big = f(order.total, other.total); ${BIG}`,
      },
      { head: `const f = (...t: number[]) => t.length > 1;`, run: `const big = f(order.total); ${BIG}` },
    ],
    [
      "the test of a conditional",
      { run: `const n = order.id === "a" ? 1 : 9; const big = n > 5; ${BIG}` },
      { run: `const n = order.id === "b" ? 1 : 9; const big = n > 5; ${BIG}` },
    ],
    [
      "a spread object",
      { run: `const o = { ...order, a: 1 }; const big = o.total > 5; ${BIG}` },
      { run: `const o = { ...other, a: 1 }; const big = o.total > 5; ${BIG}` },
    ],
    [
      "an assigned property",
      { run: `const o: any = {}; o.n = order.total; const big = o.n > 5; ${BIG}` },
      { run: `const o: any = {}; o.n = other.total; const big = o.n > 5; ${BIG}` },
    ],
    [
      "a deleted property",
      { run: `const o: any = { n: order.total, m: 1 }; const big = o.n > 5; ${BIG}` },
      { run: `const o: any = { n: order.total, m: 1 }; delete o.n; const big = o.n > 5; ${BIG}` },
    ],
    [
      "one of two callers",
      {
        head: `async function h(ctx: any, n: number) { if (n > 5) await ctx.step("big", async () => {}); }`,
        run: `await h(ctx, order.total);`,
      },
      {
        head: `async function h(ctx: any, n: number) { if (n > 5) await ctx.step("big", async () => {}); }`,
        run: `await h(ctx, other.total);`,
      },
    ],
    [
      "a helper that calls itself",
      {
        head: `const f = (n: number): number => (n > 9 ? n : f(n + 1));`,
        run: `const big = f(order.total) > 5; ${BIG}`,
      },
      {
        head: `const f = (n: number): number => (n > 9 ? n : f(n + 2));`,
        run: `const big = f(order.total) > 5; ${BIG}`,
      },
    ],
    [
      "a named function that writes",
      {
        run: `let n = 0; const add = (m: number) => { n += m; }; add(order.total); const big = n > 5; ${BIG}`,
      },
      {
        run: `let n = 0; const add = (m: number) => { n += m; }; add(other.total); const big = n > 5; ${BIG}`,
      },
    ],
    [
      "the state that a loop begins with, natively changed in a turn",
      {
        head: `import { Loop } from "@stepproof/runtime";`,
        run: `await ctx.loop({ name: "l", state: 0, run: async (c, s: number) => { const n = s + 1; if (n > 3) return Loop.break(n); await c.step("a", async () => {}); return Loop.continue(n); } });`,
      },
      {
        head: `import { Loop } from "@stepproof/runtime";`,
        run: `await ctx.loop({ name: "l", state: 0, run: async (c, s: number) => { const n = s + 2; if (n > 3) return Loop.break(n); await c.step("a", async () => {}); return Loop.continue(n); } });`,
      },
    ],
  ];
  it.each(others)("%s", (_what, one, two) => {
    expect(readsIn(one)).not.toBe(readsIn(two));
  });
});

describe("the same computation, written in another way", () => {
  const same: readonly (readonly [string, Version, Version])[] = [
    [
      "locals renamed",
      { run: `const big = order.total > 5; ${BIG}` },
      { run: `const large = order.total > 5; if (large) await ctx.step("big", async () => {});` },
    ],
    [
      "a variable for a part",
      { run: `const big = order.total > 5; ${BIG}` },
      { run: `const { total } = order; const big = total > 5; ${BIG}` },
    ],
    [
      "a helper taken out",
      { run: `const big = order.total * 2 > 5; ${BIG}` },
      {
        head: `const isBig = (o: { total: number }) => o.total * 2 > 5;`,
        run: `const big = isBig(order); ${BIG}`,
      },
    ],
    [
      "a constant taken out",
      { run: `const big = order.total > 5; ${BIG}` },
      { head: `const LIMIT = 5;`, run: `const big = order.total > LIMIT; ${BIG}` },
    ],
    [
      "another limit of the module",
      { head: `const LIMITS = { big: 5, small: 1 };`, run: `const big = order.total > LIMITS.big; ${BIG}` },
      { head: `const LIMITS = { big: 5, small: 2 };`, run: `const big = order.total > LIMITS.big; ${BIG}` },
    ],
    [
      "a line of the log",
      { run: `const big = order.total > 5; ${BIG}` },
      { run: `const big = order.total > 5; ctx.log.info({ order }); ${BIG}` },
    ],
    [
      "an assignment behind it",
      { run: `let n = order.total; const big = n > 5; ${BIG}` },
      { run: `let n = order.total; const big = n > 5; ${BIG} n = 7; ctx.log.info({ n });` },
    ],
    [
      "a value that is replaced",
      { run: `let n = 1; n = order.total; const big = n > 5; ${BIG}` },
      { run: `let n = order.total; const big = n > 5; ${BIG}` },
    ],
    [
      "another property",
      { run: `const o: any = { n: order.total }; const big = o.n > 5; ${BIG}` },
      { run: `const o: any = { n: order.total }; o.m = 4; const big = o.n > 5; ${BIG}` },
    ],
    [
      "the order of functions",
      { head: `const f = (t: number) => t > 5; const g = 1;`, run: `const big = f(order.total); ${BIG}` },
      {
        head: `const g = 1;`,
        tail: `const f = (t: number) => t > 5;`,
        run: `const big = f(order.total); ${BIG}`,
      },
    ],
    [
      "`if (!x)` turned round",
      { run: `if (!(order.total > 5)) await ctx.sleep("a", 1); else await ctx.sleep("b", 1);` },
      { run: `if (order.total > 5) await ctx.sleep("b", 1); else await ctx.sleep("a", 1);` },
    ],
    [
      "a check that throws",
      { run: `const big = order.total > 5; ${BIG}` },
      {
        head: `function check(o: { total: number }) { if (o.total < 0) throw new Error("no"); return o.total; }`,
        run: `const big = check(order) > 5; ${BIG}`,
      },
    ],
    [
      "the body of a step",
      { run: `const n = await ctx.step("n", async () => 1); const big = n > 5; ${BIG}` },
      { run: `const n = await ctx.step("n", async () => 2); const big = n > 5; ${BIG}` },
    ],
    [
      "what a finished loop did inside",
      {
        head: `import { Loop } from "@stepproof/runtime";`,
        run: `const n = await ctx.loop("l", async (c) => { const m = await c.step("m", async () => 1); return Loop.break(m); }); const big = n > 5; ${BIG}`,
      },
      {
        head: `import { Loop } from "@stepproof/runtime";`,
        run: `const n = await ctx.loop("l", async (c) => { const m = await c.step("m", async () => 1); return Loop.break(m + 1); }); const big = n > 5; ${BIG}`,
      },
    ],
  ];
  it.each(same)("%s", (_what, one, two) => {
    expect(readsIn(one)).toBe(readsIn(two));
  });
});

describe("a value that hangs on a gate", () => {
  const old: Version = {
    run: `const n = await ctx.step("n", async () => 1); if (n > 5) await ctx.step("big", async () => {});`,
  };
  const behind = (arms: string): Version => ({
    run: `const v = await ctx.getVersion("g", 2); ${arms} if (n > 5) await ctx.step("big", async () => {});`,
  });
  it.each([
    [
      "an expression",
      `const n = v >= 2 ? await ctx.step("m", async () => 1) : await ctx.step("n", async () => 1);`,
    ],
    [
      "assignments",
      `let n = 0; if (v >= 2) { n = await ctx.step("m", async () => 1); } else { n = await ctx.step("n", async () => 1); }`,
    ],
    [
      "a switch",
      `let n; switch (v) { case 1: n = await ctx.step("n", async () => 1); break; default: n = await ctx.step("m", async () => 1); }`,
    ],
  ])("keeps its answer for old instances: %s", (_how, arms) => {
    const diff = diffManifests(manifestOfSource(text(old)), manifestOfSource(text(behind(arms))));
    expect(diff.verdict).toBe("safe");
  });
  it("is another one when the old arm computes it in another way", () => {
    const arms = `const n = v >= 2 ? await ctx.step("m", async () => 1) : (await ctx.step("n", async () => 1)) + 1;`;
    const diff = diffManifests(manifestOfSource(text(old)), manifestOfSource(text(behind(arms))));
    expect(diff.verdict).toBe("risky");
  });
});

it("a gate in a counted loop has the same name where it is asked and where it is tested", () => {
  const found: unknown[] = [];
  const body = manifestOfSource(
    text({
      run: "for (let i = 0; i < 2; i += 1) { const g = await ctx.getVersion(`gate-${i}`, 2); if (g >= 2) await ctx.step(`x-${i}`, async () => {}); }",
    }),
  ).workflows["orders"]?.body;
  for (const node of body?.flatMap((one) => (one.kind === "repeat" ? one.body : [])) ?? []) {
    if (node.kind === "version_check")
      found.push(node.name.map((part) => (typeof part === "string" ? part : part.values)));
    if (node.kind === "choice")
      found.push(node.guard.gate?.name.map((part) => (typeof part === "string" ? part : part.values)));
  }
  expect(found).toEqual([
    ["gate-", ["0", "1"]],
    ["gate-", ["0", "1"]],
  ]);
});
