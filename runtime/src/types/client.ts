import type { ActionsOf, AnyActorDefinition, ShapeOf } from "./definition.js";
import type { ClientSend } from "./queue.js";
import type { AnyRegistry, DefinitionsOf, Register } from "./registry.js";
import type { EventArgs, EventName, NoneDeclared } from "./schema.js";

type WithoutContext<Args> = Args extends [unknown, ...infer Rest] ? Rest : [];

/** Actions as a client sees them: without the context, always a promise. */
export type ActionMethods<A> = {
  readonly [K in keyof A]: A[K] extends (...args: infer Args) => infer Result
    ? (...args: WithoutContext<Args>) => Promise<Awaited<Result>>
    : never;
};

export interface ConnectOptions {
  /** Given to `onBeforeConnect` and `createConnState`. */
  readonly params?: unknown;
}

export type ConnectionStatus = "connecting" | "connected" | "disconnected" | "closed";

/** Stops a listener. */
export type Unsubscribe = () => void;

interface ConnectionMethods<E, Q> {
  readonly status: ConnectionStatus;
  readonly send: ClientSend<Q>;
  /** Calls `listener` for each event `name`, across reconnects, until unsubscribed. */
  on<N extends EventName<E>>(name: N, listener: (...args: EventArgs<E, N>) => void): Unsubscribe;
  /** Calls `listener` for the next event `name` only. */
  once<N extends EventName<E>>(name: N, listener: (...args: EventArgs<E, N>) => void): Unsubscribe;
  onStatus(listener: (status: ConnectionStatus) => void): Unsubscribe;
  onError(listener: (error: Error) => void): Unsubscribe;
  /** Resolves when the connection is open. */
  ready(): Promise<void>;
  /** Closes the connection for good. */
  dispose(): Promise<void>;
}

interface HandleMethods<Q> {
  readonly send: ClientSend<Q>;
  /** The instance's id. Creates the instance for a `getOrCreate` handle. */
  resolve(): Promise<string>;
}

/** A live connection to one instance; actions are called over it. */
export type ConnectionOf<AD extends AnyActorDefinition> = ConnectionMethods<
  ShapeOf<AD>["events"],
  ShapeOf<AD>["queues"]
> &
  ActionMethods<ActionsOf<AD>>;

/** One instance, as seen by a client. */
export type Handle<AD extends AnyActorDefinition> = HandleMethods<ShapeOf<AD>["queues"]> & {
  connect(options?: ConnectOptions): ConnectionOf<AD>;
} & ActionMethods<ActionsOf<AD>>;

/** One string is a key of one part. */
export type Key = string | readonly string[];

export interface CreateOptions<Input> {
  /** Given to `createState` and `onCreate`. */
  readonly input?: Input;
}

export interface GetOrCreateOptions<Input> {
  /** Given to `createState` and `onCreate` when the instance is created by this call. */
  readonly createWithInput?: Input;
}

/** The instances of one definition. Handles are made without a request. */
export interface Accessor<H, Input> {
  /** The instance with this key; calls fail with `actor_not_found` when there is none. */
  get(key?: Key): H;
  /** The instance with this key, created by the first call when there is none. */
  getOrCreate(key?: Key, options?: GetOrCreateOptions<Input>): H;
  /** Creates the instance now. @throws with code `actor_already_exists`. */
  create(key?: Key, options?: CreateOptions<Input>): Promise<H>;
  getForId(actorId: string): H;
}

/** The client of a registry: `client.name.getOrCreate(key).action(...)`. */
export type ClientOf<R extends AnyRegistry> = {
  readonly [K in keyof DefinitionsOf<R>]: Accessor<
    Handle<DefinitionsOf<R>[K]>,
    ShapeOf<DefinitionsOf<R>[K]>["input"]
  >;
};

/**
 * An action of a registry that is not known to the types. The result is what the place of the call
 * expects (`return await handle.count()` in a function that returns `Promise<number>` is a number), else
 * `unknown`. It is the caller's claim, not checked.
 */
export type UntypedAction = <Result = unknown>(...args: readonly unknown[]) => Promise<Result>;

interface UntypedActions {
  readonly [action: string]: UntypedAction;
}

export type UntypedConnection = ConnectionMethods<NoneDeclared, NoneDeclared> & UntypedActions;
export type UntypedHandle = HandleMethods<NoneDeclared> & {
  connect(options?: ConnectOptions): UntypedConnection;
} & UntypedActions;

/** The client of a registry that is not known to the types. */
export interface UntypedClient {
  readonly [name: string]: Accessor<UntypedHandle, unknown>;
}

/** What `ctx.client()` gives without a type argument: typed when the program fills `Register`. */
export type DefaultClient = Register extends { readonly registry: infer R extends AnyRegistry }
  ? ClientOf<R>
  : UntypedClient;
