import { systemClock } from "./clock.js";
import type { WorkflowContext } from "./context.js";
import { UsageError } from "./errors.js";
import { restoreError } from "./failure.js";
import type { Journal } from "./journal.js";
import { Mailbox, type Message } from "./mailbox.js";
import { PlainAttempt, PlainInstance, type PlainStepContext } from "./plain-instance.js";
import { createPool } from "./pool.js";
import type { Clock, Store, StoredRecord } from "./ports.js";
import { createRun, type WorkflowFunction } from "./run.js";
import type {
  Pool,
  PoolOptions,
  Resident,
  RunSettings,
  WorkflowErrorEvent,
  WorkflowHost,
  WorkflowRun,
  WorkflowStatus,
} from "./seam.js";

export type { PlainStepContext } from "./plain-instance.js";

export interface EngineOptions
  extends RunSettings, Pick<PoolOptions<Resident>, "idleMs" | "maxWarm" | "rerunOnWake"> {
  readonly store: Store;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** By name. */
  readonly workflows: Readonly<
    Record<string, (context: WorkflowContext<PlainStepContext>, input: never) => unknown>
  >;
  /** How long `stop` waits for step bodies, in ms. Default 0. */
  readonly graceMs?: number;
  onError?(event: WorkflowErrorEvent): void;
  /** A fault outside user code. Default: thrown as an unhandled rejection. */
  onInternalError?(error: unknown): void;
}

/** One instance of a workflow, by name and key. Every call opens it if it is cold. */
export interface InstanceHandle {
  readonly id: string;
  /** Sends a message; resolves when it is durable. */
  send(queue: string, body?: unknown): Promise<Message>;
  status(): Promise<WorkflowStatus>;
  /** The output once it has completed. @throws the error that ended it, `cancelled` when it was cancelled. */
  result(): Promise<unknown>;
  /** Resolves when it waits for something outside or has ended. */
  settled(): Promise<void>;
  cancel(): Promise<void>;
  /**
   * Runs `act` on its workflow, which stays in memory meanwhile. `act` is mostly a function of
   * `@stepproof/runtime/engine/operate`: `handle.use(recover)`.
   */
  use<T>(act: (run: WorkflowRun) => T | Promise<T>): Promise<T>;
  /** Drops it from memory now. */
  evict(): Promise<void>;
}

/** Runs workflow functions on a store. */
export interface Engine {
  /** Wakes what has work in hand or is due, now and from now on. */
  start(): Promise<void>;
  /**
   * Starts the instance unless it exists; `input` counts the first time only. Resolves when it is running, and
   * durably so: whatever happens to the process, it will be run to its end.
   */
  create(workflow: string, key: string, input?: unknown): Promise<InstanceHandle>;
  handle(workflow: string, key: string): InstanceHandle;
  /** Puts every instance to sleep. The store stays open. */
  stop(): Promise<void>;
}

/** An engine over a store: definition of workflows in, running instances out. Call `start()` first. */
export function createEngine(options: EngineOptions): Engine {
  return new PlainEngine(options);
}

class PlainEngine implements Engine {
  private readonly clock: Clock;
  private readonly pool: Pool<PlainInstance>;
  private readonly inputs = new Map<string, unknown>();
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(private readonly options: EngineOptions) {
    this.clock = options.clock ?? systemClock;
    const { idleMs, maxWarm, rerunOnWake } = options;
    this.pool = createPool<PlainInstance>(options.store, this.clock, {
      load: (journal, records) => this.load(journal, records),
      onError: (_instance, error) => {
        this.fault(error);
      },
      ...(idleMs !== undefined && { idleMs }),
      ...(maxWarm !== undefined && { maxWarm }),
      ...(rerunOnWake !== undefined && { rerunOnWake }),
    });
  }

  private fault(error: unknown): void {
    if (this.options.onInternalError === undefined) void Promise.reject(error as Error);
    else this.options.onInternalError(error);
  }

