import { describe, expect, it } from "vitest";
import { createFactsSource } from "../1-collect/facts-source.js";
import { BUILT_IN_ROWS, createCatalogue } from "../catalogue/index.js";
import { ENGINES, engineOfModule } from "../engines/index.js";
import { openProject } from "../host/open-project.js";
import { solve } from "./solve.js";
import type { Analysis } from "./types.js";

const catalogue = createCatalogue(BUILT_IN_ROWS);

function solved(files: Readonly<Record<string, string>>): Analysis {
  const overlay = new Map(Object.entries(files).map(([name, text]) => [`/app/${name}`, text]));
  const host = openProject({
    cwd: "/app",
    paths: [...overlay.keys()],
    overlay,
    engineModules: ["@rivet-dev/workflows"],
  });
  return solve(createFactsSource(host), { catalogue, engineOfModule, defaultEngine: ENGINES.stepproof });
}

const FLOW = `
  import { workflow } from "@rivet-dev/workflows";
  export const flow = workflow({ run: async (ctx) => { await ctx.step("a", async () => 1); Math.random(); } });
`;

/** What must come out of every program that holds FLOW, whatever stands beside it. */
function expectWhole(analysis: Analysis): void {
  expect(analysis.unfinished).toEqual([]);
  expect(analysis.workflows.map(({ name }) => name)).toContain("flow");
  expect(analysis.operations.some((op) => op.kind === "effect" && op.what === "Math.random()")).toBe(true);
}

const many = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join("\n");

describe("values that could grow for ever come to an end", () => {
  it("more texts than are kept apart, handed round in a circle", () => {
    const texts = many(
      40,
      (n) => `export function text${n}(x: any) { box.value = \`part ${n} \${x}\`; return text(box.value); }`,
    );
    expectWhole(
      solved({
        "flow.ts": `${FLOW}
          const box: any = { value: "" };
          function text(x: any): any { ${many(40, (n) => `if (x === ${n}) return text${n}(x);`)} return x; }
          ${texts}
          text(box);`,
      }),
    );
  });

  it("a walk from member to member of something that is not known", () => {
    expectWhole(
      solved({
        "flow.ts": `${FLOW}
          import * as tree from "some-tree";
          function deepest(node: any): any { let at = node; while (at) at = at.next ?? at.left.right; return deepest(at.up); }
          deepest("text"); deepest(1); deepest(new Date()); deepest(tree); deepest(process);`,
      }),
    );
  });

  it("functions bound to themselves, and texts that grow in a loop", () => {
    expectWhole(
      solved({
        "flow.ts": `${FLOW}
          let f: any = (...a: any[]) => a; let s = "a"; let o: any = {};
          export function again(): any {
            f = f.bind(null, f); f = f.call; s = s + "b" + s; o = { o, f }; o = [o, ...o.o];
            return again();
          }
          again();`,
      }),
    );
  });
});

describe("the work is bounded by counts", () => {
  /** Functions that hand closures to each other: apart, there would be thousands of millions of ways. */
  const tangle = (name: string, size: number): string =>
    many(
      size,
      (n) =>
        `function ${name}${n}(f: any, g: any): any { const h = (x: any) => f(g(x)); return [${[1, 2, 3]
          .map((step) => `${name}${(n * 3 + step) % size}(h, ${step % 2 ? "f" : "() => g(h)"})`)
          .join(", ")}]; }`,
    );

  it("a function is told apart by its closures only as often as a program of that size allows", () => {
    const analysis = solved({
      "flow.ts": `${FLOW}\n${tangle("mix", 12)}\nmix0(() => 1, () => 2);`,
    });
    expectWhole(analysis);
    expect(analysis.activations.length).toBeLessThan(6_000);
  });

  it("what is left out of a program that is far too big is told, and its workflows are found all the same", () => {
    const analysis = solved({
      "a.ts": `import "@rivet-dev/workflows";\n${tangle("mix", 700)}\nmix0(() => 1, () => 2);`,
      "flow.ts": FLOW,
    });
    expect(analysis.unfinished).toEqual(["start"]);
    expect(analysis.workflows.map(({ name }) => name)).toEqual(["flow"]);
    expect(analysis.operations.some((op) => op.kind === "effect" && op.what === "Math.random()")).toBe(true);
  });
});
