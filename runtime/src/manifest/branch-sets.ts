import { patternText } from "./names.js";
import { branchKeys, type RecordedItem } from "./recorded.js";
import type { EntryNode } from "./walk.js";

type BranchesNode = Extract<EntryNode, { kind: "join" | "race" }>;

/** How a set of branches differs from the recorded one. */
export interface BranchSetChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** True when it hangs on data whether the sets differ. */
  readonly maybe: boolean;
}

/** What the engine would refuse of `node` on its recorded entry; `null` = the sets are the same. */
export function changedBranches(item: RecordedItem, node: BranchesNode): BranchSetChange | null {
  const now = branchKeys(node);
  const then = item.branches;
  if (now === null || then === null) {
    // A set that is built from data: refused only when the code that builds it is another.
    const same = item.node === null || (sameNames(item.node, node) && builtAlike(item.node, node));
    return same ? null : { added: [], removed: [], maybe: true };
  }
  const added = now.filter((branch) => !then.includes(branch));
  const removed = then.filter((branch) => !now.includes(branch));
  if (added.length === 0 && removed.length === 0) {
    const same = item.node === null || builtAlike(item.node, node);
    return same ? null : { added, removed, maybe: true };
  }
  const maybe = [...now, ...then].some((branch) => branch.includes("${"));
  return { added, removed, maybe };
}

function sameNames(then: EntryNode, now: BranchesNode): boolean {
  const names = (node: EntryNode): string =>
    node.kind === "join" || node.kind === "race"
      ? JSON.stringify([node.open, node.branches.map((branch) => patternText(branch.name))])
      : "";
  return names(then) === names(now);
}

/** True when both build the names of their branches in the same way. */
export function builtAlike(then: EntryNode, now: BranchesNode): boolean {
  if (then.kind !== "join" && then.kind !== "race") return true;
  if (then.reads === undefined && now.reads === undefined) return true;
  const ways = now.reads?.ways ?? [];
  return ways.length > 0 && JSON.stringify(ways) === JSON.stringify(then.reads?.ways);
}
