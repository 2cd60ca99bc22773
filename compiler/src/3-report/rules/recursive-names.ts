import type { Skeleton, SkeletonBlock, SkeletonEntry } from "../../2-solve/types.js";
import { blocksOf } from "./skeleton-blocks.js";

/**
 * Entries with a fixed name in a function that calls itself in the same scope, on one path with that call:
 * the inner call records the name that the outer one has recorded, or will record. Names with several holes may carry
 * the depth, so they are left alone.
 */
export function repeatedByRecursion(skeleton: Skeleton): SkeletonEntry[] {
  const found = new Set<SkeletonEntry>();
  for (const [name, body] of Object.entries(skeleton.functions)) {
    const comesBack = (to: string): boolean => reaches(skeleton.functions, to, name, new Set());
    walk(body, [], comesBack, found);
  }
  return [...found];
}

/** @returns the entries that lie behind on the way through the block, or `null` when no path leads out of it. */
function walk(
  block: SkeletonBlock,
  before: readonly SkeletonEntry[],
  comesBack: (to: string) => boolean,
  found: Set<SkeletonEntry>,
): readonly SkeletonEntry[] | null {
  let behind = before;
  let called = false;
  for (const node of block) {
    if (node.kind === "exit") return null;
    if (node.kind === "entry") {
      if (!isFixed(node)) continue;
      if (called) found.add(node);
      behind = [...behind, node];
    } else if (node.kind === "call") {
      if (!comesBack(node.to)) continue;
      called = true;
      for (const entry of behind) found.add(entry);
    } else {
      const ends = blocksOf(node).map((inner) => walk(inner, behind, comesBack, found));
      called ||= blocksOf(node).some((inner, index) => ends[index] !== null && hasCall(inner, comesBack));
      const open = ends.filter((end) => end !== null);
      if (open.length === 0 && node.kind === "choice") return null;
      behind = [...new Set([...behind, ...open.flat()])];
    }
  }
  return behind;
}

/** A name without holes, or with one that is the same recorded value in every call: `` `try-${order.id}` ``. */
function isFixed({ name, op }: SkeletonEntry): boolean {
  if (op.method === "try") return false;
  const holes = name.filter((part) => typeof part !== "string");
  if (holes.length === 0) return true;
  const [site, ...more] = op.name.source === "recorded" ? op.name.entries : [];
  return holes.length === 1 && site !== undefined && more.length === 0 && !site.path.includes("[]");
}

function hasCall(block: SkeletonBlock, comesBack: (to: string) => boolean): boolean {
  return block.some((node) => {
    if (node.kind === "call") return comesBack(node.to);
    // A call in a scope inside uses the names of that scope.
    return node.kind !== "entry" && blocksOf(node).some((inner) => hasCall(inner, comesBack));
  });
}

function reaches(functions: Skeleton["functions"], from: string, goal: string, seen: Set<string>): boolean {
  if (from === goal) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return calls(functions[from] ?? []).some((to) => reaches(functions, to, goal, seen));
}

function calls(block: SkeletonBlock): string[] {
  return block.flatMap((node) => {
    if (node.kind === "call") return [node.to];
    return node.kind === "entry" ? [] : blocksOf(node).flatMap(calls);
  });
}
