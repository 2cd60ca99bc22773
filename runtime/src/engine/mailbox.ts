import type { Clock, StoredRecord } from "./ports.js";
import { decodeRecord, decodeValue, encodeRecord, encodeValue } from "./codec.js";
import { EntryTooLargeError, InstanceAsleepError } from "./errors.js";
import type { Journal } from "./journal.js";
import { orderedNumber } from "./names.js";

/** A message in the durable queue of an instance. */
export interface Message {
  readonly id: string;
  /** The queue's name. */
  readonly name: string;
  readonly body: unknown;
  /** ms since the epoch. Never smaller than that of the message before it. */
  readonly createdAt: number;
}

/** What the mailbox tells the host, and its limit. */
export interface MailboxWatch {
  /** Largest message in characters as recorded. Default 1 MiB. */
  readonly maxMessageSize?: number;
  /**
   * What a completable message is to be answered with: gives the response as it will be used. Throws when
   * it must not be given; the message stays open then. Without it every response is taken.
   */
  checkResponse?(message: Message, response: unknown): unknown;
  /**
   * A message is being completed: by `message.complete(response)`, or by being received when it is not
   * completable. Called before the commit that makes it durable, so records put here join that commit.
   */
  onCompleting?(message: Message, response: unknown): void;
  /** That commit is durable: senders who wait can be answered. */
  onCompleted?(message: Message, response: unknown): void;
}

export const MAILBOX_PREFIX = "q/";
const DEFAULT_MAX_MESSAGE_SIZE = 1024 * 1024;

/**
 * The durable queue of one instance: first in, first out per name. Sending and taking only buffer in the
 * journal; whoever commits next makes them durable.
 *
 * 1. A message is stored until the commit that holds the history entry of its receipt (design §4.13).
 * 2. The order of messages is the order of `send` calls, whatever the clock does.
 */
export class Mailbox {
  private waiting: { readonly key: string; readonly message: Message }[] = [];
  /** Items before it are taken already; spares a move of the whole array per message. */
  private head = 0;
  private nextSeq = 0;
  private lastAt = 0;
  private arrival: (() => void) | undefined;
  private closed = false;

  /**
   * @param records all records of the instance; those of the mailbox are picked out.
   * @throws CorruptRecordError
   */
  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    records: readonly StoredRecord[] = [],
    readonly watch: MailboxWatch = {},
  ) {
    for (const { key, value } of records) {
      if (!key.startsWith(MAILBOX_PREFIX)) continue;
      const fields = decodeRecord("message", value, journal.instance, key);
      const [seq, id, name, createdAt, body] = fields as [number, string, string, number, unknown];
      this.waiting.push({ key, message: { id, name, createdAt, body: decodeValue(body) } });
      this.nextSeq = seq + 1;
      this.lastAt = createdAt;
    }
  }

  /** Number of messages that wait, of all queues or of one. */
  size(name?: string): number {
    if (name === undefined) return this.waiting.length - this.head;
    return this.list().reduce((sum, message) => sum + (message.name === name ? 1 : 0), 0);
  }

  /** The messages that wait, oldest first. */
  list(): readonly Message[] {
    return this.waiting.slice(this.head).map(({ message }) => message);
  }

  /**
   * Appends a message and wakes the workflow if it waits for one. Durable with the next commit: a host
   * that acknowledges it to a sender awaits `journal.commit()` first. Sends of a step must not be seen
   * before the step's record is kept: collect them during the body, call `send` in `HostAttempt.end`.
   * @throws SerializationError naming the property that can't be kept.
   * @throws EntryTooLargeError when it is longer than `maxMessageSize`.
   * @throws InstanceAsleepError when the instance was put to sleep meanwhile.
   */
  send(name: string, body: unknown): Message {
    if (this.closed) throw new InstanceAsleepError(this.journal.instance);
    const seq = this.nextSeq++;
    const createdAt = Math.max(this.clock.now(), this.lastAt);
    this.lastAt = createdAt;
    const id = crypto.randomUUID();
    const key = MAILBOX_PREFIX + orderedNumber(seq);
    const kept = encodeValue(body, `The body of a message to queue "${name}"`);
    const text = encodeRecord("message", [seq, id, name, createdAt, kept]);
    const limit = this.watch.maxMessageSize ?? DEFAULT_MAX_MESSAGE_SIZE;
    if (text.length > limit) throw new EntryTooLargeError(`A message to queue "${name}"`, text.length, limit);
    this.journal.put(key, text);
    const message: Message = { id, name, createdAt, body: decodeValue(kept) };
    this.waiting.push({ key, message });
    this.arrival?.();
    return message;
  }

  /** Calls `listener` after each arrival; the workflow's run listens. */
  onArrival(listener: (() => void) | undefined): void {
    this.arrival = listener;
  }

  /** The instance is put to sleep: nothing can be sent through this object any more. */
  close(): void {
    this.closed = true;
    this.arrival = undefined;
  }

  /**
   * Takes up to `count` messages out of the queues `names` (all without), oldest first, of those that
   * arrived at `until` (ms since the epoch) or before. Their removal is buffered in the journal.
   */
  take(names: readonly string[] | undefined, count: number, until = Infinity): Message[] {
    const taken: Message[] = [];
    for (let i = this.head; i < this.waiting.length && taken.length < count;) {
      const { key, message } = this.waiting[i] as (typeof this.waiting)[number]; // i is in range
      if ((names !== undefined && !names.includes(message.name)) || message.createdAt > until) {
        i++;
        continue;
      }
      taken.push(message);
      this.journal.delete(key);
      if (i === this.head) i = ++this.head;
      else this.waiting.splice(i, 1);
    }
    if (this.head > 64 && this.head * 2 > this.waiting.length) {
      this.waiting = this.waiting.slice(this.head);
      this.head = 0;
    }
    return taken;
  }
}
