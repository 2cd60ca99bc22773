import type { Skeleton, SkeletonBlock, SkeletonEntry } from "../../2-solve/types.js";

/** A gate, and the finished scope before it whose entries the engine would count (design §4.7). */
export interface LateGate {
  readonly gate: SkeletonEntry;
  readonly after: SkeletonEntry;
}

/** Gates with more than one version that follow a loop, join or race of their own scope. */
export function lateGates(skeleton: Skeleton): LateGate[] {
  const found: LateGate[] = [];
  walk(skeleton.body, null, found);
  for (const body of Object.values(skeleton.functions)) walk(body, null, found);
  return found;
}

/** @returns the scope that has finished by the end of the block, if any. */
function walk(block: SkeletonBlock, before: SkeletonEntry | null, found: LateGate[]): SkeletonEntry | null {
  let finished = before;
  for (const node of block) {
    if (node.kind === "entry") {
      for (const { body } of node.bodies) walk(body, null, found);
      if (node.op.method === "getVersion" && finished && hasOlderArm(node))
        found.push({ gate: node, after: finished });
      if (FINISHES.has(node.op.method) && node.bodies.some(({ body }) => body.length > 0)) finished = node;
    } else if (node.kind === "choice") {
      const ends = node.arms.map((arm) => walk(arm, finished, found));
      finished = ends.find((end) => end !== null) ?? null;
    } else if (node.kind === "repeat" || node.kind === "inline") {
      finished = walk(node.body, finished, found);
    }
  }
  return finished;
}

/** With `latest` 1 the gate gives 1 in any case. */
function hasOlderArm(gate: SkeletonEntry): boolean {
  return (
    gate.op.options["latest"]?.constants?.some((latest) => typeof latest === "number" && latest > 1) ?? false
  );
}

const FINISHES: ReadonlySet<SkeletonEntry["op"]["method"]> = new Set(["loop", "join", "race"]);
