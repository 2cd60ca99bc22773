import type { LoopResult } from "../engine/loop.js";
import type { EntryKind } from "../manifest/format.js";
import type { TryBlockCatchKind, TryBlockResult, TryStepCatchKind, TryStepResult } from "./failure.js";
import type { InstanceIdentity } from "./identity.js";
import type { WorkflowQueue } from "./queue.js";
import type { ActorShape } from "./shape.js";
import type { RollbackContext, WorkflowStepContext } from "./step-context.js";

export type StepRun<D extends ActorShape, T> = (step: WorkflowStepContext<D>) => Promise<T> | T;

export interface StepConfig<D extends ActorShape, T> {
  readonly name: string;
  readonly run: StepRun<D, T>;
  /** Undoes the step when a later one fails for good. Needs a rollback checkpoint before the step. */
  readonly rollback?: (ctx: RollbackContext, output: T) => Promise<void> | void;
  /** The output is not stored: the step runs again on replay. */
  readonly ephemeral?: boolean;
  /** Attempts after the first; 3 when absent. */
  readonly maxRetries?: number;
  /** First delay in ms, doubled each time; 100 when absent. */
  readonly retryBackoffBase?: number;
  /** Longest delay in ms; 30,000 when absent. */
  readonly retryBackoffMax?: number;
  /** In ms, 0 for none; 30,000 when absent. */
  readonly timeout?: number;
  /** A timeout is retried like any other error; it fails at once when absent. */
  readonly retryOnTimeout?: boolean;
}

export interface TryStepConfig<D extends ActorShape, T> extends StepConfig<D, T> {
  /** Failures returned as data: `critical`, `timeout` and `exhausted` when absent. */
  readonly catch?: readonly TryStepCatchKind[];
}

export interface TryConfig<D extends ActorShape, T> {
  readonly name: string;
  readonly run: (ctx: WorkflowContext<D>) => Promise<T>;
  /** Failures returned as data: `step`, `join` and `race` when absent. */
  readonly catch?: readonly TryBlockCatchKind[];
}

export interface LoopConfig<D extends ActorShape, S, T> {
  readonly name: string;
  /** State of the first iteration. */
  readonly state?: S;
  readonly run: (
    ctx: WorkflowContext<D>,
    state: S,
  ) => Promise<LoopResult<S, T> | (S extends undefined ? undefined | void : never)>;
  /** Old iterations are dropped from history every so many iterations; 20 when absent. */
  readonly historyPruneInterval?: number;
  /** Iterations kept when pruning; `historyPruneInterval` when absent. */
  readonly historySize?: number;
}

export interface BranchConfig<D extends ActorShape> {
  readonly run: (ctx: WorkflowContext<D>) => Promise<unknown>;
}

export interface RaceBranch<D extends ActorShape, T = unknown> {
  readonly name: string;
  readonly run: (ctx: WorkflowContext<D>) => Promise<T>;
}

/** The winner of a race, discriminated by its name. */
export type RaceResult<
  B extends readonly { readonly name: string; readonly run: (ctx: never) => unknown }[],
> = {
  [K in keyof B]: { readonly winner: B[K]["name"]; readonly value: Awaited<ReturnType<B[K]["run"]>> };
}[number];

/**
 * The context of workflow code. Each method is one entry of history (`try` is a scope), named uniquely
 * within its scope. One call at a time per context.
 */
export interface WorkflowContext<D extends ActorShape> extends InstanceIdentity {
  readonly workflowId: string;
  readonly queue: WorkflowQueue<D["queues"]>;

  /** Runs `run` once and records its output; replays give the recorded output. */
  step<T>(name: string, run: StepRun<D, T>): Promise<T>;
  step<T>(config: StepConfig<D, T>): Promise<T>;

  /** A step whose final failure is returned instead of thrown. */
  tryStep<T>(name: string, run: StepRun<D, T>): Promise<TryStepResult<T>>;
  tryStep<T>(config: TryStepConfig<D, T>): Promise<TryStepResult<T>>;

  /** A block whose final step, join and race failures are returned instead of thrown. */
  try<T>(name: string, run: (ctx: WorkflowContext<D>) => Promise<T>): Promise<TryBlockResult<T>>;
  try<T>(config: TryConfig<D, T>): Promise<TryBlockResult<T>>;

  /** Repeats `run` until it returns `Loop.break(value)`. */
  loop<T>(
    name: string,
    run: (ctx: WorkflowContext<D>) => Promise<LoopResult<undefined, T> | undefined | void>,
  ): Promise<T>;
  loop<S, T>(config: LoopConfig<D, S, T>): Promise<T>;

  /** Waits durably for `duration` ms. */
  sleep(name: string, duration: number): Promise<void>;
  /** Waits durably until `timestamp`, Unix ms or a Date. */
  sleepUntil(name: string, timestamp: number | Date): Promise<void>;

  /** Steps after it may have a `rollback`. */
  rollbackCheckpoint(name: string): Promise<void>;

  /** Runs all branches and waits for all; the outputs by branch name. */
  join<B extends Readonly<Record<string, BranchConfig<D>>>>(
    name: string,
    branches: B,
  ): Promise<{ [K in keyof B]: Awaited<ReturnType<B[K]["run"]>> }>;

  /** Runs all branches; the first to end wins, the others are dropped. */
  race<const B extends readonly RaceBranch<D>[]>(name: string, branches: B): Promise<RaceResult<B>>;
  race<T>(
    name: string,
    branches: readonly RaceBranch<D, T>[],
  ): Promise<{ readonly winner: string; readonly value: T }>;

  /** Stands for an entry that older code recorded here. */
  removed(name: string, was: EntryKind): Promise<void>;
  /** The version that this instance (or this iteration) follows: `latest`, or 1 when it came here under older code. */
  getVersion(name: string, latest: number): Promise<number>;
  /** True when the instance is being stopped. */
  isEvicted(): boolean;
}
