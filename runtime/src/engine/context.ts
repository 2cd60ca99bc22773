import type { EntryKind } from "../manifest/format.js";
import type { Branch } from "./branches.js";
import type { StepFailureKind } from "./entry.js";
import type { TryStepFailure } from "./failure.js";
import { runJoin } from "./join.js";
import { runLoop, type LoopConfig, type LoopResult } from "./loop.js";
import {
  runNext,
  runNextBatch,
  type QueueBatchOptions,
  type QueueOptions,
  type ReceivedMessage,
} from "./queue.js";
import { runRace } from "./race.js";
import type { Scope } from "./scope.js";
import type { WorkflowHost } from "./seam.js";
import { runSleepUntil } from "./sleep.js";
import { runStep, runTryStep, type StepConfig } from "./step.js";
import { runTry, type TryConfig, type TryFailure } from "./try-block.js";
import { runCheckpoint, runGetVersion, runRemoved } from "./versions.js";

/** A step body's argument when the host gives none of its own; see `AttemptInfo`. */
export interface StepContext {
  readonly name: string;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly abortSignal: AbortSignal;
  isEvicted(): boolean;
}

type Body<C, T> = (context: C) => T | Promise<T>;
export type TryStepResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: TryStepFailure };
export type TryResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: TryFailure };

export interface TypedStepConfig<C, T> extends Omit<StepConfig, "run" | "rollback"> {
  readonly run: Body<C, T>;
  readonly rollback?: ((context: C, output: T) => void | Promise<void>) | undefined;
}

export interface TypedTryConfig<C, T> extends Omit<TryConfig, "run"> {
  readonly run: Body<C, T>;
}

export interface TypedLoopConfig<C, S, T> extends Omit<LoopConfig, "run" | "state"> {
  readonly state?: S;
  readonly run: (context: C, state: S) => Promise<LoopResult<S, T> | void>;
}

export interface TypedBranch<C, T> {
  readonly name: string;
  readonly run: Body<C, T>;
}

/** Set by the class below: only this file reaches the scope of a context. */
let scopeOf: (context: WorkflowContext<never>) => Scope;

/** The host that lends itself to the workflow of this context: for subclasses in `WorkflowHost.contextClass`. */
export function hostOf(context: WorkflowContext<never>): WorkflowHost {
  return scopeOf(context).pass.run.host;
}

/** True while the context's code only repeats what an earlier run did: logs stay silent then. */
export function isReplaying(context: WorkflowContext<never>): boolean {
  return scopeOf(context).replaying;
}

/** The subclass of `WorkflowContext` that a host wants; called with what the engine gives, nothing else. */
export type ContextClass = new (scope: Scope) => WorkflowContext;

/** Makes the context of a scope. */
export function contextOf(scope: Scope): WorkflowContext {
  return new (scope.pass.run.host.contextClass ?? WorkflowContext)(scope);
}

/**
 * What a workflow function, a loop body, a branch or a try block works with. Every method but the getters
 * is an entry (design §2) and must be awaited before the next.
 * @typeParam C what step bodies and rollback handlers get.
 */
export class WorkflowContext<C = StepContext> {
  readonly #scope: Scope;
  static {
    scopeOf = (context) => context.#scope;
  }

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** The instance's name. */
  get workflowId(): string {
    return this.#scope.pass.run.instance;
  }

  /** Aborted when the instance is evicted or cancelled, or when another branch of the race has won. */
  get abortSignal(): AbortSignal {
    return this.#scope.strand.signal;
  }

  isEvicted(): boolean {
    return this.#scope.pass.evicting || this.#scope.pass.dead;
  }

  get queue(): WorkflowQueue {
    const scope = this.#scope;
    return {
      next: (name, options) => scope.enter("queue wait", name, () => runNext(scope, name, options)),
      nextBatch: (name, options) => scope.enter("queue wait", name, () => runNextBatch(scope, name, options)),
    };
  }

  step<T>(name: string, run: Body<C, T>): Promise<T>;
  step<T>(config: TypedStepConfig<C, T>): Promise<T>;
  step<T>(nameOrConfig: string | TypedStepConfig<C, T>, run?: Body<C, T>): Promise<T> {
    const config = named<StepConfig>(nameOrConfig, run);
    return this.#scope.enter("step", config.name, () => runStep(this.#scope, config)) as Promise<T>;
  }

