import { openBranches, outcomeOf, runBranches, type Branch } from "./branches.js";
import { decodeValue, prefixRange } from "./codec.js";
import type { BranchData, EntryOf } from "./entry.js";
import { RaceError } from "./errors.js";
import { withSource } from "./failure.js";
import { messagesOf, type Place } from "./history.js";
import type { Message } from "./mailbox.js";
import { nameSegment } from "./names.js";
import type { Pass } from "./pass.js";
import type { ContextOf, Scope } from "./scope.js";
import type { Strand } from "./strand.js";

type RaceData = EntryOf<"race">;

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
  const { pass } = scope;
  const place = scope.visit(name, "race");
  const data = openBranches(scope, place, "race", branches) as RaceData;
  const branching = { scope, place, contextOf };
  const isRollback = pass.mode === "rollback";
  let { winner } = data.detail;
  if (winner === undefined && (data.status === "running" || isRollback)) {
    const onFirst = (first: string, strands: readonly Strand[]): void => {
      recordWinner(pass, place, data, first, strands);
    };
    const outcomes = new Map(
      branches.map((branch) => [branch, isRollback ? undefined : outcomeOf(place, branch.name)]),
    );
    // The record of one that ended well without that of its victory: an engine before this one could leave that.
    winner = branches.find((branch) => outcomes.get(branch)?.status === "completed")?.name;
    const open = branches.filter((branch) => outcomes.get(branch) === undefined);
    if (winner === undefined) winner = await runBranches(branching, open, isRollback ? undefined : onFirst);
    else onFirst(winner, []);
    scope.goOn(name);
    if (isRollback) {
      if (data.status !== "failed") return scope.strand.stop(); // the history ends inside the race
    } else if (winner === undefined)
      pass.record(place, { ...data, status: "failed", completedAt: pass.run.clock.now() });
    else await pass.commit(); // run again, another branch might come first
  } else if (isRollback) {
    const won = branches.filter((branch) => branch.name === winner);
    await runBranches(branching, won);
  }
  if (winner !== undefined) return { winner, value: decodeValue(outcomeOf(place, winner)?.value) };
  const errors = branches.map(({ name: branch }) => ({
    name: branch,
    error: describeFailure(outcomeOf(place, branch)),
  }));
  const message = `Race "${place.shown}": every branch failed: ${errors.map(({ name: branch, error }) => `"${branch}" (${error})`).join(", ")}.`;
  throw withSource(new RaceError(message, errors, place.shown), { source: "race", name, place });
}

function describeFailure(outcome: BranchData | undefined): string {
  return outcome === undefined || outcome.detail === 0
    ? "unknown"
    : `${outcome.detail.name}: ${outcome.detail.message}`;
}

function recordWinner(
  pass: Pass,
  place: Place,
  data: RaceData,
  winner: string,
  strands: readonly Strand[],
): void {
  const { clock, journal, mailbox } = pass.run;
  for (const other of strands) other.cancel();
  const unused: Message[] = [];
  for (const name of data.detail.names) {
    const loser = name === winner ? undefined : place.find(nameSegment(name));
    if (loser === undefined) continue;
    unused.push(...unusedMessages(loser));
    loser.remove();
    journal.delete(loser.key);
    const { from, to } = prefixRange(`${loser.key}/`);
    journal.deleteRange(from, to);
  }
  const detail = { ...data.detail, winner };
  pass.record(place, { ...data, status: "completed", completedAt: clock.now(), detail });
  if (unused.length === 0) return;
  mailbox.putBack(unused);
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
