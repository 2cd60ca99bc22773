import type {
  DueInstance,
  InstanceCommit,
  KeyRange,
  RecordSpan,
  Store,
  StoredInstance,
  StoredRecord,
} from "../engine/ports.js";
import { compareByCodePoint, SortedKeys } from "./sorted-keys.js";

/** An instance's records. Their keys are sorted once a range of them is asked for, and kept so from then on. */
class Kept {
  readonly records = new Map<string, string>();
  due: number | null = null;
  private sorted: SortedKeys | undefined;

  private get keys(): SortedKeys {
    return (this.sorted ??= new SortedKeys(this.records.keys()));
  }

  put(key: string, value: string): void {
    if (this.sorted !== undefined && !this.records.has(key)) this.sorted.add(key);
    this.records.set(key, value);
  }

  delete(key: string): void {
    if (this.records.delete(key)) this.sorted?.delete(key);
  }

  deleteRange({ from, to }: KeyRange): void {
    for (const key of this.keys.deleteRange(from, to)) this.records.delete(key);
  }

  *range({ from, to }: KeyRange): Generator<StoredRecord> {
    for (const key of this.keys.range(from, to)) yield { key, value: this.records.get(key) ?? "" };
  }
}

const EVERYTHING: KeyRange = { from: "", to: "\u{10FFFF}" };

/** A store in memory, for tests and for measuring the engine alone. Durable as long as the object lives. */
export class MemoryStore implements Store {
  private readonly kept = new Map<string, Kept>();
  private closed = false;

  commit(commit: InstanceCommit): Promise<void> {
    if (this.closed) return Promise.reject(new Error("the store is closed"));
    this.apply(commit);
    return Promise.resolve();
  }

  private apply({ instance, puts, deletes, deleteRanges, due, removeInstance }: InstanceCommit): void {
    if (removeInstance) this.kept.delete(instance);
    if (removeInstance && puts.size === 0 && (due === undefined || due === null)) return;
    let kept = this.kept.get(instance);
    if (kept === undefined) this.kept.set(instance, (kept = new Kept()));
    for (const range of deleteRanges) kept.deleteRange(range);
    for (const key of deletes) kept.delete(key);
    for (const [key, value] of puts) kept.put(key, value);
    if (due !== undefined) kept.due = due;
  }

  read(instance: string, range: KeyRange = EVERYTHING, limit = Infinity): Promise<StoredInstance> {
    if (this.closed) return Promise.reject(new Error("the store is closed"));
    const kept = this.kept.get(instance);
    const records: StoredRecord[] = [];
    for (const record of kept?.range(range) ?? []) {
      if (records.length >= limit) break;
      records.push(record);
    }
    return Promise.resolve({ records, due: kept?.due ?? null });
  }

  span(instance: string, range: KeyRange): Promise<RecordSpan> {
    if (this.closed) return Promise.reject(new Error("the store is closed"));
    const records = [...(this.kept.get(instance)?.range(range) ?? [])];
    return Promise.resolve({ count: records.length, last: records.at(-1) });
  }

  due({
    after,
    afterInstance,
    upTo,
    limit,
  }: {
    after: number;
    afterInstance?: string;
    upTo: number;
    limit: number;
  }): Promise<DueInstance[]> {
    if (this.closed) return Promise.reject(new Error("the store is closed"));
    const found: DueInstance[] = [];
    for (const [instance, { due }] of this.kept) {
      if (due === null || due > upTo || due < after) continue;
      if (due === after && (afterInstance === undefined || compareByCodePoint(instance, afterInstance) <= 0))
        continue;
      found.push({ instance, due });
    }
    found.sort((a, b) => a.due - b.due || compareByCodePoint(a.instance, b.instance));
    return Promise.resolve(found.slice(0, limit));
  }

  instances({
    prefix = "",
    after,
    limit,
  }: {
    prefix?: string;
    after?: string;
    limit: number;
  }): Promise<{ instance: string; due: number | null }[]> {
    if (this.closed) return Promise.reject(new Error("the store is closed"));
    const found = [...this.kept]
      .filter(
        ([instance]) =>
          instance.startsWith(prefix) && (after === undefined || compareByCodePoint(instance, after) > 0),
      )
      .map(([instance, { due }]) => ({ instance, due }))
      .sort((a, b) => compareByCodePoint(a.instance, b.instance));
    return Promise.resolve(found.slice(0, limit));
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
}
