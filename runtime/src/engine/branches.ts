import { decodeValue, encodeValue, prefixRange } from "./codec.js";
import { HISTORY_PREFIX, type BranchData, type BranchesData } from "./entry.js";
import {
  CancelledError,
  FatalError,
  HistoryDivergedError,
  JoinError,
  RaceError,
  UsageError,
} from "./errors.js";
import { errorData, placesBehind, restoreError, withSource } from "./failure.js";
import type { Place } from "./history.js";
import { nameSegment, readablePath } from "./names.js";
import { never, Strand } from "./pass.js";
import { Scope } from "./scope.js";

export interface Branch {
  readonly name: string;
  readonly run: (context: never) => unknown;
}

type ContextOf = (scope: Scope) => unknown;

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

/**
 * A race: the first branch to end well wins; the others are cancelled and their entries forgotten.
 * @throws RaceError when every branch failed.
 */
export async function runRace(
  scope: Scope,
  name: string,
  branches: readonly Branch[],
  contextOf: ContextOf,
): Promise<{ winner: string; value: unknown }> {
  const place = scope.visit(name);
  const data = openBranches(scope, place, "race", name, branches);
  const { pass } = scope;
  let winner = data.detail.winner;
  if (winner === undefined && data.status === "running") {
    const open = branches.filter(
      ({ name: branch }) => pass.mode === "rollback" || outcomeOf(place, branch) === undefined,
    );
    winner = await runUntilFirst(scope, place, data, open, contextOf);
    if (pass.mode === "rollback") return scope.strand.stop();
    if (winner === undefined)
      pass.record(place, { ...data, status: "failed", completedAt: pass.run.clock.now() });
    else await pass.commit(); // run again, another branch might come first
  } else if (pass.mode === "rollback") {
    await runAll(
      scope,
      place,
      branches.filter(({ name: branch }) => branch === winner),
      contextOf,
    );
  }
  if (winner !== undefined) return { winner, value: decodeValue(outcomeOf(place, winner)?.value) };
  const errors = branches.map(({ name: branch }) => ({
    name: branch,
    error: describeFailure(outcomeOf(place, branch)),
  }));
  const path = readablePath(place.path);
  const message = `Race "${path}": every branch failed: ${errors.map(({ name: branch, error }) => `"${branch}" (${error})`).join(", ")}.`;
  throw withSource(new RaceError(message, errors, path), { source: "race", name, place });
}

function describeFailure(outcome: BranchData | undefined): string {
  return outcome === undefined || outcome.detail === 0
    ? "unknown"
    : `${outcome.detail.name}: ${outcome.detail.message}`;
}

/** The record of a join or race, made if need be. Its set of branches must be the recorded one (§4.8). */
function openBranches(
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

function outcomeOf(place: Place, branch: string): BranchData | undefined {
  const data = place.children.get(nameSegment(branch))?.data;
  return data?.kind === "branch" ? data : undefined;
}

/** Runs branches to their ends. */
async function runAll(
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

/** Runs branches until one ends well. Gives its name, or `undefined` when all failed. */
async function runUntilFirst(
  scope: Scope,
  place: Place,
  data: BranchesData,
  branches: readonly Branch[],
  contextOf: ContextOf,
): Promise<string | undefined> {
  const { pass, strand } = scope;
  if (branches.length === 0) return undefined;
  const strands = branches.map(() => new Strand(pass, strand));
  let left = branches.length;
  let winner: string | undefined;
  strand.block();
  return new Promise((resolve, reject) => {
    branches.forEach((branch, index) => {
      const own = strands[index] as Strand; // one per branch
      runBranch(scope, own, place, branch, contextOf).then(
        (completed) => {
          if (own.cancelled) return;
          left--;
          if (completed && pass.mode === "run") {
            winner = branch.name;
            strand.unblock();
            own.end();
            recordWinner(scope, place, data, winner, strands);
            resolve(winner);
          } else {
            if (left === 0) strand.unblock();
            own.end();
            if (left === 0) resolve(undefined);
          }
        },
        (error: unknown) => {
          if (own.cancelled) return;
          strand.unblock();
          for (const other of strands) other.cancel();
          reject(error as Error);
        },
      );
    });
  });
}

function recordWinner(
  scope: Scope,
  place: Place,
  data: BranchesData,
  winner: string,
  strands: readonly Strand[],
): void {
  const { pass } = scope;
  for (const other of strands) other.cancel();
  for (const name of data.detail.names) {
    if (name === winner) continue;
    const loser = place.children.get(nameSegment(name));
    if (loser === undefined) continue;
    loser.remove();
    pass.run.journal.delete(HISTORY_PREFIX + loser.path);
    const { from, to } = prefixRange(`${HISTORY_PREFIX}${loser.path}/`);
    pass.run.journal.deleteRange(from, to);
  }
  pass.record(place, {
    ...data,
    status: "completed",
    completedAt: pass.run.clock.now(),
    detail: { ...data.detail, winner },
  });
}

/** Runs one branch and records its outcome. Gives whether it completed; throws only what is fatal. */
async function runBranch(
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
        ...(output !== undefined && { value: encodeValue(output, "The output of branch", branchPlace.path) }),
      });
    return true;
  } catch (error) {
    inner.close();
    if (pass.dead) return never();
    if (error instanceof FatalError) throw error;
    const failed = placesBehind(error).map((behind) => behind.path);
    if (pass.mode === "run")
      record("failed", { detail: { ...errorData(error), ...(failed.length > 0 && { failed }) } });
    return false;
  }
}
