import { decodeValue } from "./codec.js";
import { decodeEntry, HISTORY_PREFIX, type EntryData, type MessageData } from "./entry.js";
import type { Message } from "./mailbox.js";
import { readablePath } from "./names.js";
import type { StoredRecord } from "./ports.js";

/** What all keys of a history begin with, but for the `/`. */
const ROOT_KEY = HISTORY_PREFIX.slice(0, -1);

/**
 * A place in the history: an entry (then it has `data`), a scope (then it has children), or both.
 *
 * 1. `recorded` is the number of children with data, so that scopes are opened and checked without a walk.
 * 2. `mark` is the number of the last pass that visited the place, negative when that used only the name, for
 *    something without an entry (a try block, a queue wait): one comparison tells a duplicate.
 */
export class Place {
  /** By key. Made with the first child: most places are entries without any. */
  private below: Map<string, Place> | undefined = undefined;
  /** What is recorded here, or the text of its record: that takes less memory, and most are not looked at again. */
  private kept: EntryData | string | undefined = undefined;
  recorded = 0;
  mark = 0;

  constructor(
    readonly parent?: Place,
    /** Of its record. */
    readonly key = ROOT_KEY,
  ) {}

  /** What is recorded here. */
  get data(): EntryData | undefined {
    if (typeof this.kept === "string") this.kept = decodeEntry(this.kept, "", this.key);
    return this.kept;
  }

  /** Names and iterations as they stand in keys, joined by `/`. */
  get path(): string {
    return this.key.slice(HISTORY_PREFIX.length);
  }

  /** The path for people. */
  get shown(): string {
    return readablePath(this.path);
  }

  /** The last part of the path. */
  get segment(): string {
    return this.key.slice(this.key.lastIndexOf("/") + 1);
  }

  /** The child of that segment, made if need be. */
  child(segment: string): Place {
    const below = (this.below ??= new Map<string, Place>());
    const key = `${this.key}/${segment}`;
    let child = below.get(key);
    if (child === undefined) below.set(key, (child = new Place(this, key)));
    return child;
  }

  /** The child of that segment, if there is one. */
  find(segment: string): Place | undefined {
    return this.below?.get(`${this.key}/${segment}`);
  }

  /** In the order in which they were made. */
  get children(): Iterable<Place> {
    return this.below?.values() ?? [];
  }

  /** Sets or forgets what is recorded here: the entry, or the text of its record. */
  keep(kept: EntryData | string | undefined): void {
    if (this.parent !== undefined)
      this.parent.recorded += Number(kept !== undefined) - Number(this.kept !== undefined);
    this.kept = kept;
  }

  /** Takes the place and all below it out of the tree. */
  remove(): void {
    this.keep(undefined);
    this.parent?.below?.delete(this.key);
  }

  /** Every place below this one that has data, parents first. */
  *entries(): Generator<Place> {
    for (const child of this.children) {
      if (child.data !== undefined) yield child;
      yield* child.entries();
    }
  }
}

/**
 * The tree of a stored history; reads each record once.
 * @throws CorruptRecordError
 */
export function loadHistory(
  instance: string,
  records: readonly StoredRecord[],
): { root: Place; nextSeq: number } {
  const root = new Place();
  let nextSeq = 0;
  for (const { key, value } of records) {
    if (!key.startsWith(HISTORY_PREFIX)) continue;
    const data = decodeEntry(value, instance, key);
    let place = root;
    for (const segment of key.slice(HISTORY_PREFIX.length).split("/")) place = place.child(segment);
    place.keep(data);
    if (data.seq >= nextSeq) nextSeq = data.seq + 1;
  }
  return { root, nextSeq };
}

/** The messages whose receipt is recorded there, in the order of receipt. */
export function messagesOf(places: readonly Place[]): Message[] {
  return places
    .flatMap(({ data }) =>
      data?.kind === "message" && typeof data.detail === "object" ? [data as MessageData] : [],
    )
    .sort((a, b) => a.seq - b.seq)
    .map(messageOf);
}

/** The message whose receipt is recorded so. */
export function messageOf({ detail: { id, queue, createdAt }, value }: MessageData): Message {
  return { id, name: queue, createdAt, body: decodeValue(value) };
}
