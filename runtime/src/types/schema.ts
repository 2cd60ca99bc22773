import type { StandardSchemaV1 } from "@standard-schema/spec";

/**
 * How queues and events say what they carry: by type argument (`queue<Job>()`), or by a Standard Schema
 * validator (zod, valibot, arktype …) that is also run.
 */

/** A queue: the body of its messages and the response that completes one. Made by `queue()`. */
export interface QueueToken<Body, Response = unknown> {
  readonly kind: "queue";
  readonly message: StandardSchemaV1<unknown, Body> | null;
  readonly complete: StandardSchemaV1<unknown, Response> | null;
  /** Never present; carries the types. */
  readonly "~types"?: { readonly body: Body; readonly response: Response };
}

/** An event: the arguments that `broadcast` takes and listeners get. Made by `event()`. */
export interface EventToken<Args extends readonly unknown[]> {
  readonly kind: "event";
  readonly schema: StandardSchemaV1 | null;
  readonly "~types"?: Args;
}

/** What may stand in `queues: { name: … }`. */
export type QueueSchema =
  | QueueToken<unknown>
  | StandardSchemaV1
  | { readonly message: StandardSchemaV1; readonly complete?: StandardSchemaV1 };

/** What may stand in `events: { name: … }`. */
export type EventSchema = EventToken<readonly unknown[]> | StandardSchemaV1;

export type QueueMap = Readonly<Record<string, QueueSchema>>;
export type EventMap = Readonly<Record<string, EventSchema>>;

/** No queues (or events) declared: any name is taken, bodies are `unknown`. */
export type NoneDeclared = Record<never, never>;

export type QueueName<Q> = keyof Q extends never ? string : keyof Q & string;

type Declared<Q, N> = N extends keyof Q ? Q[N] : never;

type BodyOfSchema<T> =
  T extends QueueToken<infer Body, infer _Response>
    ? Body
    : T extends StandardSchemaV1
      ? StandardSchemaV1.InferOutput<T>
      : T extends { readonly message: infer M extends StandardSchemaV1 }
        ? StandardSchemaV1.InferOutput<M>
        : never;

type ResponseOfSchema<T> =
  T extends QueueToken<infer _Body, infer Response>
    ? Response
    : T extends { readonly complete: infer C extends StandardSchemaV1 }
      ? StandardSchemaV1.InferOutput<C>
      : unknown;

/** Body of the messages of queue `N`. */
export type QueueBody<Q, N> = keyof Q extends never ? unknown : BodyOfSchema<Declared<Q, N>>;

/** Response that completes a message of queue `N`. */
export type QueueResponse<Q, N> = keyof Q extends never ? unknown : ResponseOfSchema<Declared<Q, N>>;

export type EventName<E> = keyof E extends never ? string : keyof E & string;

type ArgsOfSchema<T> =
  T extends EventToken<infer Args>
    ? Args
    : T extends StandardSchemaV1
      ? [StandardSchemaV1.InferOutput<T>]
      : never;

/** `event<[A, B]>()` has two arguments, `event<A>()` has one. */
export type AsArgs<T> = T extends readonly unknown[] ? (number extends T["length"] ? [T] : T) : [T];

/** Arguments of event `N`. */
export type EventArgs<E, N> = keyof E extends never ? unknown[] : ArgsOfSchema<Declared<E, N>>;

export interface QueueOptions<Body, Response> {
  /** Checks (and may transform) every body before it is stored. */
  readonly message?: StandardSchemaV1<unknown, Body>;
  /** Checks every response given to `complete`. */
  readonly complete?: StandardSchemaV1<unknown, Response>;
}
