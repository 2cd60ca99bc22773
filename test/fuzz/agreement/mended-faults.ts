import type { CommonEntry, CommonOutcome } from "./common-outcome.js";

/** Two outcomes of one program and schedule that are not the same. */
export interface Disagreement {
  readonly ours: CommonOutcome;
  readonly theirs: CommonOutcome;
}

/** A fault of the published engine, 2.3.19, that ours does not have. */
export interface MendedFault {
  readonly name: string;
  /** Whether the two outcomes show it: judged by what differs, never by what the program might do. */
  readonly shows: (one: Disagreement) => boolean;
}

/** Everything in which the engines may differ. */
export const MENDED: readonly MendedFault[] = [
  {
    // Design §4.5: whole subtrees count there, so an entry inside a scope that has ended is missed.
    name: "unchanged code diverges behind a finished inner scope",
    shows: ({ ours, theirs }) => {
      const missed = /^HistoryDivergedError: Entry "(.*)" exists in history but was not visited/.exec(
        theirs.error ?? "",
      )?.[1];
      return missed !== undefined && !isDiverged(ours) && isBehindFinishedScope(missed, ours);
    },
  },
  {
    // Design §4.15: a flush takes for stored what a concurrent branch changes while it is under way. A name
    // that is lost so fails the next run; an outcome that is lost so is not in the history.
    name: "what a branch records during another's flush is not stored: a name",
    shows: ({ ours, theirs }) =>
      /^Error: Name index \d+ not found in registry/.test(theirs.error ?? "") && !isDiverged(ours),
  },
  {
    name: "what a branch records during another's flush is not stored: an outcome",
    shows: (one) =>
      one.ours.status === one.theirs.status &&
      pairsOf(one).some(
        ([our, their]) =>
          (our.kind === "race" || our.kind === "step") &&
          our.attempts === their.attempts &&
          our.holds !== undefined &&
          their.holds === undefined,
      ),
  },
  {
    // As above: a time that is lost so is chosen again on replay, so the branch waits longer and loses its race.
    name: "what a branch records during another's flush is not stored: a time",
    shows: (one) =>
      pairsOf(one).some(
        ([our, their]) =>
          our.kind === "race" && our.holds !== their.holds && sleepsBesideAStep(one.ours, winnerOf(our)),
      ),
  },
  {
    // Design §4.7: entries inside finished loops and joins count there as recorded behind the gate.
    name: "a gate behind a finished inner scope gives 1 to a new instance",
    shows: (one) =>
      pairsOf(one).some(
        ([our, their]) => our.kind === "version_check" && our.holds === 2 && their.holds === 1,
      ),
  },
  {
    // Design §4.13 and §4.15, no message is lost: what a losing branch received and did nothing with waits again.
    name: "a message that a losing branch had received is lost",
    shows: ({ ours, theirs }) =>
      [...ours.history.values()].some((one) => one.kind === "race" && one.isOver) &&
      [...ours.history.values()].some(
        ({ kind, path, holds }) =>
          kind === "message" && theirs.history.get(path)?.holds !== holds && theirs.lost.includes(holds),
      ),
  },
  {
    // Design §4.10: a critical failure is not recorded as final there; on replay the step waits, and runs, again.
    name: "a caught critical failure is tried again on replay",
    shows: (one) =>
      pairsOf(one).some(
        ([our, their]) =>
          (hasFailedCritically(our) && (their.attempts ?? 0) > 1) ||
          // The branch that is held up by it loses there, and what it recorded is gone.
          (our.kind === "race" &&
            our.holds !== their.holds &&
            entriesIn(one.ours, winnerOf(our)).some(hasFailedCritically)),
      ),
  },
];

const winnerOf = (race: CommonEntry): string => `${race.path}/${String(race.holds)}`;

const entriesIn = ({ history }: CommonOutcome, scope: string): CommonEntry[] =>
  [...history.values()].filter(({ path }) => path.startsWith(`${scope}/`));

/** A branch of a join in `scope` sleeps while a step of another branch is recorded. */
const sleepsBesideAStep = (outcome: CommonOutcome, scope: string): boolean =>
  entriesIn(outcome, scope).some((join) => {
    if (join.kind !== "join") return false;
    const inside = entriesIn(outcome, join.path);
    const branchOf = ({ path }: CommonEntry): string | undefined =>
      path.slice(join.path.length + 1).split("/")[0];
    return inside.some(
      (sleep) =>
        sleep.kind === "sleep" &&
        inside.some((step) => step.kind === "step" && branchOf(step) !== branchOf(sleep)),
    );
  });

const hasFailedCritically = ({ kind, attempts, holds, isOver }: CommonEntry): boolean =>
  kind === "step" && attempts === 1 && holds === undefined && isOver;

const isDiverged = ({ error }: CommonOutcome): boolean => error?.startsWith("HistoryDivergedError") === true;

/** Entries that both histories have. */
function pairsOf({ ours, theirs }: Disagreement): [CommonEntry, CommonEntry][] {
  return [...ours.history.values()].flatMap((our): [CommonEntry, CommonEntry][] => {
    const their = theirs.history.get(our.path);
    return their === undefined || their.kind !== our.kind ? [] : [[our, their]];
  });
}

/**
 * The entry lies in a loop, join or race that our run has ended, or in a turn that it has ended, whose entries may be
 * pruned; or in a try block, which has no record.
 */
function isBehindFinishedScope(path: string, ours: CommonOutcome): boolean {
  const segments = path.split("/");
  for (let length = 1; length < segments.length; length++) {
    const owner = ours.history.get(segments.slice(0, length).join("/"));
    const next = segments[length] ?? "";
    if (owner === undefined && !next.startsWith("~") && !isBranch(segments, length, ours)) return true;
    if (owner?.isOver === true && SCOPES.has(owner.kind)) return true;
    if (owner?.kind === "loop" && Number(owner.holds) > Number(next.slice(1))) return true;
  }
  return false;
}

const SCOPES: ReadonlySet<string> = new Set(["loop", "join", "race"]);

/** The first `length` segments name a turn or a branch of the entry before. */
function isBranch(segments: readonly string[], length: number, ours: CommonOutcome): boolean {
  if ((segments[length - 1] ?? "").startsWith("~")) return true;
  const owner = ours.history.get(segments.slice(0, length - 1).join("/"));
  return owner !== undefined && SCOPES.has(owner.kind);
}
