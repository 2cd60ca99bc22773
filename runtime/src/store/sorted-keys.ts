const CHUNK = 256;

/**
 * Distinct texts in the order of their UTF-8 bytes. Adding and deleting one, and finding where a range
 * begins, take O(log n) comparisons; what lies in a range is had without a look at the rest.
 */
export class SortedKeys {
  /** Never empty each; what is in one is smaller than what is in the next. */
  private readonly chunks: string[][] = [];

  constructor(keys: Iterable<string>) {
    const sorted = [...keys].sort(compareByCodePoint);
    for (let i = 0; i < sorted.length; i += CHUNK) this.chunks.push(sorted.slice(i, i + CHUNK));
  }

  /** The key must not be there yet. */
  add(key: string): void {
    const at = Math.min(this.chunkOf(key), this.chunks.length - 1);
    const chunk = this.chunks[at];
    if (chunk === undefined) {
      this.chunks.push([key]);
      return;
    }
    chunk.splice(placeIn(chunk, key), 0, key);
    if (chunk.length > 2 * CHUNK) this.chunks.splice(at + 1, 0, chunk.splice(CHUNK));
  }

  /** The key must be there. */
  delete(key: string): void {
    const at = this.chunkOf(key);
    const chunk = this.chunks[at];
    if (chunk === undefined) return;
    chunk.splice(placeIn(chunk, key), 1);
    if (chunk.length === 0) this.chunks.splice(at, 1);
  }

  /** Those from `from` (included) to `to` (excluded), in order. They must not be changed meanwhile. */
  *range(from: string, to: string): Generator<string> {
    for (let at = this.chunkOf(from); at < this.chunks.length; at++) {
      const chunk = this.chunks[at] ?? [];
      for (let i = placeIn(chunk, from); i < chunk.length; i++) {
        const key = chunk[i] ?? "";
        if (compareByCodePoint(key, to) >= 0) return;
        yield key;
      }
    }
  }

  /** The first chunk whose last key is not smaller. */
  private chunkOf(key: string): number {
    return firstWhere(
      this.chunks.length,
      (at) => compareByCodePoint(this.chunks[at]?.at(-1) ?? "", key) >= 0,
    );
  }
}

const placeIn = (chunk: readonly string[], key: string): number =>
  firstWhere(chunk.length, (at) => compareByCodePoint(chunk[at] ?? "", key) >= 0);

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
