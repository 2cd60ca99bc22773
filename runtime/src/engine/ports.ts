/**
 * The two ports of the engine. Everything it knows of the outside world comes through them; each has
 * one contract suite that every implementation passes (`store/contract.ts`, `engine/clock.test.ts`).
 */

/**
 * One record of an instance. The value is text made by `codec.ts` (or by the host); a store never looks inside.
 * Keys, values and names of instances are free of U+0000, where some drivers of SQLite cut a text.
 */
export interface StoredRecord {
  readonly key: string;
  readonly value: string;
}

/** Keys from `from` (included) to `to` (excluded), in the order of their UTF-8 bytes. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/**
 * What becomes durable together for one instance. Applied in this order: `removeInstance`,
 * `deleteRanges`, `deletes`, `puts`, `due`. All of it or nothing.
 */
export interface InstanceCommit {
  readonly instance: string;
  readonly puts: ReadonlyMap<string, string>;
  readonly deletes: ReadonlySet<string>;
  readonly deleteRanges: readonly KeyRange[];
  /**
   * When the instance must be woken if nothing else happens, in ms since the epoch. `0` = it has work
   * in hand and must be re-run when a process starts. `null` = never. `undefined` = unchanged.
   */
  readonly due: number | null | undefined;
  /** Forgets the instance: every record and its due time. */
  readonly removeInstance: boolean;
}

export interface StoredInstance {
  readonly records: readonly StoredRecord[];
  readonly due: number | null;
}

/** How much lies in a range of keys. */
export interface RecordSpan {
  readonly count: number;
  /** The one with the greatest key. */
  readonly last: StoredRecord | undefined;
}

export interface DueInstance {
  readonly instance: string;
  readonly due: number;
}

/**
 * Where instances live: an ordered set of records per instance, and an index of due times.
 *
 * 1. `commit` resolves when the commit is durable, and rejects with `StoreError` when it is not (then
 *    nothing of it is stored). Commits of one instance are applied in the order of the calls.
 * 2. A store may put all commits of one turn of the event loop into one transaction (group commit).
 *    If that transaction fails, every commit in it rejects.
 * 3. A `read` sees every commit that was made before it, durable or not, or waits for them.
 * 4. An instance that has never been committed reads as no records, never due.
 */
export interface Store {
  commit(commit: InstanceCommit): Promise<void>;
  /**
   * What is stored of an instance: records ordered by key (all of them without `range`), the first `limit`
   * at most, and its due time.
   */
  read(instance: string, range?: KeyRange, limit?: number): Promise<StoredInstance>;
  /** How many records of an instance lie in a range, and the last of them. */
  span(instance: string, range: KeyRange): Promise<RecordSpan>;
  /**
   * Instances with `after < due <= upTo`, ordered by due time then name, at most `limit`. With
   * `afterInstance`, instances due at exactly `after` whose name sorts later are included: the cursor
   * to page with.
   */
  due(query: { after: number; afterInstance?: string; upTo: number; limit: number }): Promise<DueInstance[]>;
  /** The names of stored instances that start with `prefix`, ordered, after `after`, at most `limit`. */
  instances(query: {
    prefix?: string;
    after?: string;
    limit: number;
  }): Promise<{ instance: string; due: number | null }[]>;
  /** Waits for commits under way, then lets the storage go. Later calls reject. */
  close(): Promise<void>;
}

/** Stops a timer that has not fired. Harmless afterwards. */
export type CancelTimer = () => void;

/** Time as the engine knows it. */
export interface Clock {
  /** Ms since the epoch. May jump, back too; the engine never relies on it to grow. */
  now(): number;
  /**
   * Calls `fire` once `now() >= at` (ms since the epoch), never synchronously and never early. Holds
   * for any distance, also beyond 24.8 days.
   */
  timer(at: number, fire: () => void): CancelTimer;
}
