import type { Block, RemovedNode } from "./format.js";
import { keysOf, patternText, withoutTurns } from "./names.js";

/** Keys that the code of a scope declares removed, in any arm and any turn. */
export function declaredRemoved(block: Block): Set<string> {
  const keys = new Set<string>();
  for (const node of removalsIn(block)) for (const key of keysOf(node.name)) keys.add(withoutTurns(key));
  return keys;
}

/** The gates that the code of a scope declares removed: their older versions have drained, says the author. */
export function retiredGates(block: Block): Set<string> {
  const gates = removalsIn(block).filter((node) => node.was === "version_check");
  return new Set(gates.map((node) => patternText(node.name)));
}

/** The `removed` of one scope, in any arm and any turn. */
function removalsIn(block: Block): RemovedNode[] {
  return block.flatMap((node): RemovedNode[] => {
    switch (node.kind) {
      case "removed":
        return [node];
      case "choice":
        return node.arms.flatMap(removalsIn);
      case "repeat":
      case "inline":
        return removalsIn(node.body);
      default:
        return [];
    }
  });
}
