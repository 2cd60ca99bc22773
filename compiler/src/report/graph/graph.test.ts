import { describe, expect, it } from "vitest";
import type { Block, Manifest, ManifestNode } from "../../../../runtime/src/manifest/format.js";
import { buildGraphs, GRAPH_FORMATS } from "./index.js";

const step = (name: string): ManifestNode => ({
  kind: "step",
  name: [name],
  outputType: null,
  outputUsed: true,
  body: "b",
  options: {},
  catches: null,
  rollback: false,
});

const BODY: Block = [
  step("authorize"),
  {
    kind: "choice",
    guard: { text: "amount > 500", source: "recorded", gate: null },
    arms: [[step("review")], [{ kind: "exit", how: "return", depth: 0 }]],
  },
  {
    kind: "join",
    name: ["fan"],
    open: false,
    branches: [
      { name: ["users"], body: [step("fetch-users")] },
      { name: ["orders"], body: [step("fetch-orders")] },
    ],
  },
  {
    kind: "loop",
    name: ["poll"],
    stateType: null,
    pruneInterval: null,
    body: [{ kind: "sleep", name: ["pause"] }],
  },
] as Block;

function manifest(body: Block, name = "order"): Manifest {
  return {
    formatVersion: 1,
    tool: "t",
    workflows: {
      [name]: {
        name,
        file: "src/order.ts",
        engine: "stepproof",
        hash: "",
        body,
        functions: {},
        stateType: null,
        queues: {},
      },
    },
  };
}

describe("the picture of a workflow", () => {
  const [graph] = buildGraphs(manifest(BODY), null, null);

  it("holds every node once, in reading order", () => {
    expect(graph?.items.map((item) => item.title)).toEqual([
      "step authorize",
      "amount > 500",
      "join fan",
      "loop poll",
    ]);
    expect(graph?.items[2]?.lanes.map((lane) => lane.label)).toEqual(["users", "orders"]);
  });

  it("as Mermaid draws arms, branches and the way back of a loop", () => {
    const text = GRAPH_FORMATS.mermaid(graph ? [graph] : []);
    expect(text).toContain('w0_n2{"amount #62; 500"}');
    expect(text).toMatch(/w0_n2 -->\|"yes"\| w0_n3/);
    expect(text).toMatch(/w0_n4 --> w0_end/);
    expect(text).toMatch(/w0_n\d+ -.-> w0_n\d+/);
    expect(text).not.toContain("undefined");
  });

  it("has no arrow to a node that is not drawn", () => {
    const text = GRAPH_FORMATS.dot(graph ? [graph] : []);
    const drawn = new Set([...text.matchAll(/^\s*(w0_\w+) \[label/gm)].map((match) => match[1]));
    const ends = [...text.matchAll(/^\s*(w0_\w+) -> (w0_\w+)/gm)].flatMap((match) => [match[1], match[2]]);
    expect(ends.length).toBeGreaterThan(8);
    expect(ends.filter((end) => !drawn.has(end))).toEqual([]);
  });

  it.each(Object.entries(GRAPH_FORMATS))("as %s keeps hostile names as text", (format, render) => {
    const name = `a"]; x --> y <script>alert(1)</script>\n\u0000 & #quot; \\`;
    const text = render(buildGraphs(manifest([step(name)], "<b>'\"wf"), null, null));
    // Graphviz escapes markup itself; what must not happen is that a name ends its quotes.
    if (format !== "dot") expect(text).not.toContain("<script>");
    expect(text).not.toMatch(/(?<!\\)"\]; x/);
    expect(text).not.toContain("\u0000");
  });
});

describe("two versions in one picture", () => {
  const before = manifest([step("a"), step("b"), step("c")]);
  const after = manifest([step("a"), step("x"), step("c")]);

  it("mark what came and what is gone, in its place", () => {
    const [graph] = buildGraphs(after, before, null);
    expect(graph?.items.map((item) => `${item.mark} ${item.title}`)).toEqual([
      "same step a",
      "removed step b",
      "added step x",
      "same step c",
    ]);
  });
  it("mark nothing when they are equal", () => {
    const marks = JSON.stringify(buildGraphs(manifest(BODY), manifest(BODY), null));
    expect(marks).not.toMatch(/added|removed/);
  });
  it("mark a branch that is gone", () => {
    const join = (names: string[]): ManifestNode => ({
      kind: "join",
      name: ["fan"],
      open: false,
      branches: names.map((name) => ({ name: [name], body: [step(name)] })),
    });
    const [graph] = buildGraphs(manifest([join(["u", "o"])]), manifest([join(["u", "i"])]), null);
    const lanes = graph?.items[0]?.lanes.map(
      (lane) => `${lane.label} ${lane.items.map((item) => item.mark).join()}`,
    );
    expect(lanes).toEqual(["u same", "o added", "i removed"]);
  });
  it("mark a whole workflow that is new or gone", () => {
    const graphs = buildGraphs(manifest([], "new"), manifest([], "old"), null);
    expect(graphs.map((graph) => `${graph.name} ${graph.mark}`)).toEqual(["new added", "old removed"]);
  });
});
