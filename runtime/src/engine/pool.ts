import { Alarms } from "./clock.js";
import { Journal } from "./journal.js";
import { MAILBOX_RANGE, MAILBOX_WINDOW } from "./mailbox.js";
import type { Clock, DueInstance, RecordSpan, Store, StoredInstance, StoredRecord } from "./ports.js";
import type { Pool, PoolOptions, Resident } from "./seam.js";

const DEFAULT_IDLE_MS = 30_000;
const DEFAULT_MAX_WARM = 10_000;
/** Due instances that are read and opened at a time. */
const PAGE = 200;
/** No key begins with the last code point there is. */
const END = "\u{10FFFF}";
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

interface Warm<R> {
  readonly resident: R;
  readonly journal: Journal;
  usedAt: number;
}

/** Keeps instances warm, drops idle ones, wakes due ones. See `Pool`. */
export function createPool<R extends Resident>(store: Store, clock: Clock, options: PoolOptions<R>): Pool<R> {
  return new InstancePool(store, clock, options);
}

/** What is stored of an instance, but of its messages only the first. `unread` says what that leaves. */
async function readInstance(
  store: Store,
  instance: string,
): Promise<StoredInstance & { unread: RecordSpan | undefined }> {
  const [before, rest] = await Promise.all([
    store.read(instance, { from: "", to: MAILBOX_RANGE.from }),
    store.read(instance, { from: MAILBOX_RANGE.from, to: END }, MAILBOX_WINDOW),
  ]);
  const { due } = before;
  const records = [...before.records, ...rest.records];
  if (rest.records.length < MAILBOX_WINDOW) return { records, due, unread: undefined };
  const isMessage = ({ key }: StoredRecord): boolean => key < MAILBOX_RANGE.to;
  const [after, all] = await Promise.all([
    store.read(instance, { from: MAILBOX_RANGE.to, to: END }),
    store.span(instance, MAILBOX_RANGE),
  ]);
  const count = all.count - rest.records.filter(isMessage).length;
  return { records: [...records.filter(isMessage), ...after.records], due, unread: { ...all, count } };
}

/**
 * 1. An instance is warm at most once: opening and dropping it exclude each other.
 * 2. A cold instance has its due time in the store; every row with a due time is read once, when it has
 *    come, and `scannedTo` says how far that was done. Warm ones wake by their own timers.
 */
