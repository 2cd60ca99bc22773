import { systemClock } from "./clock.js";
import type { WorkflowContext } from "./context.js";
import { UsageError } from "./errors.js";
import { restoreError } from "./failure.js";
import type { Journal } from "./journal.js";
import type { Message } from "./mailbox.js";
import { PlainInstance, type PlainOwner, type PlainStepContext } from "./plain-instance.js";
import { createPool } from "./pool.js";
import type { Clock, Store, StoredRecord } from "./ports.js";
import type { WorkflowFunction } from "./run.js";
import type {
  Pool,
  PoolOptions,
  Resident,
  RunSettings,
  WorkflowErrorEvent,
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

class PlainEngine implements Engine, PlainOwner {
  readonly clock: Clock;
  readonly pool: Pool<PlainInstance>;
  private readonly inputs = new Map<string, unknown>();
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(readonly options: EngineOptions) {
    this.clock = options.clock ?? systemClock;
    this.pool = createPool<PlainInstance>(options.store, this.clock, {
      ...options,
      load: (journal, records) => this.load(journal, records),
      onError: (_instance, error) => {
        this.fault(error);
      },
    });
  }

  fault(error: unknown): void {
    if (this.options.onInternalError === undefined) void Promise.reject(error as Error);
    else this.options.onInternalError(error);
  }

  private load(journal: Journal, records: readonly StoredRecord[]): PlainInstance {
    const { instance } = journal;
    const workflow = decodeURIComponent(instance.slice(0, instance.indexOf("/")));
    const fn = this.options.workflows[workflow];
    if (fn === undefined)
      throw new UsageError("unknown_workflow", `There is no workflow "${workflow}" in this engine.`);
    if (records.length === 0 && !this.inputs.has(instance))
      throw new UsageError("unknown_instance", `There is no instance "${instance}". Create it first.`);
    return new PlainInstance(this, journal, records, fn as WorkflowFunction, this.inputs.get(instance));
  }

  changed(instance: string): void {
    const listeners = this.waiting.get(instance);
    this.waiting.delete(instance);
    for (const listener of listeners ?? []) listener();
  }

  /** Resolves at the next change of the instance that could matter to someone who waits. */
  change(instance: string): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.set(instance, [...(this.waiting.get(instance) ?? []), resolve]);
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
    return new PlainHandle(instanceId(workflow, key), this);
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
    private readonly engine: PlainEngine,
  ) {}

  private with<T>(act: (instance: PlainInstance) => T | Promise<T>): Promise<T> {
    return this.engine.pool.use(this.id, (instance) => {
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
      const changed = this.engine.change(this.id);
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
    return this.engine.pool.drop(this.id);
  }
}
