import { CriticalError, Loop } from "../../runtime/src/index.js";
import { BACKOFF, FLAKY_FAILURES, givesTotal } from "./program/constructs/step.js";
import type { StepLike, StepPlace, World } from "./program/running.js";
import type { Work } from "./program/tree.js";

/** A step body or a rollback handler that ran. */
export interface Act {
  readonly what: "work" | "undo";
  /** Path of the step in its instance; of an undo its name. */
  readonly key: string;
  readonly attempt: number;
}

/** What a step body of our host gets, as far as programs use it. */
interface HostStep extends StepLike {
  readonly state?: { total: number };
  readonly queue?: { send(name: string, body: unknown): unknown };
}

/** A world that notes what is done to it. Survives crashes, as the outside world does. */
export class NotingWorld implements World {
  readonly acts: Act[] = [];
  readonly backoff = BACKOFF;
  readonly loopBreak = Loop.break;
  readonly loopContinue = Loop.continue;

  async work(step: StepLike | undefined, at: StepPlace, work: Work, plus: number): Promise<number> {
    // As source does, a step reads the state only where it changes it.
    const { queue, attempt = 1, idempotencyKey = at.name } = step as HostStep;
    this.acts.push({ what: "work", key: idempotencyKey, attempt });
    await Promise.resolve();
    if (work.ends === "critical") throw new CriticalError("refused");
    if (work.ends === "exhausted") throw new Error("broken down");
    if (work.ends === "flaky" && attempt <= FLAKY_FAILURES) throw new Error("not yet");
    const value = work.gives + plus;
    if (work.sends) await queue?.send("p", value);
    const state = work.state ? (step as HostStep).state : undefined;
    if (state === undefined) return value;
    state.total += value;
    return givesTotal(work) ? state.total : value;
  }

  isCritical(error: unknown): boolean {
    return error instanceof CriticalError;
  }

  undo(name: string): Promise<void> {
    this.acts.push({ what: "undo", key: name, attempt: 1 });
    return Promise.resolve();
  }
}
