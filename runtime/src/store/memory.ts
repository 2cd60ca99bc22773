import type { DueInstance, InstanceCommit, KeyRange, Store, StoredInstance } from "../engine/ports.js";

interface Kept {
  readonly records: Map<string, string>;
  due: number | null;
}

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
    if (kept === undefined) this.kept.set(instance, (kept = { records: new Map(), due: null }));
    for (const { from, to } of deleteRanges) {
      for (const key of kept.records.keys()) if (key >= from && key < to) kept.records.delete(key);
    }
    for (const key of deletes) kept.records.delete(key);
    for (const [key, value] of puts) kept.records.set(key, value);
    if (due !== undefined) kept.due = due;
  }

  read(instance: string, range?: KeyRange): Promise<StoredInstance> {
    if (this.closed) return Promise.reject(new Error("the store is closed"));
    const kept = this.kept.get(instance);
    const records = [...(kept?.records ?? [])]
      .filter(([key]) => range === undefined || (key >= range.from && key < range.to))
      .map(([key, value]) => ({ key, value }))
      .sort((a, b) => compareByCodePoint(a.key, b.key));
    return Promise.resolve({ records, due: kept?.due ?? null });
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

/** The order of the UTF-8 bytes: surrogates, which come before U+E000 as units, stand for what comes after. */
function compareByCodePoint(a: string, b: string): number {
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
