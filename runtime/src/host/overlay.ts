/** Changes to a map that are kept apart until they are applied: reads see them, others don't. */
export class Overlay<T> {
  private readonly changes = new Map<string, T | null>();

  constructor(private readonly base: Map<string, T>) {}

  get(key: string): T | undefined {
    const changed = this.changes.get(key);
    return changed === undefined ? this.base.get(key) : (changed ?? undefined);
  }

  set(key: string, value: T): void {
    this.changes.set(key, value);
  }

  /** False when there was nothing to delete. */
  delete(key: string): boolean {
    const had = this.get(key) !== undefined;
    if (had) this.changes.set(key, null);
    return had;
  }

  /** All pairs, in key order. */
  entries(): [string, T][] {
    const all = new Map<string, T | null>([...this.base, ...this.changes]);
    const present = [...all].filter((pair): pair is [string, T] => pair[1] !== null);
    return present.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Carries the changes over to the map and tells each (`null` = deleted). */
  apply(changed: (key: string, value: T | null) => void): void {
    for (const [key, value] of this.changes) {
      if (value === null) this.base.delete(key);
      else this.base.set(key, value);
      changed(key, value);
    }
    this.changes.clear();
  }
}
