/** Short ways to write manifests in tests. Names with `${…}` become patterns with a hole. */
import { hash64 } from "../hash.js";
import {
  MANIFEST_FORMAT_VERSION,
  type Block,
  type BranchesNode,
  type ChoiceNode,
  type EngineName,
  type ExitNode,
  type LoopNode,
  type Manifest,
  type ManifestNode,
  type MessageNode,
  type NamePattern,
  type RepeatNode,
  type StepNode,
  type TryNode,
  type WorkflowManifest,
} from "../format.js";

/** `item-${i}` → `["item-", { hole: "i", perIteration: true }]`; a hole `=x` does not change per turn. */
export function pattern(text: string): NamePattern {
  const parts = text.split(/\$\{([^}]*)\}/);
  return parts.flatMap((part, index): NamePattern => {
    if (index % 2 === 1) return [{ hole: part.replace(/^=/, ""), perIteration: !part.startsWith("=") }];
    return part === "" && parts.length > 1 ? [] : [part];
  });
}

export const step = (name: string, more: Partial<StepNode> = {}): StepNode => ({
  kind: "step",
  name: pattern(name),
  outputType: "void",
  outputUsed: false,
  body: `body of ${name}`,
  options: {},
  catches: null,
  rollback: false,
  ...more,
});
export const sleep = (name: string): ManifestNode => ({ kind: "sleep", name: pattern(name) });
export const message = (name: string, more: Partial<MessageNode> = {}): MessageNode => ({
  kind: "message",
  name: pattern(name),
  method: "next",
  timeout: "no",
  count: 1,
  completable: false,
  queues: null,
  ...more,
});
export const loop = (name: string, body: Block, more: Partial<LoopNode> = {}): LoopNode => ({
  kind: "loop",
  name: pattern(name),
  stateType: null,
  pruneInterval: null,
  body,
  ...more,
});
export const tryBlock = (name: string, body: Block): TryNode => ({
  kind: "try",
  name: pattern(name),
  catches: null,
  body,
});
const branches =
  (kind: "join" | "race") =>
  (name: string, bodies: Readonly<Record<string, Block>>): BranchesNode => ({
    kind,
    name: pattern(name),
    open: false,
    branches: Object.entries(bodies).map(([branch, body]) => ({ name: [branch], body })),
  });
export const join = branches("join");
export const race = branches("race");
export const checkpoint = (name: string): ManifestNode => ({ kind: "rollback_checkpoint", name: [name] });
export const removed = (name: string, was: string): ManifestNode => ({
  kind: "removed",
  name: pattern(name),
  was,
});
export const version = (name: string, latest: number): ManifestNode => ({
  kind: "version_check",
  name: [name],
  latest,
});
/** `if (text) { then } else { otherwise }` on recorded data. */
export const when = (text: string, then: Block, otherwise: Block = []): ChoiceNode => ({
  kind: "choice",
  guard: { text, source: "recorded", gate: null },
  arms: [then, otherwise],
});
/** `if (version >= from) { then } else { otherwise }`. */
export const atLeast = (gate: string, from: number, then: Block, otherwise: Block = []): ChoiceNode => ({
  kind: "choice",
  guard: {
    text: `gate ${gate} >= ${from}`,
    source: "gate",
    gate: {
      name: [gate],
      arms: [
        { from, to: null },
        { from: 1, to: from - 1 },
      ],
    },
  },
  arms: [then, otherwise],
});
export const times = (count: number, text: string, body: Block): RepeatNode => ({
  kind: "repeat",
  guard: { text, source: "constant", gate: null },
  times: count,
  body,
});
export const each = (text: string, body: Block): RepeatNode => ({
  kind: "repeat",
  guard: { text, source: "recorded", gate: null },
  times: null,
  body,
});
export const exit = (how: ExitNode["how"], depth = 0): ExitNode => ({ kind: "exit", how, depth });

export function workflow(body: Block, more: Partial<WorkflowManifest> = {}): WorkflowManifest {
  return {
    name: "order",
    file: "src/order.ts",
    engine: "stepproof",
    hash: hash64(JSON.stringify([body, more])),
    body,
    functions: {},
    stateType: null,
    queues: {},
    ...more,
  };
}

/** A manifest with one workflow, `order`, of that body. */
export function manifest(body: Block, more: Partial<WorkflowManifest> = {}): Manifest {
  const made = workflow(body, more);
  return { formatVersion: MANIFEST_FORMAT_VERSION, tool: "test", workflows: { [made.name]: made } };
}

export type { EngineName };
