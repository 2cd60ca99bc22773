import { expect, test } from "vitest";
import type { Block, ChoiceNode, ManifestNode, NamePattern } from "../../../runtime/src/manifest/index.js";
import { withGateNames } from "./gate-names.js";

const open: NamePattern = ["gate-", { hole: "v1", perIteration: true }];
const known: NamePattern = ["gate-", { hole: "v1", perIteration: true, values: ["0", "1"] }];
const gate: ManifestNode = { kind: "version_check", name: known, latest: 2 };
const test2 = (arm: Block = []): ChoiceNode => ({
  kind: "choice",
  guard: {
    text: "v1 >= 2",
    source: "gate",
    gate: {
      name: open,
      arms: [
        { from: 2, to: null },
        { from: 1, to: 1 },
      ],
    },
  },
  arms: [arm, [{ kind: "sleep", name: ["old"] }]],
});
const repeat = (body: Block): ManifestNode => ({
  kind: "repeat",
  guard: { text: "v1 < 2", source: "constant", gate: null },
  times: 2,
  body,
});
const namesIn = (block: Block): (NamePattern | undefined)[] =>
  block.flatMap((node) => {
    if (node.kind === "choice") return [node.guard.gate?.name, ...node.arms.flatMap(namesIn)];
    return "body" in node && Array.isArray(node.body) ? namesIn(node.body as Block) : [];
  });

test("a test of a gate in the same turn of a native loop names it as the gate does", () => {
  expect(namesIn(withGateNames([repeat([gate, test2([test2()])])]))).toEqual([known, known]);
});

test("in another loop or scope the turn is another: the name stays open", () => {
  const loop: ManifestNode = {
    kind: "loop",
    name: ["l"],
    stateType: null,
    pruneInterval: null,
    body: [test2()],
  };
  expect(namesIn(withGateNames([repeat([gate, repeat([test2()]), loop])]))).toEqual([open, open]);
  expect(namesIn(withGateNames([repeat([gate]), test2()]))).toEqual([open]);
});
