import type { Skeleton, SkeletonBlock } from "../types.js";

/** Statements of a workflow that record an entry, each counted once however many calls lead to it. */
export function countEntries(skeleton: Skeleton): number {
  const places = new Set<string>();
  const walk = (block: SkeletonBlock): void => {
    for (const node of block) {
      if (node.kind === "entry") {
        places.add(`${node.op.place.file}:${node.op.place.span[0]}`);
        for (const body of node.bodies) walk(body.body);
      } else if (node.kind === "choice") node.arms.forEach(walk);
      else if (node.kind === "repeat" || node.kind === "inline") walk(node.body);
    }
  };
  [skeleton.body, ...Object.values(skeleton.functions)].forEach(walk);
  return places.size;
}
