const CHUNK = 256;
/** Where the order of UTF-16 units stops to be that of the UTF-8 bytes: surrogates and what comes after. */
const BEYOND_PLAIN = /[\uD800-\uFFFF]/;

/**
 * Distinct texts in the order of their UTF-8 bytes. Adding and deleting one, and finding where a range
 * begins, take O(log n) comparisons; what lies in a range is had without a look at the rest.
 */
export class SortedKeys {
  /** Never empty each; what is in one is smaller than what is in the next. */
  private readonly chunks: string[][] = [];
  /** The engine's own comparison, which is several times faster, as long as no key needs the other. */
  private compare = compareUnits;

  constructor(keys: Iterable<string>) {
    const all = [...keys];
    if (all.some((key) => BEYOND_PLAIN.test(key))) this.compare = compareByCodePoint;
    all.sort(this.compare);
    for (let i = 0; i < all.length; i += CHUNK) this.chunks.push(all.slice(i, i + CHUNK));
  }

  /** The key must not be there yet. */
  add(key: string): void {
    if (BEYOND_PLAIN.test(key)) this.compare = compareByCodePoint; // those there are in both orders
    const at = Math.min(this.chunkOf(key), this.chunks.length - 1);
    const chunk = this.chunks[at];
    if (chunk === undefined) {
      this.chunks.push([key]);
      return;
    }
    chunk.splice(this.placeIn(chunk, key), 0, key);
    if (chunk.length > 2 * CHUNK) this.chunks.splice(at + 1, 0, chunk.splice(CHUNK));
  }

  /** The key must be there. */
  delete(key: string): void {
    const at = this.chunkOf(key);
    const chunk = this.chunks[at];
    if (chunk === undefined) return;
    chunk.splice(this.placeIn(chunk, key), 1);
    if (chunk.length === 0) this.chunks.splice(at, 1);
  }

  /** Takes out those from `from` (included) to `to` (excluded), and gives them. */
  deleteRange(from: string, to: string): string[] {
    const deleted: string[] = [];
    for (let at = this.chunkOf(from); at < this.chunks.length;) {
      const chunk = this.chunks[at] ?? [];
      const [begin, end] = [this.placeIn(chunk, from), this.placeIn(chunk, to)];
      const isLast = end < chunk.length;
      deleted.push(...chunk.splice(begin, Math.max(end - begin, 0)));
      if (isLast) break;
      if (chunk.length === 0) this.chunks.splice(at, 1);
      else at++;
    }
    return deleted;
  }

  /** Those from `from` (included) to `to` (excluded), in order. They must not be changed meanwhile. */
  *range(from: string, to: string): Generator<string> {
    for (let at = this.chunkOf(from); at < this.chunks.length; at++) {
      const chunk = this.chunks[at] ?? [];
      const end = this.placeIn(chunk, to);
      for (let i = this.placeIn(chunk, from); i < end; i++) yield chunk[i] ?? "";
      if (end < chunk.length) return;
    }
  }

  /** The first chunk whose last key is not smaller. */
  private chunkOf(key: string): number {
    return firstWhere(this.chunks.length, (at) => this.compare(this.chunks[at]?.at(-1) ?? "", key) >= 0);
  }

  private placeIn(chunk: readonly string[], key: string): number {
    return firstWhere(chunk.length, (at) => this.compare(chunk[at] ?? "", key) >= 0);
  }
}

/** The first index below `end` for which `holds` is true, if it is true from somewhere on; else `end`. */
function firstWhere(end: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const compareUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of the UTF-8 bytes: surrogates, which come before U+E000 as units, stand for what comes after. */
export function compareByCodePoint(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return order(left) - order(right);
  }
  return a.length - b.length;
}

const order = (unit: number): number =>
  unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
