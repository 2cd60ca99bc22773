import { openBranches, outcomeOf, runAll, type Branch, type ContextOf } from "./branches.js";
import { decodeValue } from "./codec.js";
import { JoinError } from "./errors.js";
import { restoreError, withSource } from "./failure.js";
import { readablePath } from "./names.js";
import type { Scope } from "./scope.js";

/**
 * A join: all branches at the same time; ends when all have. A branch that ended is not run again.
 * @throws JoinError when branches failed, after all have ended.
 */
export async function runJoin(
  scope: Scope,
  name: string,
  branches: readonly Branch[],
  contextOf: ContextOf,
): Promise<Record<string, unknown>> {
  const place = scope.visit(name);
  const data = openBranches(scope, place, "join", name, branches);
  const { pass } = scope;
  if (data.status === "running" || pass.mode === "rollback") {
    const open = branches.filter(
      ({ name: branch }) => pass.mode === "rollback" || outcomeOf(place, branch) === undefined,
    );
    await runAll(scope, place, open, contextOf);
    scope.goOn(name);
    if (pass.mode === "run") {
      const failed = branches.some(({ name: branch }) => outcomeOf(place, branch)?.status === "failed");
      pass.record(place, {
        ...data,
        status: failed ? "failed" : "completed",
        completedAt: pass.run.clock.now(),
      });
    }
  }
  const errors: Record<string, Error> = {};
  const results: Record<string, unknown> = {};
  for (const { name: branch } of branches) {
    const outcome = outcomeOf(place, branch);
    if (outcome === undefined) return scope.strand.stop(); // rollback: the history ends inside this branch
    if (outcome.detail === 0) results[branch] = decodeValue(outcome.value);
    else errors[branch] = restoreError(outcome.detail);
  }
  if (Object.keys(errors).length > 0)
    throw withSource(new JoinError(errors, readablePath(place.path)), { source: "join", name, place });
  return results;
}
