import { encodeValue } from "./codec.js";
import type { CountData, MessageData } from "./entry.js";
import { CancelledError, HistoryDivergedError, QueueTimeoutError, UsageError } from "./errors.js";
import { callHost } from "./host-call.js";
import { messageOf, type Place } from "./history.js";
import type { Message } from "./mailbox.js";
import type { PlaceOf, Scope } from "./scope.js";

/** Seed, "Queues and messaging". */
export interface QueueOptions {
  /** Queues to take from; all without it. */
  readonly names?: readonly string[] | undefined;
  /** ms; without it the wait has no end. */
  readonly timeout?: number | undefined;
  /** The messages must be completed with `message.complete(response)` before the next wait. */
  readonly completable?: boolean | undefined;
}

export interface QueueBatchOptions extends QueueOptions {
  /** Most messages to take. Default 1. */
  readonly count?: number | undefined;
}

export interface ReceivedMessage {
  readonly id: string;
  readonly name: string;
  readonly body: unknown;
  readonly createdAt: number;
  /** Only on completable messages. Answers the sender; durable with the next commit. */
  complete?(response?: unknown): Promise<void>;
}

/** `queue.next`: one message. @throws QueueTimeoutError when there is a timeout and it passes. */
export async function runNext(
  scope: Scope,
  name: string,
  options: QueueOptions = {},
): Promise<ReceivedMessage> {
  const [message] = await runNextBatch(scope, name, { ...options, count: 1 });
  if (message === undefined) throw new QueueTimeoutError(scope.pathOf(name), options.timeout ?? 0);
  return message;
}

/**
 * `queue.nextBatch`: what waits, at most `count`, at least one; `[]` once the timeout has passed.
 *
 * 1. The wait owns the entries `name:count`, `name:0` …, and `name:deadline` when it has a timeout.
 * 2. Messages leave the queue in the commit that holds these entries.
 * 3. What counts is when a message arrived, not when the worker looked: one that came before the deadline
 *    is received, one that came after it is not.
 */
export async function runNextBatch(
  scope: Scope,
  name: string,
  options: QueueBatchOptions = {},
): Promise<ReceivedMessage[]> {
  const { pass, strand } = scope;
  const { names, count = 1, timeout } = options;
  checkWait(scope, name, count, timeout);
  scope.reserve(name);
  const countPlace = scope.visit(`${name}:count`, "message") as PlaceOf<"message"> & { data?: CountData };
  const deadlinePlace = timeout === undefined ? undefined : scope.visit(`${name}:deadline`, "sleep");
  if (countPlace.data !== undefined) return replayMessages(scope, name, countPlace.data.detail, options);
  if (pass.mode === "rollback") return strand.stop();

  let deadline = deadlinePlace?.data?.detail ?? null;
  if (deadlinePlace !== undefined && deadline === null && timeout !== Infinity) {
    deadline = Math.ceil(pass.run.clock.now() + Number(timeout));
    pass.add(deadlinePlace, "sleep", "pending", deadline);
  }
  // Taking and recording in one go: a commit between the two would lose the messages.
  const received = await strand.wait(deadline, (now) => {
    const taken = pass.run.mailbox.take(names, count, deadline ?? Infinity);
    if (taken === undefined) return undefined; // more are being read
    if (taken.length === 0 && (deadline === null || now < deadline)) return undefined;
    return recordMessages(scope, name, countPlace, taken, options);
  });
  // Run again after a crash, a wait takes the same messages if it took all it asked for and nobody else
  // takes any. Then its record can go with the commit of what follows.
  if (!(received.length === count && pass.alone)) await pass.commit();
  return received;
}

function checkWait(scope: Scope, name: string, count: number, timeout = 0): void {
  const isOpen = (scope.strand.openMessages?.size ?? 0) > 0;
  if (!isOpen && Number.isInteger(count) && count > 0 && timeout >= 0) return;
  const path = scope.pathOf(name);
  const wait = `Queue wait "${path}"`;
  throw isOpen
    ? new UsageError(
        "message_not_completed",
        `${wait} was started before a completable message received earlier was completed. Call \`await message.complete(response)\` on every path before the next wait.`,
        path,
      )
    : new UsageError(
        "queue_options",
        `${wait}: count must be a whole number of at least 1 and timeout at least 0 ms; got count ${String(count)}, timeout ${String(timeout)}.`,
        path,
      );
}

function recordMessages(
  scope: Scope,
  name: string,
  countPlace: Place,
  messages: readonly Message[],
  { completable: isCompletable = false }: QueueBatchOptions,
): ReceivedMessage[] {
  const { pass } = scope;
  const received = messages.map((message, index) => {
    const { id, name: queue, createdAt, body } = message;
    const place = scope.visit(`${name}:${index}`);
    const detail = { id, queue, createdAt, ...(isCompletable && { completed: false }) };
    const value = encodeValue(body, "A message body");
    const data = pass.add(place, "message", "completed", detail, value, Infinity); // its size was checked when it was sent
    if (isCompletable) return completable(scope, place, data as MessageData);
    completing(scope, message, undefined);
    return { ...message };
  });
  pass.add(countPlace, "message", "completed", messages.length);
  return received;
}

function replayMessages(
  scope: Scope,
  name: string,
  count: number,
  options: QueueBatchOptions,
): ReceivedMessage[] {
  return Array.from({ length: count }, (_, index) => {
    const place = scope.visit(`${name}:${index}`, "message");
    const data = place.data as MessageData | undefined;
    if (data === undefined)
      throw new HistoryDivergedError(
        `Message "${place.shown}" is missing in the history, though its wait received ${count}.`,
        place.shown,
      );
    return options.completable === true ? completable(scope, place, data) : messageOf(data);
  });
}

/** A message that user code must complete; one that was completed in an earlier run takes it as done. */
function completable(scope: Scope, place: Place, data: MessageData): ReceivedMessage {
  const { pass, strand } = scope;
  const message = messageOf(data);
  const done = data.detail.completed === true || pass.mode === "rollback";
  const { id, name } = message;
  let calls = 0;
  if (!done) (strand.openMessages ??= new Set()).add(id);
  const complete = async (response?: unknown): Promise<void> => {
    if (++calls > 1)
      throw new UsageError(
        "message_completed_twice",
        `The message "${id}" of queue "${name}" is completed already.`,
        place.shown,
      );
    if (done || pass.dead) return;
    if (strand.cancelled) throw new CancelledError(place.shown); // what a loser did not use waits again
    let answer = response;
    try {
      const { watch } = pass.run.mailbox;
      if (watch.checkResponse !== undefined) answer = watch.checkResponse(message, response);
      encodeValue(answer, `The response to message "${id}" of queue "${name}"`);
    } catch (error) {
      calls = 0;
      throw error;
    }
    pass.record(place, { ...data, detail: { ...data.detail, completed: true } });
    strand.openMessages?.delete(id);
    completing(scope, message, answer);
  };
  return { ...message, complete };
}

function completing(scope: Scope, message: Message, response: unknown): void {
  const { mailbox, journal, host } = scope.pass.run;
  mailbox.watch.onCompleting?.(message, response);
  const { onCompleted } = mailbox.watch;
  if (onCompleted !== undefined) {
    journal.afterCommit(() => {
      callHost(host, () => {
        onCompleted(message, response);
      });
    });
  }
}
