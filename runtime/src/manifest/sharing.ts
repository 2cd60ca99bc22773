import type { Block, ChoiceNode, ManifestNode } from "./format.js";
import { patternText } from "./names.js";
import { canPass } from "./passable.js";

/*
 * Guards that did not change need not be combined with each other: an arm that both versions have at
 * the same guard behaves as a whole, and a refusal involves two entries at most. So each of them is
 * tried with its fullest arm. Left alone: choices with exits or with what never ends, those of
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
  const isUnchanged = unchangedChoices(old, now, functions);
  return { old: slim(old, isUnchanged), new: slim(now, isUnchanged) };
}

/** Tells of a choice of either version whether both have it just so, and nothing else in the scope has to do with it. */
export function unchangedChoices(
  old: Block,
  now: Block,
  functions: Readonly<Record<string, Block>>,
): (choice: ChoiceNode) => boolean {
  if (hasGate(now)) return () => false;
  const there = countTexts(choices(now));
  const here = countTexts(choices(old));
  const names = nameCounts(old, nameCounts(now, new Map()));
  return (choice) => {
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
}

function slim(block: Block, unchanged: (choice: ChoiceNode) => boolean): Block {
  return block.flatMap((node): readonly ManifestNode[] => {
    switch (node.kind) {
      case "choice":
        return unchanged(node)
          ? slim(node.arms[fullestArm(node.arms)] ?? [], unchanged)
          : [{ ...node, arms: node.arms.map((arm) => slim(arm, unchanged)) }];
      case "repeat":
      case "inline":
        return [{ ...node, body: slim(node.body, unchanged) }];
      default:
        return [node];
    }
  });
}

/** Which arm has the most entries, of those with a step if there are any: only a step asks what was not visited. */
export function fullestArm(arms: readonly Block[]): number {
  const withStep = arms.map(hasStep);
  const some = withStep.includes(true);
  const sizes = arms.map((arm, at) => (withStep[at] === some ? mostEntries(arm) : -1));
  return sizes.indexOf(Math.max(...sizes));
}

/** The entries of a block, each choice in it with its fullest arm. */
export function mostEntries(block: Block): number {
  return block.reduce((sum, node) => {
    if (node.kind === "choice") return sum + Math.max(...node.arms.map(mostEntries));
    return sum + (node.kind === "inline" || node.kind === "repeat" ? mostEntries(node.body) : 1);
  }, 0);
}

function hasStep(block: Block): boolean {
  return block.some((node) => {
    if (node.kind === "choice") return node.arms.some(hasStep);
    if (node.kind === "inline" || node.kind === "repeat") return hasStep(node.body);
    return node.kind === "step";
  });
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
