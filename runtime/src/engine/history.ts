import { decodeValue } from "./codec.js";
import { decodeEntry, HISTORY_PREFIX, type EntryData, type MessageData } from "./entry.js";
import type { Message } from "./mailbox.js";
import { readablePath } from "./names.js";
import type { StoredRecord } from "./ports.js";

/** What all keys of a history begin with, but for the `/`. */
const ROOT_KEY = HISTORY_PREFIX.slice(0, -1);
const NONE: ReadonlyMap<string, Place> = new Map();

/**
 * A place in the history: an entry (then it has `data`), a scope (then it has children), or both.
 *
 * 1. `recorded` is the number of children with data, so that scopes are opened and checked without a walk.
 * 2. `mark` is the number of the last pass that visited the place, negative when that used only the name, for
 *    something without an entry (a try block, a queue wait): one comparison tells a duplicate.
 */
export class Place {
  /** Made with the first child: most places are entries without any. */
  private below: Map<string, Place> | undefined = undefined;
  data: EntryData | undefined = undefined;
  recorded = 0;
  mark = 0;

  constructor(
    readonly parent?: Place,
    /** Of its record. */
    readonly key = ROOT_KEY,
  ) {}

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
    let child = below.get(segment);
    if (child === undefined) below.set(segment, (child = new Place(this, `${this.key}/${segment}`)));
    return child;
  }

  get children(): ReadonlyMap<string, Place> {
    return this.below ?? NONE;
  }

  /** Sets or forgets what is recorded here. */
  setData(data: EntryData | undefined): void {
    if (this.parent !== undefined)
      this.parent.recorded += Number(data !== undefined) - Number(this.data !== undefined);
    this.data = data;
  }

  /** Takes the place and all below it out of the tree. */
  remove(): void {
    this.setData(undefined);
    this.parent?.below?.delete(this.segment);
  }

  /** Every place below this one that has data, parents first. */
  *entries(): Generator<Place> {
    for (const child of this.children.values()) {
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
    placeOf(root, key).setData(data);
    if (data.seq >= nextSeq) nextSeq = data.seq + 1;
  }
  return { root, nextSeq };
}

/** The place of a record's key, made if need be. */
function placeOf(root: Place, key: string): Place {
  let place = root;
  let from = HISTORY_PREFIX.length;
  for (let to = key.indexOf("/", from); to !== -1; to = key.indexOf("/", from)) {
    place = place.child(key.slice(from, to));
    from = to + 1;
  }
  return place.child(key.slice(from));
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
