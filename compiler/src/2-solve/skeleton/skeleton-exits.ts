import type { SkeletonBlock, SkeletonNode } from "../types.js";

/** `break` to the end of a labelled block or a `switch`, which needs no exit. */
export const LEAVE_BLOCK: SkeletonNode = { kind: "exit", how: "return", depth: -1 };
const isLeave = (node: SkeletonNode): boolean => node.kind === "exit" && node.depth === -1;

export function withoutTailBreaks(block: SkeletonBlock): SkeletonBlock {
  return mapTail(block, (node) => (isLeave(node) ? [] : [node]));
}
export function withoutTailReturns(block: SkeletonBlock): SkeletonBlock {
  return mapTail(block, (node) =>
    node.kind === "exit" && node.how === "return" && node.depth === 0 ? [] : [node],
  );
}
/** A `return` without weight at the very end. */
export function trimmed(block: SkeletonBlock): SkeletonBlock {
  return mapTail(block, (node) => (node.kind === "exit" && node.how === "return" ? [] : [node]));
}

/** Rewrites the exits that nothing follows; behind one that goes, the next to last is the last. */
function mapTail(block: SkeletonBlock, change: (node: SkeletonNode) => SkeletonBlock): SkeletonBlock {
  const at = block.findIndex((node) => node.kind === "exit");
  const live = at < 0 ? block : block.slice(0, at + 1);
  const last = live[live.length - 1];
  if (!last) return live;
  const before = live.slice(0, -1);
  if (last.kind === "exit") {
    const kept = change(last);
    return kept.length === 0 ? mapTail(before, change) : [...before, ...kept];
  }
  if (last.kind !== "choice") return live;
  const arms = last.arms.map((arm) => mapTail(arm, change));
  // What a handler swallows matters even when it does nothing else.
  return arms.every((arm) => arm.length === 0) && last.caught === undefined
    ? mapTail(before, change)
    : [...before, { ...last, arms }];
}

/** What a block has recorded, wherever it was left. */
export function withoutExits(block: SkeletonBlock): SkeletonBlock {
  return block.flatMap((node): SkeletonBlock => {
    if (node.kind === "exit") return [];
    if (node.kind === "choice") return [{ ...node, arms: node.arms.map(withoutExits) }];
    if (node.kind === "repeat" || node.kind === "inline") return [{ ...node, body: withoutExits(node.body) }];
    return [node];
  });
}

/** True when a helper's `return` stands in the block, before its end. */
export function hasReturn(block: SkeletonBlock): boolean {
  return someExit(block, (node) => node.how === "return");
}
/** True when a `break` leaves the block from its middle. */
export const leavesEarly = (block: SkeletonBlock): boolean => someExit(block, isLeave);

type Exit = Extract<SkeletonNode, { kind: "exit" }>;
export function someExit(block: SkeletonBlock, test: (node: Exit) => boolean): boolean {
  return block.some((node) => {
    switch (node.kind) {
      case "exit":
        return test(node);
      case "choice":
        return node.arms.some((arm) => someExit(arm, test));
      case "repeat":
        return someExit(node.body, test);
      case "inline":
      case "entry":
      case "call":
        return false;
    }
  });
}

export const isThrow = (block: SkeletonBlock): boolean =>
  block.length === 1 && block.every((node) => node.kind === "exit" && node.how === "throw");

/** A loop without entries matters only when it can end the function. */
export function matters(block: SkeletonBlock): boolean {
  return block.some((node) => {
    switch (node.kind) {
      case "entry":
      case "call":
        return true;
      case "exit":
        return node.how !== "break" && node.how !== "continue";
      case "choice":
        return node.arms.some(matters);
      case "repeat":
      case "inline":
        return matters(node.body);
    }
  });
}
