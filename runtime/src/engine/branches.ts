import { encodeOutput } from "./codec.js";
import type { BranchData, BranchesData } from "./entry.js";
import { CancelledError, FatalError, HistoryDivergedError, UsageError } from "./errors.js";
import { errorData, placesBehind } from "./failure.js";
import type { Place } from "./history.js";
import { nameSegment, readablePath } from "./names.js";
import { Scope } from "./scope.js";
import { never, Strand } from "./strand.js";

export interface Branch {
  readonly name: string;
  readonly run: (context: never) => unknown;
}

/** Makes the context of a scope. */
export type ContextOf = (scope: Scope) => unknown;

/** The record of a join or race, made if need be. Its set of branches must be the recorded one (§4.8). */
export function openBranches(
  scope: Scope,
  place: Place,
  kind: "join" | "race",
  name: string,
  branches: readonly Branch[],
): BranchesData {
  const path = scope.pathOf(name);
  const names = branches.map((branch) => branch.name);
  const twice = names.find((branch, index) => names.indexOf(branch) !== index);
  if (names.length === 0) throw new UsageError("branches", `The ${kind} "${path}" has no branches.`, path);
  if (twice !== undefined)
    throw new UsageError(
      "branches",
      `The ${kind} "${path}" has two branches named "${twice}". Give each its own name.`,
      path,
    );
  const recorded = scope.recorded(place, kind) as BranchesData | undefined;
  if (recorded === undefined) {
    if (scope.pass.mode === "rollback")
      return { kind, seq: 0, status: "pending", startedAt: 0, completedAt: 0, detail: { names } };
    const { run } = scope.pass;
    const data: BranchesData = {
      kind,
      seq: run.nextSeq(),
      status: "running",
      startedAt: run.clock.now(),
      completedAt: 0,
      detail: { names },
    };
    scope.pass.record(place, data);
    return data;
  }
  const added = names.find((branch) => !recorded.detail.names.includes(branch));
  const missing = recorded.detail.names.find((branch) => !names.includes(branch));
  if (added === undefined && missing === undefined) return recorded;
  const change =
    added === undefined ? `branch "${String(missing)}" was recorded and is gone` : `branch "${added}" is new`;
  throw new HistoryDivergedError(
    `The branches of ${kind} "${path}" are not those that were recorded: ${change}. Keep the set, or put the new ${kind} under another name behind ctx.getVersion.`,
    path,
  );
}

/** How a branch ended, if it has. */
export function outcomeOf(place: Place, branch: string): BranchData | undefined {
  const data = place.children.get(nameSegment(branch))?.data;
  return data?.kind === "branch" ? data : undefined;
}

/** Runs branches to their ends. */
export async function runAll(
  scope: Scope,
  place: Place,
  branches: readonly Branch[],
  contextOf: ContextOf,
): Promise<void> {
  if (branches.length === 0) return;
  const { strand } = scope;
  let left = branches.length;
  const strands = branches.map(() => new Strand(scope.pass, strand));
  strand.block();
  await Promise.all(
    branches.map(async (branch, index) => {
      const own = strands[index] as Strand; // one per branch
      try {
        await runBranch(scope, own, place, branch, contextOf);
      } catch (error) {
        strand.unblock(); // fatal: the join ends now
        for (const other of strands) other.cancel();
        throw error;
      }
      if (--left === 0) strand.unblock();
      own.end();
    }),
  );
}

/** Runs one branch and records its outcome. Gives whether it completed; throws only what is fatal. */
export async function runBranch(
  scope: Scope,
  strand: Strand,
  place: Place,
  branch: Branch,
  contextOf: ContextOf,
): Promise<boolean> {
  const { pass } = scope;
  const branchPlace = place.child(nameSegment(branch.name));
  const inner = new Scope(pass, strand, branchPlace, scope);
  const path = readablePath(branchPlace.path);
  const startedAt = pass.run.clock.now();
  const record = (status: "completed" | "failed", rest: Pick<BranchData, "detail" | "value">): void => {
    const seq = branchPlace.data?.seq ?? pass.run.nextSeq();
    pass.record(branchPlace, {
      kind: "branch",
      seq,
      status,
      startedAt,
      completedAt: pass.run.clock.now(),
      ...rest,
    });
  };
  try {
    const output: unknown = await inner.call(() => branch.run(contextOf(inner) as never));
    if (strand.cancelled) throw new CancelledError(path);
    inner.end(() => `Branch "${path}"`);
    if (pass.mode === "run")
      record("completed", {
        detail: 0,
        value: encodeOutput(output, "The output of branch", branchPlace.path),
      });
    return true;
  } catch (error) {
    inner.close();
    if (pass.dead) return never();
    if (error instanceof FatalError) throw error;
    if (strand.cancelled) return false; // the race was over before it failed: its entries are forgotten
    const failed = placesBehind(error).map((behind) => behind.path);
    if (pass.mode === "run")
      record("failed", { detail: { ...errorData(error), ...(failed.length > 0 && { failed }) } });
    return false;
  }
}
