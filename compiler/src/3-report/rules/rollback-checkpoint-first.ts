import type { Finding, Rule, SkeletonBlock, SkeletonEntry } from "../../2-solve/types.js";
import { reportInside } from "./report-inside.js";

/** A step with a rollback handler needs a checkpoint before it, on every path, in its scope or around it. */
export const rollbackCheckpointFirst: Rule = (analysis, report) => {
  for (const { skeleton } of analysis.workflows)
    walk(skeleton.body, false, (step, inChild) => {
      const handler = step.op.options["rollback"];
      reportInside(
        analysis,
        step.op,
        handler?.place ?? step.op.place,
        report,
        (): Pick<Finding, "message" | "help"> & { rule: "rollback-checkpoint-first" } => ({
          rule: "rollback-checkpoint-first",
          message: inChild
            ? "The only rollback checkpoint before this step was set in a scope inside and does not cover it: the step is refused when it starts"
            : "No rollback checkpoint stands before this step on every path: the step is refused when it starts",
          help: "Call `await ctx.rollbackCheckpoint(name)` on this scope's context before the first step that has a `rollback`.",
        }),
      );
    });
};

type Found = (step: SkeletonEntry, checkpointInChild: boolean) => void;

/**
 * @param returned takes the states in which an inlined helper returns early.
 * @returns whether a checkpoint covers what follows; `null` when nothing follows (every path has left).
 */
function walk(
  block: SkeletonBlock,
  coveredBefore: boolean,
  found: Found,
  returned: boolean[] = [],
): boolean | null {
  let covered = coveredBefore;
  let inChild = false;
  for (const node of block) {
    if (node.kind === "exit") {
      if (node.how === "return") returned.push(covered);
      return null;
    }
    if (node.kind === "entry") {
      if (node.op.method === "rollbackCheckpoint") covered = true;
      if (!covered && hasRollback(node)) found(node, inChild);
      for (const { body } of node.bodies) {
        walk(body, covered, found);
        inChild ||= hasCheckpoint(body);
      }
    } else if (node.kind === "choice" || node.kind === "inline") {
      const early: boolean[] = node.kind === "inline" ? [] : returned;
      const arms = node.kind === "inline" ? [node.body] : node.arms;
      const ends = arms.map((arm) => walk(arm, covered, found, early)).filter((end) => end !== null);
      if (node.kind === "inline") ends.push(...early);
      if (ends.length === 0 && arms.length > 0) return null;
      covered = ends.every(Boolean);
    } else if (node.kind === "repeat") walk(node.body, covered, found, returned);
  }
  return covered;
}

function hasRollback(node: SkeletonEntry): boolean {
  return (
    node.op.callbacks.some((callback) => callback.role === "rollback") ||
    node.op.options["rollback"] !== undefined
  );
}

function hasCheckpoint(block: SkeletonBlock): boolean {
  return block.some((node) => node.kind === "entry" && node.op.method === "rollbackCheckpoint");
}
