import type { Block, ChoiceNode, ManifestNode } from "./format.js";
import { patternText } from "./names.js";
import { canPass } from "./passable.js";

/*
 * Guards that did not change need not be combined with each other: an arm that both versions have at
 * the same guard behaves as a whole, and a refusal involves two entries at most. So each of them is
 * tried with the arm that records most. Left alone: choices with exits or with what never ends, those of
 * gates, and choices whose names occur elsewhere in the scope; and everything when the new code asks a gate, since a gate
 * asks whether anything at all is unvisited.
 */

/** A scope with so few choices is taken as it is. */
const FEW = 5;

/** Both versions of a scope, without the combinations that can't matter. */
export function shared(
  old: Block,
  now: Block,
  functions: Readonly<Record<string, Block>>,
): { readonly old: Block; readonly new: Block } {
  if (choices(old).length <= FEW && choices(now).length <= FEW) return { old, new: now };
  if (hasGate(now)) return { old, new: now };
  const there = countTexts(choices(now));
  const here = countTexts(choices(old));
  const names = nameCounts(old, nameCounts(now, new Map()));
  const unchanged = (choice: ChoiceNode): boolean => {
    const text = JSON.stringify(choice);
    const count = here.get(text);
    if (count === undefined || count !== there.get(text)) return false;
    if (choice.guard.source === "gate" || choice.caught === true) return false;
    // Versions of gates around decide what it asks; or nobody knows.
    if (choice.guard.reads !== undefined && choice.guard.reads.ways.length !== 1) return false;
    if (hasExit(choice.arms.flat(), functions)) return false;
    const own = nameCounts([choice], new Map());
    return [...own].every(([name, uses]) => names.get(name) === uses * 2 * count);
  };
  return { old: slim(old, unchanged), new: slim(now, unchanged) };
}

function slim(block: Block, unchanged: (choice: ChoiceNode) => boolean): Block {
  return block.flatMap((node): readonly ManifestNode[] => {
    switch (node.kind) {
      case "choice":
        return unchanged(node)
          ? slim(fullest(node.arms), unchanged)
          : [{ ...node, arms: node.arms.map((arm) => slim(arm, unchanged)) }];
      case "repeat":
      case "inline":
        return [{ ...node, body: slim(node.body, unchanged) }];
      default:
        return [node];
    }
  });
}

/** The arm with the most entries. */
function fullest(arms: readonly Block[]): Block {
  let best: Block = [];
  let most = -1;
  for (const arm of arms) {
    const size = [...nameCounts(arm, new Map()).values()].reduce((sum, uses) => sum + uses, 0);
    if (size > most) [best, most] = [arm, size];
  }
  return best;
}

function choices(block: Block): ChoiceNode[] {
  return block.flatMap((node): ChoiceNode[] => {
    if (node.kind === "choice") return [node, ...node.arms.flatMap(choices)];
    return node.kind === "repeat" || node.kind === "inline" ? choices(node.body) : [];
  });
}

function countTexts(nodes: readonly ChoiceNode[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    const text = JSON.stringify(node);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

/** True when control may not come to the block's end. */
function hasExit(block: Block, functions: Readonly<Record<string, Block>>): boolean {
  return block.some((node) => {
    switch (node.kind) {
      case "exit":
      case "call":
        return true;
      case "choice":
        return node.arms.some((arm) => hasExit(arm, functions));
      case "repeat":
        return (node.guard.source === "constant" && node.times === null) || hasExit(node.body, functions);
      case "inline":
        return hasExit(node.body, functions);
      default:
        return !canPass(node, functions);
    }
  });
}

function hasGate(block: Block): boolean {
  return block.some((node) => {
    if (node.kind === "version_check") return true;
    if (node.kind === "choice") return node.arms.some(hasGate);
    return (node.kind === "repeat" || node.kind === "inline") && hasGate(node.body);
  });
}

/** How often each name is written in this scope; adds to `counts` and gives it back. */
export function nameCounts(block: Block, counts: Map<string, number>): Map<string, number> {
  for (const node of block) {
    if (node.kind === "choice") node.arms.forEach((arm) => nameCounts(arm, counts));
    else if (node.kind === "repeat" || node.kind === "inline") nameCounts(node.body, counts);
    else if (node.kind !== "exit" && node.kind !== "call") {
      const name = patternText(node.name);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}