class InstancePool<R extends Resident> implements Pool<R> {
  /** In the order of use, the least recent first. */
  private readonly kept = new Map<string, Warm<R>>();
  private readonly opening = new Map<string, Promise<R>>();
  private readonly dropping = new Map<string, Promise<void>>();
  /** Uses in progress by instance. */
  private readonly held = new Map<string, number>();
  private readonly failures = new Map<string, number>();
  private readonly alarms: Alarms;
  private cancelNext: (() => void) | undefined;
  private nextAt = Infinity;
  private cancelSweep: (() => void) | undefined;
  private scannedTo = -1;
  private started = false;
  private stopped = false;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly options: PoolOptions<R>,
  ) {
    this.alarms = new Alarms(clock);
  }

  async start(): Promise<void> {
    this.started = true;
    await this.scan();
  }

  warm(instance: string): R | undefined {
    return this.dropping.has(instance) ? undefined : this.kept.get(instance)?.resident;
  }

  open(instance: string): Promise<R> {
    if (this.stopped) return Promise.reject(new Error(`The pool is stopped; "${instance}" can't be opened.`));
    const warm = this.warm(instance);
    if (warm !== undefined) {
      this.touch(instance);
      return Promise.resolve(warm);
    }
    let opening = this.opening.get(instance);
    if (opening === undefined) {
      opening = this.load(instance).finally(() => this.opening.delete(instance));
      this.opening.set(instance, opening);
    }
    return opening;
  }

  private async load(instance: string): Promise<R> {
    await this.dropping.get(instance);
    const { records, due, unread } = await readInstance(this.store, instance);
    const failed = (error: unknown): void => {
      this.failed(instance, journal, error);
    };
    const journal = new Journal(instance, this.store, due, failed, unread);
    const resident = await this.options.load(journal, records);
    this.kept.set(instance, { resident, journal, usedAt: this.clock.now() });
    this.sweepLater();
    this.limit();
    return resident;
  }

  async use<T>(instance: string, act: (resident: R) => T | Promise<T>): Promise<T> {
    this.held.set(instance, (this.held.get(instance) ?? 0) + 1);
    try {
      let resident = await this.open(instance);
      while (this.warm(instance) !== resident) resident = await this.open(instance);
      return await act(resident);
    } finally {
      const uses = (this.held.get(instance) ?? 1) - 1;
      if (uses > 0) this.held.set(instance, uses);
      else this.held.delete(instance);
      this.touch(instance);
      this.idle(instance);
    }
  }

  /** Whether it may be dropped for being idle. */
  private droppable(instance: string, resident: R): boolean {
    return !resident.busy && !this.held.has(instance) && !this.dropping.has(instance);
  }

  touch(instance: string): void {
    const warm = this.kept.get(instance);
    if (warm === undefined) return;
    warm.usedAt = this.clock.now();
    this.kept.delete(instance);
    this.kept.set(instance, warm);
  }

  idle(instance: string): void {
    if (this.options.rerunOnWake !== true || this.stopped) return;
    queueMicrotask(() => {
      const resident = this.warm(instance);
      if (resident !== undefined && this.droppable(instance, resident)) this.dropReporting(instance);
    });
  }

  drop(instance: string): Promise<void> {
    const warm = this.kept.get(instance);
    if (warm === undefined) return Promise.resolve();
    let dropping = this.dropping.get(instance);
    if (dropping === undefined) {
      dropping = this.putToSleep(instance, warm).finally(() => this.dropping.delete(instance));
      this.dropping.set(instance, dropping);
    }
    return dropping;
  }

  private async putToSleep(instance: string, { resident, journal }: Warm<R>): Promise<void> {
    try {
      await resident.suspend();
      const commit = journal.commit();
      journal.close();
      await commit;
    } finally {
      if (this.kept.get(instance)?.journal === journal) this.kept.delete(instance);
    }
    this.failures.delete(instance);
    this.noteDue(instance, journal.due);
  }

  private dropReporting(instance: string): void {
    this.drop(instance).catch((error: unknown) => this.options.onError?.(instance, error));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelNext?.();
    this.cancelSweep?.();
    this.alarms.clear();
    await Promise.allSettled(this.opening.values());
    const results = await Promise.allSettled([...this.kept.keys()].map((instance) => this.drop(instance)));
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  // Idle instances

  private get idleMs(): number {
    return this.options.idleMs ?? DEFAULT_IDLE_MS;
  }

  private sweepLater(): void {
    if (this.cancelSweep !== undefined || this.stopped) return;
    const [oldest] = this.kept.values();
    if (oldest === undefined) return;
    this.cancelSweep = this.alarms.add(
      Math.max(oldest.usedAt, this.clock.now() - this.idleMs) + this.idleMs,
      () => {
        this.cancelSweep = undefined;
        this.sweep();
      },
    );
  }

  private sweep(): void {
    const now = this.clock.now();
    for (const [instance, { resident, usedAt }] of [...this.kept]) {
      if (usedAt + this.idleMs > now) break;
      if (this.droppable(instance, resident)) this.dropReporting(instance);
      else this.touch(instance);
    }
    this.sweepLater();
  }

  private limit(): void {
    let over = this.kept.size - this.dropping.size - (this.options.maxWarm ?? DEFAULT_MAX_WARM);
    if (over <= 0) return;
    for (const [instance, { resident }] of this.kept) {
      if (over <= 0) return;
      if (!this.droppable(instance, resident)) continue;
      this.dropReporting(instance);
      over--;
    }
  }

  // Due instances

  private noteDue(instance: string, due: number | null): void {
    if (due === null || !this.started || this.stopped) return;
    if (due <= this.scannedTo) this.wake(instance);
    else this.scanAt(due);
  }

  private scanAt(at: number): void {
    if (at >= this.nextAt || this.stopped) return;
    this.cancelNext?.();
    this.nextAt = at;
    this.cancelNext = this.alarms.add(at, () => {
      this.cancelNext = undefined;
      this.nextAt = Infinity;
      this.scan().catch((error: unknown) => {
        this.options.onError?.("", error);
        this.scanAt(this.clock.now() + FIRST_PAUSE_MS);
      });
    });
  }

  /** Wakes what has become due since the last scan, and sets the timer for the next. */
  private async scan(): Promise<void> {
    const upTo = this.clock.now();
    let last: DueInstance | undefined;
    for (;;) {
      const query = {
        after: last?.due ?? this.scannedTo,
        upTo,
        limit: PAGE,
        ...(last && { afterInstance: last.instance }),
      };
      const page = upTo > this.scannedTo ? await this.store.due(query) : [];
      if (this.stopped) return;
      await Promise.all(page.map(({ instance }) => this.openAndWake(instance)));
      last = page.at(-1);
      if (page.length < PAGE) break;
    }
    this.scannedTo = Math.max(this.scannedTo, upTo);
    const [next] = await this.store.due({ after: this.scannedTo, upTo: Number.MAX_SAFE_INTEGER, limit: 1 });
    if (next !== undefined) this.scanAt(next.due);
  }

  private wake(instance: string): void {
    void this.openAndWake(instance);
  }

  private async openAndWake(instance: string): Promise<void> {
    try {
      const resident = this.warm(instance) ?? (await this.open(instance));
      resident.wake();
    } catch (error) {
      if (!this.stopped) this.options.onError?.(instance, error);
    }
  }

  /** The store did not keep a commit: memory is thrown away, and the instance opened anew after a pause. */
  private failed(instance: string, journal: Journal, error: unknown): void {
    const warm = this.kept.get(instance);
    this.options.onError?.(instance, error);
    if (warm?.journal !== journal) return;
    this.kept.delete(instance);
    warm.resident.abandon(error);
    const failures = (this.failures.get(instance) ?? 0) + 1;
    this.failures.set(instance, failures);
    if (this.stopped) return;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    this.alarms.add(this.clock.now() + pause, () => {
      this.wake(instance);
    });
  }
}
