import { describe, expect, it } from "vitest";
import { createFactsSource } from "../1-collect/facts-source.js";
import { BUILT_IN_ROWS, createCatalogue } from "../catalogue/index.js";
import { ENGINES, engineOfModule } from "../engines/index.js";
import { openProject } from "../host/open-project.js";
import type { FactsSource } from "../types.js";
import { solve } from "./solve.js";
import type { Analysis, SkeletonBlock } from "./types.js";

const catalogue = createCatalogue(BUILT_IN_ROWS);

/** Solves programs that exist only in memory. `order` rearranges what the source offers. */
function solved(files: Readonly<Record<string, string>>, order: "as is" | "reversed" = "as is"): Analysis {
  const overlay = new Map(Object.entries(files).map(([name, text]) => [`/app/${name}`, text]));
  const host = openProject({
    cwd: "/app",
    paths: [...overlay.keys()],
    overlay,
    engineModules: ["@rivet-dev/workflows"],
  });
  const plain = createFactsSource(host);
  const source: FactsSource = order === "as is" ? plain : reversed(plain);
  return solve(source, { catalogue, engineOfModule, defaultEngine: ENGINES.stepproof });
}

/** The same facts with roots, functions, classes and bindings the other way round. */
function reversed(source: FactsSource): FactsSource {
  return {
    roots: [...source.roots].reverse(),
    packageFile: (module, from) => source.packageFile(module, from),
    file(path) {
      const file = source.file(path);
      return (
        file && {
          path: file.path,
          hash: file.hash,
          lineStarts: file.lineStarts,
          module: file.module,
          suppressions: file.suppressions,
          syntaxErrors: file.syntaxErrors,
          exports: file.exports,
          function: (id) => file.function(id),
          class: (id) => file.class(id),
          binding: (id) => file.binding(id),
          outermost: [...file.outermost].reverse(),
          functions: [...file.functions].reverse(),
          classes: [...file.classes].reverse(),
          bindings: [...file.bindings].reverse(),
        }
      );
    },
  };
}

/** What rules see, as text. */
const printed = (analysis: Analysis): string[] =>
  analysis.operations.map((op) =>
    [
      op.kind,
      op.place.file,
      op.place.span.join("-"),
      op.zone,
      ...analysis.routesTo(op).map((route) => route.chain.map((link) => link.label).join(" > ")),
    ].join(" "),
  );

const namesIn = (block: SkeletonBlock): string[] =>
  block.flatMap((node) => {
    if (node.kind === "entry")
      return [
        node.name.map((part) => (typeof part === "string" ? part : "*")).join(""),
        ...node.bodies.flatMap((each) => namesIn(each.body)),
      ];
    if (node.kind === "choice") return node.arms.flatMap(namesIn);
    if (node.kind === "repeat" || node.kind === "inline") return namesIn(node.body);
    return node.kind === "call" ? [`call ${node.to}`] : [];
  });

const MUTUAL = {
  "flow.ts": `import { workflow } from "@rivet-dev/workflows";
import { even } from "./even.js";
export const count = workflow({ state: {}, run: async (ctx) => { await even(ctx, 4); } });`,
  "even.ts": `import { odd } from "./odd.js";
export async function even(ctx, n) { if (n === 0) return; await ctx.step(\`even-\${n}\`, async () => n); await odd(ctx, n - 1); }
export function stamp() { return Date.now(); }`,
  "odd.ts": `import { even, stamp } from "./even.js";
export async function odd(ctx, n) { if (n === 0) return stamp(); await ctx.sleep(\`odd-\${n}\`, 1); await even(ctx, n - 1); }`,
};

describe("solving", () => {
  it("gives the same answer whatever the order of files and functions", () => {
    expect(printed(solved(MUTUAL, "reversed"))).toEqual(printed(solved(MUTUAL)));
  });

  it("ends on functions that call each other, and names the call back", () => {
    const [workflow] = solved(MUTUAL).workflows;
    const skeleton = workflow!.skeleton;
    const all = [skeleton.body, ...Object.values(skeleton.functions)].flatMap(namesIn);
    expect(all).toEqual(expect.arrayContaining(["even-*", "odd-*"]));
    expect(all.some((name) => name.startsWith("call "))).toBe(true);
  });

  it("finds an effect behind mutual recursion, once per line of workflow code, by the shortest way", () => {
    const analysis = solved(MUTUAL);
    const clock = analysis.operations.filter((op) => op.kind === "effect" && op.zone === "workflow");
    expect(clock).toHaveLength(1);
    const [route, ...more] = analysis.routesTo(clock[0]!);
    expect(more).toEqual([]);
    expect(route?.place.file).toBe("/app/odd.ts");
    expect(route?.chain.map((link) => link.label)).toEqual([
      'workflow "count"',
      "calls even()",
      "calls odd()",
      "calls stamp()",
      "Date.now()",
    ]);
  });

  it("ends on contexts and callbacks that nest without bound", () => {
    const { workflows } = solved({
      "flow.ts": `import { workflow } from "@rivet-dev/workflows";
async function nest(ctx, work) { await ctx.loop("inner", async (loop) => { await work(loop); await nest(loop, (c) => work(c)); }); }
export const deep = workflow({ state: {}, run: async (ctx) => { await nest(ctx, (c) => c.step("leaf", async () => 1)); } });`,
    });
    expect(namesIn(workflows[0]!.skeleton.body)).toEqual(expect.arrayContaining(["inner", "leaf"]));
  });

  it("keeps constant names apart by the call that gives them", () => {
    const [workflow] = solved({
      "flow.ts": `import { workflow } from "@rivet-dev/workflows";
const nameOf = (key) => \`charge-\${key}\`;
export const names = workflow({ state: {}, run: async (ctx) => { await ctx.step(nameOf("a"), async () => 1); await ctx.step(nameOf("b"), async () => 1); } });`,
    }).workflows;
    expect(namesIn(workflow!.skeleton.body)).toEqual(["charge-a", "charge-b"]);
  });
});
