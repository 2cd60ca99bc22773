import { decodeValue, encodeValue } from "./codec.js";
import type { CountData, MessageData, SleepData } from "./entry.js";
import { HistoryDivergedError, QueueTimeoutError, UsageError } from "./errors.js";
import { callHost } from "./host-call.js";
import type { Place } from "./history.js";
import type { Message } from "./mailbox.js";
import type { Scope } from "./scope.js";

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
  checkWait(scope, name, options);
  scope.reserve(name);
  const countPlace = scope.visit(`${name}:count`);
  const recordedCount = scope.recorded(countPlace, "message") as CountData | undefined;
  const deadlinePlace = options.timeout === undefined ? undefined : scope.visit(`${name}:deadline`);
  const recordedDeadline = deadlinePlace && scope.recorded(deadlinePlace, "sleep");
  if (recordedCount !== undefined) return replayMessages(scope, name, recordedCount.detail, options);
  if (pass.mode === "rollback") return strand.stop();

  const fresh = deadlinePlace !== undefined && recordedDeadline === undefined;
  const deadline = fresh
    ? recordDeadline(scope, deadlinePlace, options.timeout ?? 0)
    : recordedDeadline?.detail;
  const count = options.count ?? 1;
  // Taking and recording in one go: a commit between the two would lose the messages.
  const received = await strand.wait(deadline ?? null, (now) => {
    const taken = pass.run.mailbox.take(options.names, count, deadline);
    if (taken === undefined) return undefined; // more are being read
    if (taken.length === 0 && (deadline === undefined || now < deadline)) return undefined;
    return recordMessages(scope, name, countPlace, taken, options);
  });
  // Run again after a crash, a wait takes the same messages if it took all it asked for and nobody else
  // takes any. Then its record can go with the commit of what follows.
  if (!(received.length === count && pass.alone)) await pass.commit();
  return received;
}

function checkWait(scope: Scope, name: string, options: QueueBatchOptions): void {
  if (scope.strand.openMessages.size > 0) {
    const path = scope.pathOf(name);
    throw new UsageError(
      "message_not_completed",
      `Queue wait "${path}" was started before a completable message received earlier was completed. Call \`await message.complete(response)\` on every path before the next wait.`,
      path,
    );
  }
  const { count = 1, timeout = 0 } = options;
  if (!Number.isInteger(count) || count < 1 || !(timeout >= 0)) {
    const path = scope.pathOf(name);
    throw new UsageError(
      "queue_options",
      `Queue wait "${path}": count must be a whole number of at least 1 and timeout at least 0 ms; got count ${String(options.count)}, timeout ${String(options.timeout)}.`,
      path,
    );
  }
}

function recordDeadline(scope: Scope, place: Place, timeout: number): number | undefined {
  const { run } = scope.pass;
  const now = run.clock.now();
  const deadline = Math.ceil(now + timeout);
  if (!Number.isFinite(deadline)) return undefined; // timeout: Infinity is no timeout
  const data: SleepData = {
    kind: "sleep",
    seq: run.nextSeq(),
    status: "pending",
    startedAt: now,
    completedAt: 0,
    detail: deadline,
  };
  scope.pass.record(place, data);
  return deadline;
}

function recordMessages(
  scope: Scope,
  name: string,
  countPlace: Place,
  messages: readonly Message[],
  options: QueueBatchOptions,
): ReceivedMessage[] {
  const { pass } = scope;
  const { run } = pass;
  const now = run.clock.now();
  const received = messages.map((message, index) => {
    const place = scope.visit(`${name}:${index}`);
    const data: MessageData = {
      kind: "message",
      seq: run.nextSeq(),
      status: "completed",
      startedAt: now,
      completedAt: now,
      detail: {
        id: message.id,
        queue: message.name,
        createdAt: message.createdAt,
        ...(options.completable === true && { completed: false }),
      },
      value: encodeValue(message.body, "A message body"),
    };
    pass.record(place, data, Infinity); // its size was checked when it was sent
    if (options.completable === true) return completable(scope, place, data);
    completing(scope, message, undefined);
    return { ...message };
  });
  const count: CountData = {
    kind: "message",
    seq: run.nextSeq(),
    status: "completed",
    startedAt: now,
    completedAt: now,
    detail: messages.length,
  };
  pass.record(countPlace, count);
  return received;
}

function replayMessages(
  scope: Scope,
  name: string,
  count: number,
  options: QueueBatchOptions,
): ReceivedMessage[] {
  const received: ReceivedMessage[] = [];
  for (let index = 0; index < count; index++) {
    const place = scope.visit(`${name}:${index}`);
    const data = scope.recorded(place, "message") as MessageData | undefined;
    if (data === undefined) {
      const path = scope.pathOf(`${name}:${index}`);
      throw new HistoryDivergedError(
        `Message "${path}" is missing in the history, though its wait received ${count}.`,
        path,
      );
    }
    received.push(
      options.completable === true
        ? completable(scope, place, data)
        : {
            id: data.detail.id,
            name: data.detail.queue,
            createdAt: data.detail.createdAt,
            body: decodeValue(data.value),
          },
    );
  }
  return received;
}

/** A message that user code must complete; one that was completed in an earlier run takes it as done. */
function completable(scope: Scope, place: Place, data: MessageData): ReceivedMessage {
  const { pass, strand } = scope;
  const { id, queue, createdAt } = data.detail;
  const message = { id, name: queue, createdAt, body: decodeValue(data.value) };
  const done = data.detail.completed === true;
  let calls = 0;
  if (!done && pass.mode === "run") strand.openMessages.add(id);
  const complete = (response?: unknown): Promise<void> => {
    calls++;
    if (calls > 1)
      return Promise.reject(
        new UsageError(
          "message_completed_twice",
          `The message "${id}" of queue "${queue}" is completed already.`,
          scope.pathOf(place.segment),
        ),
      );
    if (done || pass.mode === "rollback" || pass.dead) return Promise.resolve();
    let answer = response;
    try {
      const { watch } = pass.run.mailbox;
      if (watch.checkResponse !== undefined) answer = watch.checkResponse(message, response);
      encodeValue(answer, `The response to message "${id}" of queue "${queue}"`);
    } catch (error) {
      calls = 0;
      return Promise.reject(error as Error);
    }
    pass.record(place, { ...data, detail: { ...data.detail, completed: true } });
    strand.openMessages.delete(id);
    completing(scope, message, answer);
    return Promise.resolve();
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
