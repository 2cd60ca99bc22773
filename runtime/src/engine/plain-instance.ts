import type { StepContext } from "./context.js";
import { UsageError } from "./errors.js";
import type { Journal } from "./journal.js";
import { Mailbox } from "./mailbox.js";
import type { Clock, StoredRecord } from "./ports.js";
import { createRun, type WorkflowFunction } from "./run.js";
import type {
  AttemptInfo,
  AttemptOutcome,
  HostAttempt,
  Pool,
  Resident,
  RunSettings,
  WorkflowErrorEvent,
  WorkflowHost,
  WorkflowRun,
  WorkflowStatus,
} from "./seam.js";

/** What a step body gets in an engine without actors. */
export interface PlainStepContext extends StepContext {
  readonly queue: {
    /** Sends to the instance's own queue, together with the record of the step's success. */
    send(name: string, body: unknown): void;
  };
}

/** What an instance needs of the engine it belongs to. */
export interface PlainOwner {
  readonly options: RunSettings & {
    readonly graceMs?: number;
    onError?(event: WorkflowErrorEvent): void;
  };
  readonly clock: Clock;
  readonly pool: Pool<PlainInstance>;
  /** Something changed that could matter to someone who waits for the instance. */
  changed(instance: string): void;
  /** Something outside user code is wrong. */
  fault(error: unknown): void;
}

/** What an engine without actors keeps warm of an instance, and what it lends to its workflow. */
export class PlainInstance implements Resident, WorkflowHost {
  readonly mailbox: Mailbox;
  readonly run: WorkflowRun;

  constructor(
    private readonly owner: PlainOwner,
    readonly journal: Journal,
    records: readonly StoredRecord[],
    run: WorkflowFunction,
    input: unknown,
  ) {
    const { clock, options: settings } = owner;
    const mailbox = (this.mailbox = new Mailbox(journal, clock, records));
    this.run = createRun({ journal, mailbox, clock, records, run, input, host: this, settings });
  }

  get busy(): boolean {
    return this.run.busy;
  }

  wake(): void {
    this.run.start();
  }

  suspend(): Promise<void> {
    return this.run.evict(this.owner.options.graceMs);
  }

  abandon(): void {
    this.run.abandon();
  }

  beginAttempt(info: AttemptInfo): HostAttempt {
    return new PlainAttempt(info, this.mailbox);
  }

  onError(event: WorkflowErrorEvent): void {
    this.owner.options.onError?.(event);
  }

  onInternalError(error: unknown): void {
    this.owner.fault(error);
  }

  onStatus(status: WorkflowStatus): void {
    if (status !== "running" && status !== "sleeping") this.owner.changed(this.journal.instance);
  }

  onIdle(): void {
    this.owner.pool.idle(this.journal.instance);
    this.owner.changed(this.journal.instance);
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
        if (this.ended)
          throw new UsageError(
            "step_ended",
            `queue.send("${name}") was called on the context of step "${this.info.path}" after the step had ended.`,
            this.info.path,
          );
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
