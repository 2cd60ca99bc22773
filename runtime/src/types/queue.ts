import type { QueueBody, QueueName, QueueResponse } from "./schema.js";

/** A message as received. */
export interface Message<Name extends string, Body> {
  readonly id: string;
  /** The queue that it came from. */
  readonly name: Name;
  readonly body: Body;
  /** Unix time in ms. */
  readonly createdAt: number;
}

type CompleteArgs<Response> = undefined extends Response ? [response?: Response] : [response: Response];

/** A message whose sender may be waiting for `complete`. */
export interface CompletableMessage<Name extends string, Body, Response> extends Message<Name, Body> {
  /** Answers the sender; the message counts as unprocessed until then. */
  complete(...args: CompleteArgs<Response>): Promise<void>;
}

/** One message of the queues `N`, discriminated by `name`. */
export type MessageFor<Q, N, Completable extends boolean> = N extends string
  ? Completable extends true
    ? CompletableMessage<N, QueueBody<Q, N>, QueueResponse<Q, N>>
    : Message<N, QueueBody<Q, N>>
  : never;

export interface QueueNextOptions<N extends string, Completable extends boolean> {
  /** Queues to take from; all of the actor's queues when absent. */
  readonly names?: readonly N[];
  /** Longest wait in ms; no limit when absent. */
  readonly timeout?: number;
  /** The message has to be completed by `message.complete()`. */
  readonly completable?: Completable;
}

export interface QueueNextBatchOptions<
  N extends string,
  Completable extends boolean,
> extends QueueNextOptions<N, Completable> {
  /** Largest number of messages; 1 when absent. */
  readonly count?: number;
}

/** `ctx.queue` of workflow code: each wait is an entry named by its first argument. */
export interface WorkflowQueue<Q> {
  /**
   * Waits for one message.
   * @throws when `timeout` passes first; `nextBatch` gives an empty list instead.
   */
  next<const N extends QueueName<Q> = QueueName<Q>, const Completable extends boolean = false>(
    name: string,
    options?: QueueNextOptions<N, Completable>,
  ): Promise<MessageFor<Q, N, Completable>>;
  /** Waits for at least one message and takes up to `count`; an empty list when `timeout` passes first. */
  nextBatch<const N extends QueueName<Q> = QueueName<Q>, const Completable extends boolean = false>(
    name: string,
    options?: QueueNextBatchOptions<N, Completable>,
  ): Promise<MessageFor<Q, N, Completable>[]>;
}

/** `queue.send` of steps, actions and hooks: puts a message in the instance's own queue. */
export interface QueueSender<Q> {
  send<N extends QueueName<Q>>(name: N, body: QueueBody<Q, N>): Promise<void>;
}

export interface SendWaitOptions {
  /** Wait until the message is completed. */
  readonly wait: true;
  /** Longest wait in ms; then `status` is `timedOut` and the message stays in the queue. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

export interface SendOptions {
  readonly wait?: false;
  readonly signal?: AbortSignal;
}

export type SendResult<Response> =
  | { readonly status: "completed"; readonly response?: Response }
  | { readonly status: "timedOut"; readonly response?: undefined };

/** `handle.send` of clients. */
export interface ClientSend<Q> {
  <N extends QueueName<Q>>(
    name: N,
    body: QueueBody<Q, N>,
    options: SendWaitOptions,
  ): Promise<SendResult<QueueResponse<Q, N>>>;
  <N extends QueueName<Q>>(name: N, body: QueueBody<Q, N>, options?: SendOptions): Promise<void>;
}
