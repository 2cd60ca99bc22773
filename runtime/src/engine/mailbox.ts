import type { Clock, StoredRecord } from "./ports.js";
import {
  decodeRecord,
  decodeValue,
  encodeRecord,
  encodeValue,
  prefixRange,
  type EncodedValue,
} from "./codec.js";
import { CorruptRecordError, EntryTooLargeError, InstanceAsleepError } from "./errors.js";
import type { Journal } from "./journal.js";
import { orderedNumber } from "./names.js";

/** A message in the durable queue of an instance. */
export interface Message {
  readonly id: string;
  /** The queue's name. */
  readonly name: string;
  readonly body: unknown;
  /** ms since the epoch, by the clock as it stood. */
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
/** The keys of waiting messages. */
export const MAILBOX_RANGE = prefixRange(MAILBOX_PREFIX);
/** Messages of one instance that are held in memory, at most; the others wait in the store alone. */
export const MAILBOX_WINDOW = 500;
const DEFAULT_MAX_MESSAGE_SIZE = 1024 * 1024;
/** Where numbers begin in an empty mailbox. Those below are for messages that are put back. */
const FIRST_NUMBER = 36 ** 5;

interface Waiting {
  readonly number: number;
  readonly message: Message;
}

/**
 * The durable queue of one instance: first in, first out per name. Sending and taking only buffer in the
 * journal; whoever commits next makes them durable.
 *
 * 1. A message is stored until the commit that holds the history entry of its receipt (design §4.13).
 * 2. The order of messages is the order of `send` calls, whatever the clock does.
 * 3. The first `MAILBOX_WINDOW` are in memory. Those beyond are read when the ones before them do not do; the
 *    window grows past its size only by messages of queues that nobody waits for.
 */
export class Mailbox {
  private waiting: Waiting[] = [];
  /** Items before it are taken already; spares a move of the whole array per message. */
  private head = 0;
  /** How many are stored after the last that is or was in `waiting`. */
  private beyond: number;
  /** The number of that last one. */
  private loadedTo = -1;
  private nextNumber = FIRST_NUMBER;
  private arrival: (() => void) | undefined;
  private closed = false;
  /** More are being read. */
  reading = false;
  /** A stored message can't be read: nothing is taken or sent any more. */
  fault: CorruptRecordError | undefined;

  /**
   * @param records all records of the instance that are loaded; those of the mailbox are picked out. When one of
   * them can't be read, `fault` says so.
   */
  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    records: readonly StoredRecord[] = [],
    readonly watch: MailboxWatch = {},
  ) {
    const { unread } = journal;
    this.beyond = unread?.count ?? 0;
    try {
      this.append(records.filter(({ key }) => key.startsWith(MAILBOX_PREFIX)));
      if (unread?.last !== undefined) this.nextNumber = this.decode(unread.last).number + 1;
    } catch (error) {
      this.noteFault(error);
    }
  }

  private noteFault(error: unknown): void {
    if (!(error instanceof CorruptRecordError)) throw error;
    this.fault = error;
  }

  private append(records: readonly StoredRecord[]): void {
    for (const record of records) {
      const item = this.decode(record);
      this.waiting.push(item);
      this.loadedTo = item.number;
      this.nextNumber = Math.max(this.nextNumber, item.number + 1);
    }
  }

  private decode({ key, value }: StoredRecord): Waiting {
    const fields = decodeRecord("message", value, this.journal.instance, key);
    const [number, id, name, createdAt, body] = fields as [number, string, string, number, unknown];
    return { number, message: { id, name, createdAt, body: decodeValue(body) } };
  }

  /** Number of messages that wait. */
  size(): number {
    return this.waiting.length - this.head + this.beyond;
  }

  /** The first messages that wait, oldest first: those in memory. */
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
   * @throws CorruptRecordError when a stored message can't be read.
   */
  send(name: string, body: unknown): Message {
    if (this.closed) throw new InstanceAsleepError(this.journal.instance);
    if (this.fault !== undefined) throw this.fault;
    const createdAt = this.clock.now(); // even if the clock was set back: deadlines are told by it, too
    const id = crypto.randomUUID();
    const kept = encodeValue(body, `The body of a message to queue "${name}"`);
    const number = this.nextNumber;
    const message: Message = { id, name, createdAt, body: decodeValue(kept) };
    this.put(number, message, kept);
    this.nextNumber = number + 1;
    if (this.beyond > 0 || this.waiting.length - this.head >= MAILBOX_WINDOW) this.beyond++;
    else {
      this.waiting.push({ number, message });
      this.loadedTo = number;
    }
    this.arrival?.();
    return message;
  }

  private put(number: number, { id, name, createdAt }: Message, body: EncodedValue): void {
    const text = encodeRecord("message", [number, id, name, createdAt, body]);
    const limit = this.watch.maxMessageSize ?? DEFAULT_MAX_MESSAGE_SIZE;
    if (text.length > limit) throw new EntryTooLargeError(`A message to queue "${name}"`, text.length, limit);
    this.journal.put(keyOf(number), text);
  }

  /** Puts messages that were received back before all that wait, in the order given. */
  putBack(messages: readonly Message[]): void {
    const { number: first } = this.waiting[this.head] ?? {
      number: this.beyond > 0 ? this.loadedTo + 1 : this.nextNumber,
    };
    const back = messages.map((message, index) => ({ number: first - messages.length + index, message }));
    for (const { number, message } of back)
      this.put(number, message, encodeValue(message.body, "A message body"));
    this.waiting = [...back, ...this.waiting.slice(this.head)];
    this.head = 0;
    this.loadedTo = Math.max(this.loadedTo, first - 1);
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
   * @returns `undefined` when stored messages must be read first: ask again at the next arrival.
   */
  take(names: readonly string[] | undefined, count: number, until = Infinity): Message[] | undefined {
    const found: number[] = [];
    let index = this.head;
    for (; index < this.waiting.length && found.length < count; index++) {
      const { message } = this.waiting[index] as Waiting; // index is in range
      if (message.createdAt <= until && (names === undefined || names.includes(message.name)))
        found.push(index);
    }
    if (found.length < count && this.beyond > 0) {
      void this.readOn();
      return undefined;
    }
    const taken = found.map((at) => this.waiting[at] as Waiting); // found in range
    for (const { number } of taken) this.journal.delete(keyOf(number));
    if (found.at(-1) === this.head + found.length - 1) this.head += found.length;
    else for (const at of found.reverse()) this.waiting.splice(at, 1);
    if (this.head > 64 && this.head * 2 > this.waiting.length) {
      this.waiting = this.waiting.slice(this.head);
      this.head = 0;
    }
    return taken.map(({ message }) => message);
  }

  /** Reads the next messages beyond the window; then it is as if they arrived. */
  private async readOn(): Promise<void> {
    if (this.reading || this.closed || this.fault !== undefined) return;
    this.reading = true;
    try {
      await this.journal.commit(); // what was sent is to be read back
      const range = { from: keyOf(this.loadedTo + 1), to: MAILBOX_RANGE.to };
      const records = await this.journal.read(range, MAILBOX_WINDOW);
      this.append(records);
      this.beyond -= records.length;
    } catch (error) {
      if (error instanceof CorruptRecordError) this.fault = error;
      else this.journal.giveUp(error);
    }
    this.reading = false;
    this.arrival?.();
  }
}

const keyOf = (number: number): string => MAILBOX_PREFIX + orderedNumber(number);
