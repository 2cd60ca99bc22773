import { decodeValue } from "./codec.js";
import { decodeEntry, HISTORY_PREFIX, type EntryData, type MessageDetail } from "./entry.js";
import type { Message } from "./mailbox.js";
import type { StoredRecord } from "./ports.js";

const NONE: ReadonlyMap<string, Place> = new Map();

/**
 * A place in the history: an entry (then it has `data`), a scope (then it has children), or both.
 *
 * 1. `recorded` is the number of children with data, so that scopes are opened and checked without a walk.
 * 2. `visitedIn` is the number of the last pass that visited the place: one comparison tells a duplicate.
 */
export class Place {
  /** Made with the first child: most places are entries without any. */
  private below: Map<string, Place> | undefined;
  data: EntryData | undefined;
  recorded = 0;
  visitedIn = 0;
  /** The number of the last pass that used the name without an entry (a try block, a queue wait). */
  reservedIn = 0;

  constructor(
    readonly parent: Place | undefined,
    readonly segment: string,
    readonly path: string,
  ) {}

  /** The child of that segment, made if need be. */
  child(segment: string): Place {
    this.below ??= new Map();
    let child = this.below.get(segment);
    if (child === undefined) {
      child = new Place(this, segment, this.path === "" ? segment : `${this.path}/${segment}`);
      this.below.set(segment, child);
    }
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
  const root = new Place(undefined, "", "");
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
    .flatMap(({ data }) => (data?.kind === "message" && typeof data.detail === "object" ? [data] : []))
    .sort((a, b) => a.seq - b.seq)
    .map(({ detail, value }) => {
      const { id, queue, createdAt } = detail as MessageDetail; // picked above
      return { id, name: queue, createdAt, body: decodeValue(value) };
    });
}
