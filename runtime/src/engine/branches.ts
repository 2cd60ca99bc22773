import { encodeOutput } from "./codec.js";
import type { BranchData, BranchesData } from "./entry.js";
import { FatalError, HistoryDivergedError, UsageError } from "./errors.js";
import { errorData, placesBehind } from "./failure.js";
import type { Place } from "./history.js";
import { nameSegment } from "./names.js";
import { Scope, type ContextOf } from "./scope.js";
import { never, Strand } from "./strand.js";

export interface Branch {
  readonly name: string;
  readonly run: (context: never) => unknown;
}

/** A join or race under way. */
export interface Branching {
  readonly scope: Scope;
  readonly place: Place;
  readonly contextOf: ContextOf;
}

/** The record of a join or race, made if need be. Its set of branches must be the recorded one (§4.8). */
export function openBranches(
  { pass }: Scope,
  place: Place,
  kind: "join" | "race",
  branches: readonly Branch[],
): BranchesData {
  const path = place.shown;
  const names = branches.map((branch) => branch.name);
  const twice = names.find((branch, index) => names.indexOf(branch) !== index);
  if (names.length === 0) throw new UsageError("branches", `The ${kind} "${path}" has no branches.`, path);
  if (twice !== undefined)
    throw new UsageError(
      "branches",
      `The ${kind} "${path}" has two branches named "${twice}". Give each its own name.`,
      path,
    );
  const recorded = place.data as BranchesData | undefined;
  if (recorded === undefined) {
    if (pass.mode === "run") return pass.add(place, kind, "running", { names });
    return { kind, seq: 0, status: "pending", startedAt: 0, completedAt: 0, detail: { names } };
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
  const data = place.find(nameSegment(branch))?.data;
  return data?.kind === "branch" ? data : undefined;
}

/**
 * Runs branches to their ends, or until one ends well if `onFirst` is given. It is called with the record of that
 * branch: no commit comes between. Gives the name of that one.
 */
export function runBranches(
  branching: Branching,
  branches: readonly Branch[],
  onFirst?: (name: string, strands: readonly Strand[]) => void,
): Promise<string | undefined> {
  const { pass, strand } = branching.scope;
  let left = branches.length;
  if (left === 0) return Promise.resolve(undefined);
  const strands = branches.map(() => new Strand(pass, strand));
  strand.move(false);
  return new Promise((resolve, reject) => {
    branches.forEach((branch, index) => {
      const own = strands[index] as Strand; // one per branch
      const over = (winner?: string): void => {
        strand.move(true);
        own.end();
        if (winner !== undefined) onFirst?.(winner, strands);
        resolve(winner);
      };
      const onCompleted = (): void => {
        if (onFirst !== undefined) over(branch.name);
      };
      runBranch(branching, own, branch, onCompleted).then(
        () => {
          if (own.cancelled) return;
          if (--left === 0) over();
          else own.end();
        },
        (error: unknown) => {
          if (own.cancelled) return;
          strand.move(true); // fatal: it ends now
          for (const other of strands) other.cancel();
          reject(error as Error);
        },
      );
    });
  });
}

/** Runs one branch and records its outcome. Throws only what is fatal. */
async function runBranch(
  { scope, place, contextOf }: Branching,
  strand: Strand,
  branch: Branch,
  onCompleted: () => void,
): Promise<void> {
  const { pass } = scope;
  const at = place.child(nameSegment(branch.name));
  const inner = new Scope(pass, strand, at, scope);
  const startedAt = pass.run.clock.now();
  const record = (status: "completed" | "failed", detail: BranchData["detail"], value?: unknown): void => {
    if (pass.mode === "rollback") return;
    const seq = at.data?.seq ?? pass.run.nextSeq();
    const completedAt = pass.run.clock.now();
    pass.record(at, { kind: "branch", seq, status, startedAt, completedAt, detail, value });
  };
  try {
    await inner.run(
      () => branch.run(contextOf(inner) as never),
      () => `Branch "${at.shown}"`,
      (output) => {
        record("completed", 0, encodeOutput(output, "The output of branch", at.path));
        onCompleted();
      },
    );
  } catch (error) {
    if (pass.dead) return never();
    if (error instanceof FatalError) throw error;
    if (strand.cancelled) return; // the race was over before it failed: its entries are forgotten
    const failed = placesBehind(error).map(({ path }) => path);
    record("failed", { ...errorData(error), ...(failed.length > 0 && { failed }) });
  }
}
