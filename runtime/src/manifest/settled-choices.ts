import type { Block, ChoiceNode } from "./format.js";
import { patternText } from "./names.js";
import type { ReplayFlags } from "./replay-flags.js";
import { isScopeNode } from "./scope-nodes.js";
import { fullestArm, mostEntries, unchangedChoices } from "./sharing.js";
import { isEntry } from "./sites.js";
import { stepsIn } from "./steps-in.js";

/*
 * A refusal involves two entries at most: one that is recorded and not visited, and the new step (or the end) that
 * asks for it. So choices that both versions have alike need not be combined with each other: each is tried with its
 * fullest arm, which can be either of the two, and, for the smallest history, with its emptiest one. Left alone are
 * arms with scopes in them, choices that a native loop or an error comes to, and steps that may be silently run again
 * elsewhere: then it matters which they are.
 */

/** The arm that a choice takes. */
export type SettledArms = ReadonlyMap<ChoiceNode, number>;

/** The ways to settle the choices of the old code that both versions have alike: one at least. */
export function settledArms(
  old: Block,
  now: Block,
  functions: Readonly<Record<string, Block>>,
  flags: ReplayFlags,
): SettledArms[] {
  const plain = plainChoices(old);
  if (plain.length < 2) return [new Map()];
  const isUnchanged = unchangedChoices(old, now, functions);
  // A new step of the scope itself is refused, whatever it does.
  const others = countSteps(now, flags.newStepNeedsVisitedSiblings);
  const isPlain = (choice: ChoiceNode): boolean => {
    const own = countSteps([choice], flags.newStepNeedsVisitedSiblings);
    const all = countSteps([choice], false);
    return !choice.arms.some(hasScope) && [...all.keys()].every((step) => others.get(step) === own.get(step));
  };
  const found = plain.filter((choice) => isUnchanged(choice) && isPlain(choice));
  if (found.length < 2) return [new Map()];
  return [emptiestArm, fullestArm].map((pick) => new Map(found.map((choice) => [choice, pick(choice.arms)])));
}

/** Choices that a run comes to once and in which no error is caught. */
function plainChoices(block: Block): ChoiceNode[] {
  return block.flatMap((node): ChoiceNode[] => {
    if (node.kind === "inline") return plainChoices(node.body);
    if (node.kind !== "choice" || node.caught === true) return [];
    return [node, ...node.arms.flatMap(plainChoices)];
  });
}

function hasScope(block: Block): boolean {
  return block.some((node) => {
    if (node.kind === "choice") return node.arms.some(hasScope);
    if (node.kind === "inline") return hasScope(node.body);
    return node.kind === "repeat" || (isEntry(node) && isScopeNode(node));
  });
}

/** How often a step of that name, and one of that body, is written; `inner`: in the scopes of this scope only. */
function countSteps(block: Block, inner: boolean): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (nodes: Block): void => {
    for (const node of nodes) {
      if (node.kind === "choice") node.arms.forEach(count);
      else if (node.kind === "repeat" || node.kind === "inline") count(node.body);
      else if (isEntry(node) && !(inner && node.kind === "step"))
        for (const { name, body } of stepsIn(node))
          for (const key of [`name ${patternText(name)}`, `body ${body}`])
            counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  };
  count(block);
  return counts;
}

function emptiestArm(arms: readonly Block[]): number {
  const sizes = arms.map(mostEntries);
  return sizes.indexOf(Math.min(...sizes));
}
