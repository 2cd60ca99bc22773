import { openBranches, outcomeOf, runBranches, type Branch } from "./branches.js";
import { decodeValue } from "./codec.js";
import { JoinError } from "./errors.js";
import { restoreError, withSource } from "./failure.js";
import type { ContextOf, Scope } from "./scope.js";

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
  const { pass } = scope;
  const place = scope.visit(name, "join");
  const data = openBranches(scope, place, "join", branches);
  const isRollback = pass.mode === "rollback";
  if (data.status === "running" || isRollback) {
    const open = branches.filter((branch) => isRollback || outcomeOf(place, branch.name) === undefined);
    await runBranches({ scope, place, contextOf }, open);
    scope.goOn(name);
    if (!isRollback) {
      const failed = branches.some((branch) => outcomeOf(place, branch.name)?.status === "failed");
      const status = failed ? "failed" : "completed";
      pass.record(place, { ...data, status, completedAt: pass.run.clock.now() });
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
    throw withSource(new JoinError(errors, place.shown), { source: "join", name, place });
  return results;
}
