import { InstanceAsleepError, StoreError } from "./errors.js";
import type { InstanceCommit, KeyRange, RecordSpan, Store, StoredRecord } from "./ports.js";

/** Who asks to be woken: the row's due time is the earliest of all owners. */
export type DueOwner = "workflow" | "mailbox" | "host" | (string & {});

/** What a commit without records, or without deletions, says; never changed. */
const NO_PUTS: ReadonlyMap<string, string> = new Map<string, string>();
const NOTHING: ReadonlySet<string> = new Set<string>();
const NO_RANGES: readonly KeyRange[] = [];
const DONE = Promise.resolve();

/**
 * The records of one warm instance on their way to the store: everything put since the last commit
 * becomes durable together, in one transaction.
 *
 * 1. `put`, `delete` and `deleteRange` only buffer; the next `commit()` of anyone takes them along.
 * 2. After a failed commit the journal is dead: it buffers nothing more and every `commit()` rejects.
 */
export class Journal {
  private puts = NO_PUTS as Map<string, string>;
  private deletes = NOTHING as Set<string>;
  private ranges = NO_RANGES as KeyRange[];
  private removed = false;
  /** Something was put that should not wait for the commit of something else. */
  urgent = false;
  private readonly owners = new Map<DueOwner, number>();
  private storedDue: number | null;
  /** The earliest of what the owners asked for. */
  due: number | null = null;
  private failure: unknown = undefined;
  private closed = false;
  private listeners: (() => void)[] | undefined;
  /** The last commit: once it is durable, all before it are. */
  private latest = DONE;

  /** @param due the due time that the store holds for this instance now. */
  constructor(
    readonly instance: string,
    private readonly store: Store,
    due: number | null = null,
    /** A commit failed; memory and store disagree from here. Called once. */
    private readonly onFailure?: (error: unknown) => void,
    /** Messages that are stored and were not loaded with the instance. */
    readonly unread?: RecordSpan,
  ) {
    this.storedDue = due;
  }

  /** Writes a record (text, see `codec.ts`) with the next commit. */
  put(key: string, value: string): void {
    this.urgent = true;
    this.putLater(key, value);
  }

  /** The same, for a record that may wait for the next commit of anything else, however late that is. */
  putLater(key: string, value: string): void {
    if (this.deletes.size > 0) this.deletes.delete(key);
    if (this.puts === NO_PUTS) this.puts = new Map();
    this.puts.set(key, value);
  }

  /** Removes a record with the next commit. */
  delete(key: string): void {
    this.puts.delete(key);
    if (this.deletes === NOTHING) this.deletes = new Set();
    this.deletes.add(key);
  }

  /** Removes the records from `from` (included) to `to` (excluded) with the next commit. */
  deleteRange(from: string, to: string): void {
    for (const key of this.puts.keys()) if (key >= from && key < to) this.puts.delete(key);
    if (this.ranges === NO_RANGES) this.ranges = [];
    this.ranges.push({ from, to });
  }

  /**
   * Forgets the whole instance with the next commit; what was put before is dropped, what is put
   * afterwards starts it anew.
   */
  removeInstance(): void {
    this.puts = NO_PUTS as Map<string, string>;
    this.deletes = NOTHING as Set<string>;
    this.ranges = NO_RANGES as KeyRange[];
    this.owners.clear();
    this.due = null;
    this.removed = true;
  }

  /**
   * Says when `owner` wants to be woken: ms since the epoch, 0 = it has work in hand, null = never. The
   * change is buffered like a record. An owner says it anew after each load.
   */
  setDue(owner: DueOwner, at: number | null): void {
    if (at === null) this.owners.delete(owner);
    else this.owners.set(owner, at);
    this.due = null;
    for (const asked of this.owners.values()) if (this.due === null || asked < this.due) this.due = asked;
  }

  /** Calls `durable` once the records put so far are: with the commit that takes them along. */
  afterCommit(durable: () => void): void {
    (this.listeners ??= []).push(durable);
  }

  /** The instance is put to sleep: whoever still holds the journal gets InstanceAsleepError from `commit`. */
  close(): void {
    this.closed = true;
  }

  /** True when a commit would write something, a changed due time included. */
  get dirty(): boolean {
    return (
      this.puts.size > 0 ||
      this.deletes.size > 0 ||
      this.ranges.length > 0 ||
      this.removed ||
      this.due !== this.storedDue
    );
  }

  /**
   * Makes durable what was put so far, as one unit.
   * @throws StoreError when the store could not keep it; the journal is dead then.
   */
  commit(): Promise<void> {
    if (this.closed) return Promise.reject(new InstanceAsleepError(this.instance));
    if (this.failure !== undefined) return Promise.reject(this.failure as Error);
    if (!this.dirty) return this.latest;
    const { due } = this;
    const commit: InstanceCommit = {
      instance: this.instance,
      puts: this.puts,
      deletes: this.deletes,
      deleteRanges: this.ranges,
      removeInstance: this.removed,
      due: due === this.storedDue && !this.removed ? undefined : due,
    };
    const { listeners } = this;
    this.storedDue = due;
    this.puts = NO_PUTS as Map<string, string>;
    this.deletes = NOTHING as Set<string>;
    this.ranges = NO_RANGES as KeyRange[];
    this.removed = false;
    this.urgent = false;
    this.listeners = undefined;
    this.latest = this.store.commit(commit).then(
      listeners &&
        (() => {
          for (const durable of listeners) durable();
        }),
      this.fail,
    );
    return this.latest;
  }

  private readonly fail = (error: unknown): never => {
    this.giveUp(error instanceof StoreError ? error : new StoreError(this.instance, error));
    throw this.failure as Error;
  };

  /** Nothing more can be made of this instance's memory: the pool throws it away and opens it anew. */
  giveUp(error: unknown): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    this.onFailure?.(error);
  }

  /** Stored records of a range, the first `limit`. What is not committed yet is not among them. */
  async read(range: KeyRange, limit: number): Promise<readonly StoredRecord[]> {
    return (await this.store.read(this.instance, range, limit)).records;
  }
}
