import type { Block, StepNode } from "./format.js";
import { keysOf, patternText } from "./names.js";
import type { Gates } from "./old-run.js";
import { canPass } from "./passable.js";
import { isScopeNode, scopesOf } from "./scope-nodes.js";
import { armOfVersion, type EntryNode } from "./walk.js";

type Functions = Readonly<Record<string, Block>>;

const all = new WeakMap<EntryNode, readonly StepNode[]>();
const fresh = new WeakMap<EntryNode, readonly StepNode[]>();

/** Every step that an entry is or holds. */
export function stepsIn(node: EntryNode): readonly StepNode[] {
  const known = all.get(node);
  if (known !== undefined) return known;
  const steps: StepNode[] = [];
  const collect = (block: Block): void => {
    for (const inner of block) {
      if (inner.kind === "step") steps.push(inner);
      else if (inner.kind === "choice") inner.arms.forEach(collect);
      else if (inner.kind === "repeat" || inner.kind === "inline") collect(inner.body);
      else if (inner.kind !== "exit" && inner.kind !== "call" && isScopeNode(inner))
        for (const scope of scopesOf(inner)) collect(scope.body);
    }
  };
  collect([node]);
  all.set(node, steps);
  return steps;
}

/** The steps that the entries of one scope are or hold, by the entry's key; made when first asked for. */
export function stepsByKey(block: Block): (key: string) => readonly StepNode[] {
  let byKey: Map<string, StepNode[]> | null = null;
  const collect = (nodes: Block, into: Map<string, StepNode[]>): void => {
    for (const node of nodes) {
      if (node.kind === "choice") for (const arm of node.arms) collect(arm, into);
      else if (node.kind === "repeat" || node.kind === "inline") collect(node.body, into);
      else if (node.kind !== "exit" && node.kind !== "call") {
        for (const key of keysOf(node.name)) into.set(key, [...(into.get(key) ?? []), ...stepsIn(node)]);
      }
    }
  };
  return (key) => {
    if (byKey === null) collect(block, (byKey = new Map()));
    return byKey.get(key) ?? [];
  };
}

/**
 * The steps that an entry can come to when it starts afresh: gates in it are at their latest version, and
 * nothing behind an endless loop is reached.
 * @param gates versions of the gates around it.
 */
export function stepsWhenFresh(
  node: EntryNode,
  functions: Functions,
  gates: Gates = new Map(),
): readonly StepNode[] {
  const known = gates.size === 0 ? fresh.get(node) : undefined;
  if (known !== undefined) return known;
  const { steps } = reached([node], functions, new Map(gates));
  if (gates.size === 0) fresh.set(node, steps);
  return steps;
}

/** `through`: the end of the block can be come to. */
function reached(
  block: Block,
  functions: Functions,
  versions: Map<string, number>,
): { readonly steps: readonly StepNode[]; readonly through: boolean } {
  const steps: StepNode[] = [];
  for (const node of block) {
    switch (node.kind) {
      case "step":
        steps.push(node);
        break;
      case "version_check":
        if (node.latest !== null) versions.set(patternText(node.name), node.latest);
        break;
      case "choice": {
        const { gate } = node.guard;
        const version = gate === null ? undefined : versions.get(patternText(gate.name));
        const only = gate === null || version === undefined ? null : armOfVersion(gate, version);
        const arms = only === null ? node.arms : [node.arms[only] ?? []];
        const ways = arms.map((arm) => reached(arm, functions, versions));
        for (const way of ways) steps.push(...way.steps);
        if (!ways.some((way) => way.through)) return { steps, through: false };
        break;
      }
      case "repeat":
      case "inline":
        steps.push(...reached(node.body, functions, versions).steps);
        break;
      case "exit":
        return { steps, through: false };
      case "call":
        break;
      default:
        if (isScopeNode(node))
          for (const scope of scopesOf(node)) steps.push(...reached(scope.body, functions, versions).steps);
        if (!canPass(node, functions)) return { steps, through: false };
    }
  }
  return { steps, through: true };
}
