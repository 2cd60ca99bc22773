import type { Block, BranchesNode, LoopNode, TryNode } from "./format.js";
import { patternText } from "./names.js";
import type { EntryNode } from "./walk.js";

/** Entries that open scopes. */
export type ScopeNode = LoopNode | TryNode | BranchesNode;

/** True for entries that open scopes. */
export function isScopeNode(node: EntryNode | null): node is ScopeNode {
  return (
    node !== null &&
    (node.kind === "loop" || node.kind === "try" || node.kind === "join" || node.kind === "race")
  );
}

/** The scopes that a node opens: a loop's iteration and a try block have the name "". */
export function scopesOf(node: ScopeNode): readonly { readonly name: string; readonly body: Block }[] {
  return "branches" in node
    ? node.branches.map((branch) => ({ name: patternText(branch.name), body: branch.body }))
    : [{ name: "", body: node.body }];
}
