import type { Outcome, RecordedEntry } from "../../runtime/src/testing/run-schedule.js";
import type { Act } from "./world.js";

/**
 * What holds of every program under every schedule, also where moments decide how it ends:
 *
 * 1. The body of a step does not run again once the step is recorded as over.
 * 2. What an entry has recorded for good it keeps: outcome, version, winner, message.
 * 3. A message is received once, unless the one that received it was a branch that lost a race: then it waits again.
 * 4. Unchanged code does not diverge.
 */
export class Steadfast {
  /** Keys of the steps that are over and ran in this world. */
  readonly done = new Set<string>();
  private readonly kept = new Map<string, string>();
  private readonly receivers = new Map<unknown, string>();
  private readonly races = new Set<string>();
  private seen = 0;

  /**
   * @param acts of the world, as they come.
   * @param areMessagesApart no two messages that are sent have the same body.
   */
  constructor(
    private readonly acts: readonly Act[],
    private readonly areMessagesApart: boolean,
  ) {}

  /** @throws when one of them does not hold, as far as the outcome at this moment shows it. */
  look(outcome: Outcome): void {
    if (outcome.error?.startsWith("HistoryDivergedError") === true)
      throw new Error(`Unchanged code diverges: ${outcome.error}`);
    for (; this.seen < this.acts.length; this.seen++) {
      const act = this.acts[this.seen];
      if (act?.what === "work" && this.done.has(act.key))
        throw new Error(`The body of ${act.key} ran again after the step was recorded.`);
    }
    const present = new Set(outcome.history.map(({ path }) => path));
    for (const entry of outcome.history) {
      this.keeps(entry);
      if (entry.kind === "race") this.races.add(entry.path);
      const isMessage = entry.kind === "message" && entry.queue !== undefined;
      if (isMessage && this.areMessagesApart) this.receives(entry, present);
      if (entry.kind !== "step" || !isOver(entry)) continue;
      const key = `program/1/${entry.path}`;
      if (this.acts.some((act) => act.key === key)) this.done.add(key);
    }
  }

  private keeps(entry: RecordedEntry): void {
    const recorded = recordedForGood(entry);
    if (recorded === null) return;
    const before = this.kept.get(entry.path);
    if (before !== undefined && before !== recorded)
      throw new Error(`${entry.path} had recorded ${before}, and has ${recorded} now.`);
    this.kept.set(entry.path, recorded);
  }

  private receives({ path, queue, body }: RecordedEntry, present: ReadonlySet<string>): void {
    const message = `${queue ?? ""} ${JSON.stringify(body)}`;
    const other = this.receivers.get(message);
    const hasLost =
      other !== undefined &&
      !present.has(other) &&
      [...this.races].some((race) => other.startsWith(`${race}/`));
    if (other !== undefined && other !== path && !hasLost)
      throw new Error(`The message ${message} is received by ${other} and by ${path}.`);
    this.receivers.set(message, path);
  }
}

/** A step that failed and has a due time waits for its next attempt. */
const isOver = ({ status, due }: RecordedEntry): boolean =>
  status === "completed" || status === "exhausted" || (status === "failed" && due === undefined);

/** What replay takes from an entry, as text; `null` while that can change. */
function recordedForGood(entry: RecordedEntry): string | null {
  if (!isOver(entry)) return null;
  const { kind, output, version, winner, body, error } = entry;
  return JSON.stringify([kind, output, version, winner, body, error?.message]);
}
