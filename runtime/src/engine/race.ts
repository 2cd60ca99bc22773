import { openBranches, outcomeOf, runAll, runBranch, type Branch, type ContextOf } from "./branches.js";
import { decodeValue, prefixRange } from "./codec.js";
import { HISTORY_PREFIX, type BranchData, type BranchesData } from "./entry.js";
import { RaceError } from "./errors.js";
import { withSource } from "./failure.js";
import { messagesOf, type Place } from "./history.js";
import type { Message } from "./mailbox.js";
import { nameSegment, readablePath } from "./names.js";
import type { Scope } from "./scope.js";
import { Strand } from "./strand.js";

/**
 * A race: the first branch to end well wins; the others are cancelled and their entries forgotten. What they
 * received and did not use waits again.
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
    scope.goOn(name);
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
  const unused: Message[] = [];
  for (const name of data.detail.names) {
    if (name === winner) continue;
    const loser = place.children.get(nameSegment(name));
    if (loser === undefined) continue;
    unused.push(...unusedMessages(loser));
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
  if (unused.length === 0) return;
  pass.run.mailbox.putBack(unused);
  pass.poke(); // others may wait for them
}

/** Messages that a branch received and that no step of it has had since: they wait again when it has lost. */
function unusedMessages(loser: Place): Message[] {
  const entries = [...loser.entries()];
  const lastStep = Math.max(-1, ...entries.map(({ data }) => (data?.kind === "step" ? data.seq : -1)));
  return messagesOf(
    entries.filter(
      ({ data }) =>
        data?.kind === "message" &&
        data.seq > lastStep &&
        !(typeof data.detail === "object" && data.detail.completed === true),
    ),
  );
}
