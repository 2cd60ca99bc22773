import type { DefaultClient, ClientOf } from "./client.js";
import type { Connections } from "./connection.js";
import type { InstanceKv } from "./database.js";
import type { InstanceIdentity } from "./identity.js";
import type { QueueSender } from "./queue.js";
import type { AnyRegistry } from "./registry.js";
import type { Cron, Schedule } from "./schedule.js";
import type { EventArgs, EventName } from "./schema.js";
import type { ActorShape } from "./shape.js";

/** The parts of an instance that step code, actions and hooks may use, and workflow code may not. */
export interface InstanceAccess<D extends ActorShape> extends InstanceIdentity {
  /** Durable. Change it in place or set it whole; it commits with the step, action or hook. */
  state: D["state"];
  /** Lives as long as the instance is awake; never stored. */
  vars: D["vars"];
  readonly db: D["db"];
  readonly kv: InstanceKv;
  readonly queue: QueueSender<D["queues"]>;
  readonly schedule: Schedule;
  readonly cron: Cron;
  /** Open connections by id. */
  readonly conns: Connections<D>;
  /**
   * Handles of the registry's other actors, called in process. Typed when the registry is known:
   * `client<typeof registry>()`, or once for all by declaring it in the interface `Register`.
   */
  client(): DefaultClient;
  client<R extends AnyRegistry>(): ClientOf<R>;
  /** Sends an event to every connection, once the step, action or hook has committed. */
  broadcast<N extends EventName<D["events"]>>(name: N, ...args: EventArgs<D["events"], N>): void;
  /** Keeps the instance awake until the promise settles, and gives its result. */
  keepAwake<T>(promise: Promise<T>): Promise<T>;
  /** Lets sleep wait (within its grace time) for the promise. */
  waitUntil(promise: Promise<unknown>): void;
  /** Ends the instance for good, once the step, action or hook has committed. */
  destroy(): void;
}

/** The context of a step's body. Its members throw `ContextClosedError` once the step is over. */
export interface WorkflowStepContext<D extends ActorShape> extends InstanceAccess<D> {
  /** From 1. */
  readonly attempt: number;
  /** The same for every attempt of this step of this instance: give it to services that take one. */
  readonly idempotencyKey: string;
  /** True when the instance is being stopped. */
  isEvicted(): boolean;
}

/** The context of a rollback handler: no actor APIs, because a rollback must not depend on them. */
export interface RollbackContext {
  readonly workflowId: string;
  readonly abortSignal: AbortSignal;
  /** True when the instance is being stopped; the handler runs again later. */
  isEvicted(): boolean;
}
