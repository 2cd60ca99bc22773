import type { Outcome, RecordedEntry } from "../../../runtime/src/testing/run-schedule.js";

/** An entry of a history, in words that both engines share. */
export interface CommonEntry {
  /** As ours: `loop-1/~0/step-1`. */
  readonly path: string;
  readonly kind: string;
  /** What it holds for replay: of a step its output, of a gate its version, of a race its winner, of a message its body. */
  readonly holds: unknown;
  /** Of a step: how often its body was begun. */
  readonly attempts: number | null;
  /** It has an outcome for good. Not compared: the published engine says it otherwise. */
  readonly isOver: boolean;
}

/** How an instance ended, in words that both engines share. */
export interface CommonOutcome {
  readonly status: "completed" | "failed" | "waiting";
  readonly output: unknown;
  /** Name and message of the error that ended it. */
  readonly error: string | null;
  /** By path. */
  readonly history: ReadonlyMap<string, CommonEntry>;
  /** Bodies of messages that were taken from the queue and are in no history; not asked of ours. */
  readonly lost: readonly unknown[];
}

/** The outcome of a run on our host. */
export function commonOf({ status, output, error, history }: Outcome): CommonOutcome {
  const entries = history.map(commonEntry).map((one): [string, CommonEntry] => [one.path, one]);
  return {
    status: status === "completed" || status === "failed" ? status : "waiting",
    output,
    error,
    history: new Map(entries),
    lost: [],
  };
}

function commonEntry(entry: RecordedEntry): CommonEntry {
  const { path, kind } = entry;
  const holds: Record<string, unknown> = {
    step: entry.output,
    version_check: entry.version,
    race: entry.winner,
    message: entry.body,
    removed: entry.was,
    loop: entry.iteration,
  };
  const waits = entry.status === "pending" || entry.status === "running" || entry.due !== undefined;
  const attempts = kind === "step" ? (entry.attempts ?? 0) : null;
  return { path, kind, holds: holds[kind], attempts, isOver: !waits };
}

/** Where two outcomes differ, for people; `null` when they are the same. Of errors the names are compared. */
export function disagreement(ours: CommonOutcome, theirs: CommonOutcome): string | null {
  const end = ({ status, output, error }: CommonOutcome): string =>
    `${status} with ${String(output)} (${error ?? "no error"})`;
  const nameOf = ({ error }: CommonOutcome): string | undefined => error?.split(":")[0];
  if (ours.status !== theirs.status || ours.output !== theirs.output || nameOf(ours) !== nameOf(theirs))
    return `ours ${end(ours)}, theirs ${end(theirs)}`;
  const lines = ({ history }: CommonOutcome): string[] => [...history.values()].map(lineOf);
  const [mine, other] = [lines(ours), lines(theirs)];
  const onlyOurs = mine.filter((line) => !other.includes(line));
  const onlyTheirs = other.filter((line) => !mine.includes(line));
  if (onlyOurs.length + onlyTheirs.length === 0) return null;
  return `only ours: ${onlyOurs.join(", ")}; only theirs: ${onlyTheirs.join(", ")}`;
}

const lineOf = ({ path, kind, holds, attempts }: CommonEntry): string =>
  `${path} ${kind}${holds === undefined ? "" : ` ${JSON.stringify(holds)}`}${attempts === null ? "" : ` after ${attempts}`}`;
