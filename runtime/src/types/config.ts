import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { ActionContext, ActorContext } from "./actor-context.js";
import type { Connection } from "./connection.js";
import type { InstanceDatabase } from "./database.js";
import type { WorkflowErrorEvent } from "./failure.js";
import type { EventMap, QueueMap } from "./schema.js";
import type { ActorShape, Shape } from "./shape.js";
import type { WorkflowContext } from "./workflow-context.js";

/** Actions by name. The first parameter is the context; clients call with the rest. */
export type ActionMap<D extends ActorShape> = Readonly<
  Record<string, (c: ActionContext<D>, ...args: never[]) => unknown>
>;

/** Times in ms, sizes in bytes. */
export interface ActorOptions {
  /** An idle instance is put to sleep after this time; 30,000 when absent. */
  readonly sleepTimeout?: number;
  /** Never put to sleep while the process runs. */
  readonly noSleep?: boolean;
  /** Longest run of an action; 60,000 when absent. */
  readonly actionTimeout?: number;
  /** Time that `onSleep` and `waitUntil` promises have before the instance is dropped; 15,000 when absent. */
  readonly sleepGracePeriod?: number;
  /** Messages that may wait at once; 1,000 when absent. */
  readonly maxQueueSize?: number;
  /** Largest message body, encoded; 65,536 when absent. */
  readonly maxQueueMessageSize?: number;
  /** Open `schedule` entries and cron jobs; 1,000 when absent. */
  readonly maxSchedules?: number;
}

type Awaitable<T> = T | Promise<T>;

/**
 * What `actor` and `workflow` take, but for `run`. `state` or `createState`, `vars` or `createVars`,
 * `connState` or `createConnState`: one of each pair.
 */
export interface BaseConfig<
  State,
  Vars,
  Input,
  ConnParams,
  ConnState,
  Events extends EventMap,
  Queues extends QueueMap,
  Actions,
  D extends ActorShape = Shape<State, Vars, Input, ConnParams, ConnState, InstanceDatabase, Events, Queues>,
> {
  /** Checks the input of `create` and `getOrCreate`. */
  readonly input?: StandardSchemaV1<unknown, Input>;
  /** First state of every instance (copied). */
  readonly state?: State;
  readonly createState?: (
    c: ActorContext<
      Shape<undefined, undefined, Input, ConnParams, ConnState, InstanceDatabase, Events, Queues>
    >,
    input: Input,
  ) => Awaitable<State>;
  /** First vars each time an instance wakes (copied). */
  readonly vars?: Vars;
  readonly createVars?: (
    c: ActorContext<Shape<State, undefined, Input, ConnParams, ConnState, InstanceDatabase, Events, Queues>>,
  ) => Awaitable<Vars>;
  readonly connState?: ConnState;
  readonly createConnState?: (
    c: ActorContext<Shape<State, Vars, Input, unknown, undefined, InstanceDatabase, Events, Queues>>,
    params: ConnParams,
  ) => Awaitable<ConnState>;
  readonly queues?: Queues;
  readonly events?: Events;
  /** The intersection gives `c` its type even where `State` comes out of `createState`. */
  readonly actions?: Actions & ActionMap<D>;
  readonly options?: ActorOptions;

  /** Once, in the transaction that creates the instance. */
  readonly onCreate?: (c: ActorContext<D>, input: Input) => Awaitable<void>;
  /** Each time the instance is loaded, before the workflow, actions and messages. */
  readonly onWake?: (c: ActorContext<D>) => Awaitable<void>;
  /** Before an idle or stopped instance is dropped from memory. */
  readonly onSleep?: (c: ActorContext<D>) => Awaitable<void>;
  readonly onDestroy?: (c: ActorContext<D>) => Awaitable<void>;
  /** After each commit that changed the state. */
  readonly onStateChange?: (c: ActorContext<D>, state: State) => void;
  /** Refuses a connection by throwing. */
  readonly onBeforeConnect?: (
    c: ActorContext<Shape<State, Vars, Input, unknown, undefined, InstanceDatabase, Events, Queues>>,
    params: ConnParams,
  ) => Awaitable<void>;
  readonly onConnect?: (c: ActorContext<D>, conn: Connection<D>) => Awaitable<void>;
  readonly onDisconnect?: (c: ActorContext<D>, conn: Connection<D>) => Awaitable<void>;
}

/** Second argument of `workflow`. */
export interface WorkflowOptions<D extends ActorShape> {
  /** Told of every failed step attempt, rollback and run. Not part of replay. */
  readonly onError?: (c: ActorContext<D>, event: WorkflowErrorEvent) => Awaitable<void>;
}

/** A workflow function. Runs again from the top on replay. */
export type WorkflowRun<D extends ActorShape> = (ctx: WorkflowContext<D>) => Promise<unknown>;

/**
 * `run` of `actor`: what `workflow(fn)` gives, or a plain function that runs while the instance is awake.
 *
 * A bare function type without properties on purpose: TypeScript then infers the state, queues … of a nested
 * `workflow(fn)` from the actor around it (it puts off calls that return functions until the rest is known).
 */
export type ActorRun<D extends ActorShape> = (c: ActorContext<D>) => Awaitable<void>;
