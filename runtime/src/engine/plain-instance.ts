import type { StepContext } from "./context.js";
import { UsageError } from "./errors.js";
import type { Journal } from "./journal.js";
import type { Mailbox } from "./mailbox.js";
import type { AttemptInfo, AttemptOutcome, HostAttempt, Resident, WorkflowRun } from "./seam.js";

/** What a step body gets in an engine without actors. */
export interface PlainStepContext extends StepContext {
  readonly queue: {
    /** Sends to the instance's own queue, together with the record of the step's success. */
    send(name: string, body: unknown): void;
  };
}

/** What an engine without actors keeps warm of an instance. */
export class PlainInstance implements Resident {
  constructor(
    readonly journal: Journal,
    readonly mailbox: Mailbox,
    readonly run: WorkflowRun,
    private readonly graceMs: number,
  ) {}

  get busy(): boolean {
    return this.run.busy;
  }

  wake(): void {
    this.run.start();
  }

  suspend(): Promise<void> {
    return this.run.evict(this.graceMs);
  }

  abandon(): void {
    this.run.abandon();
  }
}

/** A step body's context. Sends are held back until the step's record is put. */
export class PlainAttempt implements HostAttempt, PlainStepContext {
  private sends: { readonly name: string; readonly body: unknown }[] | undefined;
  private ended = false;

  constructor(
    private readonly info: AttemptInfo,
    private readonly mailbox: Mailbox,
  ) {}

  get context(): PlainStepContext {
    return this;
  }

  get name(): string {
    return this.info.name;
  }

  get attempt(): number {
    return this.info.attempt;
  }

  get idempotencyKey(): string {
    return this.info.idempotencyKey;
  }

  get abortSignal(): AbortSignal {
    return this.info.abortSignal;
  }

  isEvicted(): boolean {
    return this.info.isEvicted();
  }

  get queue(): PlainStepContext["queue"] {
    return {
      send: (name, body) => {
        if (this.ended) {
          throw new UsageError(
            "step_ended",
            `queue.send("${name}") was called on the context of step "${this.info.path}" after the step had ended.`,
            this.info.path,
          );
        }
        (this.sends ??= []).push({ name, body });
      },
    };
  }

  end(outcome: AttemptOutcome): void {
    this.ended = true;
    if (this.sends === undefined || outcome !== "completed") return; // a retry must not send twice
    for (const { name, body } of this.sends) this.mailbox.send(name, body);
  }
}
