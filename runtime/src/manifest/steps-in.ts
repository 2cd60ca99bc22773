import { isScopeNode, scopesOf } from "./scope-nodes.js";
import type { Block, GateTest, StepNode } from "./format.js";
import { patternText } from "./names.js";
import type { Gates } from "./old-run.js";
import { armOfVersion, type EntryNode } from "./walk.js";

const all = new WeakMap<EntryNode, readonly StepNode[]>();
const latest = new WeakMap<EntryNode, readonly StepNode[]>();

/** Every step that an entry is or holds. */
export function stepsIn(node: EntryNode): readonly StepNode[] {
  return known(all, node, () => null);
}

/**
 * The steps that an entry can run when it starts afresh: gates in it are at their latest version.
 * @param gates versions of the gates around it.
 */
export function stepsWhenFresh(node: EntryNode, gates: Gates = new Map()): readonly StepNode[] {
  const versions = new Map(gates);
  return known(
    gates.size === 0 ? latest : null,
    node,
    (gate) => versions.get(patternText(gate.name)) ?? null,
    versions,
  );
}

function known(
  cache: WeakMap<EntryNode, readonly StepNode[]> | null,
  node: EntryNode,
  versionOf: (gate: GateTest) => number | null,
  versions?: Map<string, number>,
): readonly StepNode[] {
  const kept = cache?.get(node);
  if (kept !== undefined) return kept;
  const steps = collect([node], versionOf, versions);
  cache?.set(node, steps);
  return steps;
}

function collect(
  block: Block,
  versionOf: (gate: GateTest) => number | null,
  versions: Map<string, number> | undefined,
): StepNode[] {
  return block.flatMap((node): StepNode[] => {
    switch (node.kind) {
      case "step":
        return [node];
      case "version_check":
        if (node.latest !== null) versions?.set(patternText(node.name), node.latest);
        return [];
      case "choice": {
        const { gate } = node.guard;
        const version = gate === null ? null : versionOf(gate);
        const arms =
          gate === null || version === null
            ? node.arms
            : node.arms.slice(armOfVersion(gate, version), armOfVersion(gate, version) + 1);
        return arms.flatMap((arm) => collect(arm, versionOf, versions));
      }
      case "repeat":
      case "inline":
        return collect(node.body, versionOf, versions);
      case "exit":
      case "call":
        return [];
      default:
        return isScopeNode(node)
          ? scopesOf(node).flatMap((scope) => collect(scope.body, versionOf, versions))
          : [];
    }
  });
}