  tryStep<T>(name: string, run: Body<C, T>): Promise<TryStepResult<T>>;
  tryStep<T>(
    config: TypedStepConfig<C, T> & { readonly catch?: readonly StepFailureKind[] },
  ): Promise<TryStepResult<T>>;
  tryStep<T>(nameOrConfig: string | TypedStepConfig<C, T>, run?: Body<C, T>): Promise<TryStepResult<T>> {
    const config = named<StepConfig>(nameOrConfig, run);
    return this.#scope.enter("step", config.name, () => runTryStep(this.#scope, config)) as Promise<
      TryStepResult<T>
    >;
  }

  try<T>(name: string, run: Body<this, T>): Promise<TryResult<T>>;
  try<T>(config: TypedTryConfig<this, T>): Promise<TryResult<T>>;
  try<T>(nameOrConfig: string | TypedTryConfig<this, T>, run?: Body<this, T>): Promise<TryResult<T>> {
    const config = named<TryConfig>(nameOrConfig, run);
    return this.#scope.enter("try block", config.name, () =>
      runTry(this.#scope, config, contextOf),
    ) as Promise<TryResult<T>>;
  }

  loop<T = void>(name: string, run: Body<this, LoopResult<undefined, T> | void>): Promise<T>;
  loop<S, T = void>(config: TypedLoopConfig<this, S, T>): Promise<T>;
  loop<S, T>(
    nameOrConfig: string | TypedLoopConfig<this, S, T>,
    run?: Body<this, LoopResult<undefined, T> | void>,
  ): Promise<T> {
    const config = named<LoopConfig>(nameOrConfig, run);
    return this.#scope.enter("loop", config.name, () =>
      runLoop(this.#scope, config, contextOf),
    ) as Promise<T>;
  }

  /** Waits `duration` ms from when it is first reached. */
  sleep(name: string, duration: number): Promise<void> {
    const scope = this.#scope;
    return scope.enter("sleep", name, () =>
      runSleepUntil(scope, name, scope.pass.run.clock.now() + Math.max(duration, 0)),
    );
  }

  /** Waits until `timestamp`, ms since the epoch or a Date. */
  sleepUntil(name: string, timestamp: number | Date): Promise<void> {
    return this.#scope.enter("sleep", name, () => runSleepUntil(this.#scope, name, Number(timestamp)));
  }

  rollbackCheckpoint(name: string): Promise<void> {
    return this.#scope.enter("rollback checkpoint", name, () => runCheckpoint(this.#scope, name));
  }

  join<B extends Readonly<Record<string, { readonly run: (context: never) => unknown }>>>(
    name: string,
    branches: B,
  ): Promise<{ [K in keyof B]: Awaited<ReturnType<B[K]["run"]>> }> {
    const list: Branch[] = Object.entries(branches).map(([branch, { run }]) => ({ name: branch, run }));
    return this.#scope.enter("join", name, () =>
      runJoin(this.#scope, name, list, contextOf),
    ) as Promise<never>;
  }

  race<T>(name: string, branches: readonly TypedBranch<this, T>[]): Promise<{ winner: string; value: T }> {
    return this.#scope.enter("race", name, () =>
      runRace(this.#scope, name, branches as readonly Branch[], contextOf),
    ) as Promise<{ winner: string; value: T }>;
  }

  removed(name: string, was: EntryKind): Promise<void> {
    return this.#scope.enter("removed", name, () => runRemoved(this.#scope, name, was));
  }

  getVersion(name: string, latest: number): Promise<number> {
    return this.#scope.enter("version gate", name, () => runGetVersion(this.#scope, name, latest));
  }
}

export interface WorkflowQueue {
  next(name: string, options?: QueueOptions): Promise<ReceivedMessage>;
  nextBatch(name: string, options?: QueueBatchOptions): Promise<ReceivedMessage[]>;
}

/** `(name, run)` and `({ name, run, … })` are the same call. */
function named<Config>(nameOrConfig: string | object, run: unknown): Config {
  return (typeof nameOrConfig === "string" ? { name: nameOrConfig, run } : nameOrConfig) as Config;
}