  private load(journal: Journal, records: readonly StoredRecord[]): PlainInstance {
    const workflow = journal.instance.slice(0, journal.instance.indexOf("/"));
    const fn = this.options.workflows[decodeURIComponent(workflow)];
    if (fn === undefined)
      throw new UsageError("unknown_workflow", `There is no workflow "${workflow}" in this engine.`);
    if (records.length === 0 && !this.inputs.has(journal.instance)) {
      throw new UsageError(
        "unknown_instance",
        `There is no instance "${journal.instance}". Create it first.`,
      );
    }
    const mailbox = new Mailbox(journal, this.clock, records);
    const host: WorkflowHost = {
      beginAttempt: (info) => new PlainAttempt(info, mailbox),
      onError: (event) => this.options.onError?.(event),
      onInternalError: (error) => {
        this.fault(error);
      },
      onStatus: (status) => {
        if (status !== "running" && status !== "sleeping") this.notify(journal.instance);
      },
      onIdle: () => {
        this.pool.idle(journal.instance);
        this.notify(journal.instance);
      },
    };
    const run = createRun({
      journal,
      mailbox,
      clock: this.clock,
      records,
      run: fn as WorkflowFunction,
      input: this.inputs.get(journal.instance),
      host,
      settings: this.options,
    });
    return new PlainInstance(journal, mailbox, run, this.options.graceMs ?? 0);
  }

  private notify(instance: string): void {
    const listeners = this.waiting.get(instance);
    this.waiting.delete(instance);
    for (const listener of listeners ?? []) listener();
  }

  /** Resolves at the next change of the instance that could matter to someone who waits. */
  changed(instance: string): Promise<void> {
    return new Promise((resolve) => {
      const listeners = this.waiting.get(instance) ?? new Set();
      listeners.add(resolve);
      this.waiting.set(instance, listeners);
    });
  }

  start(): Promise<void> {
    return this.pool.start();
  }

  stop(): Promise<void> {
    return this.pool.stop();
  }

  async create(workflow: string, key: string, input?: unknown): Promise<InstanceHandle> {
    const id = instanceId(workflow, key);
    this.inputs.set(id, input);
    try {
      await this.pool.use(id, ({ run, journal }) => {
        run.start();
        return journal.commit();
      });
    } finally {
      this.inputs.delete(id);
    }
    return this.handle(workflow, key);
  }

  handle(workflow: string, key: string): InstanceHandle {
    const id = instanceId(workflow, key);
    return new PlainHandle(id, this.pool, () => this.changed(id));
  }
}

/**
 * The name of an instance in the store.
 * @throws UsageError `instance_key`
 */
export function instanceId(workflow: string, key: string): string {
  if (key.includes("\0"))
    throw new UsageError("instance_key", `The key of an instance of "${workflow}" must not contain U+0000.`);
  return `${encodeURIComponent(workflow)}/${key}`;
}

class PlainHandle implements InstanceHandle {
  constructor(
    readonly id: string,
    private readonly pool: Pool<PlainInstance>,
    private readonly changed: () => Promise<void>,
  ) {}

  private with<T>(act: (instance: PlainInstance) => T | Promise<T>): Promise<T> {
    return this.pool.use(this.id, (instance) => {
      instance.run.start();
      return act(instance);
    });
  }

  use<T>(act: (run: WorkflowRun) => T | Promise<T>): Promise<T> {
    return this.with(({ run }) => act(run));
  }

  send(queue: string, body?: unknown): Promise<Message> {
    return this.with(async ({ mailbox, journal }) => {
      const message = mailbox.send(queue, body);
      await journal.commit();
      return message;
    });
  }

  status(): Promise<WorkflowStatus> {
    return this.use((run) => run.status);
  }

  async result(): Promise<unknown> {
    for (;;) {
      const changed = this.changed();
      const { status, error, output } = await this.use((run) => run);
      if (status === "completed") return output;
      if (error !== undefined && (status === "failed" || status === "parked")) throw restoreError(error);
      if (status === "cancelled") throw new UsageError("cancelled", `Instance "${this.id}" was cancelled.`);
      await changed;
    }
  }

  settled(): Promise<void> {
    return this.use((run) => run.settled());
  }

  cancel(): Promise<void> {
    return this.use((run) => run.cancel());
  }

  evict(): Promise<void> {
    return this.pool.drop(this.id);
  }
}
