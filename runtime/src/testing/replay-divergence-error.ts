import type { Outcome } from "./run-schedule.js";
import { describeSchedule, undisturbed, type Schedule } from "./schedule.js";

export interface ReplayDivergence {
  /** The smallest schedule under which it was seen. */
  readonly schedule: Schedule;
  readonly seed: number;
  /** Number of the run, from 0. */
  readonly run: number;
  readonly disturbed: Outcome;
  readonly undisturbed: Outcome;
  /** Where the two first differ. */
  readonly difference: string;
}

/** A workflow behaves otherwise when it is run again from its history. */
export class ReplayDivergenceError extends Error implements ReplayDivergence {
  override readonly name = "ReplayDivergenceError";
  readonly code = "replay_divergence";
  readonly schedule: Schedule;
  readonly seed: number;
  readonly run: number;
  readonly disturbed: Outcome;
  readonly undisturbed: Outcome;
  readonly difference: string;

  constructor(found: ReplayDivergence) {
    super(messageOf(found));
    this.schedule = found.schedule;
    this.seed = found.seed;
    this.run = found.run;
    this.disturbed = found.disturbed;
    this.undisturbed = found.undisturbed;
    this.difference = found.difference;
  }
}

function messageOf({
  schedule,
  seed,
  run,
  disturbed,
  undisturbed: calm,
  difference,
}: ReplayDivergence): string {
  const lines = describeSchedule(schedule).map((line, index) => `  ${index + 1}. ${line}`);
  const isCalm = undisturbed(schedule).length === schedule.length;
  return [
    isCalm
      ? "Two undisturbed runs of the workflow differ: something outlives the instance, such as a variable of a module."
      : "The workflow does not replay: run again from its history, it behaves otherwise.",
    "",
    "Smallest schedule:",
    ...lines,
    "",
    `There ${difference} as when left in peace.`,
    ...(disturbed.error !== null && disturbed.error !== calm.error
      ? [`It ended with ${disturbed.error}`]
      : []),
    "",
    "Look for a clock, a random number, a variable of a module or of another run in code outside steps, or for variables that a step assigns.",
    `(seed ${seed}, run ${run + 1})`,
  ].join("\n");
}
