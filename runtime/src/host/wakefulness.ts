import type { Clock } from "../engine/ports.js";
import type { HostLog } from "./log.js";
import { withinTime } from "./time-limit.js";

/** Whom a change is told to. */
export interface WakefulnessListener {
  /** It was used just now. */
  used(): void;
  /** What kept it awake may have ended. */
  rest(): void;
}

/** What keeps one instance from being put to sleep, and what its sleep waits for. Times in ms. */
export class Wakefulness {
  /** Calls and hooks under way. */
  inFlight = 0;
  private lastUse: number;
  private readonly unfinished = new Set<Promise<unknown>>();
  private idle: (() => void)[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly log: HostLog,
    private readonly listener: WakefulnessListener,
  ) {
    this.lastUse = clock.now();
  }

  /** Since it was last used. */
  get idleFor(): number {
    return this.clock.now() - this.lastUse;
  }

  used(): void {
    this.lastUse = this.clock.now();
    this.listener.used();
  }

  /** Counts as busy until the promise settles; gives its result. */
  async keep<T>(promise: Promise<T>): Promise<T> {
    this.inFlight++;
    this.used();
    try {
      return await promise;
    } finally {
      this.inFlight--;
      this.used();
      if (this.inFlight === 0) for (const resolve of this.idle.splice(0)) resolve();
      this.listener.rest();
    }
  }

  /** Sleep waits for the promise; its failure is logged. */
  before(promise: Promise<unknown>): void {
    const kept = promise.catch((error: unknown) => {
      this.log.error({ err: error }, "A waitUntil promise failed.");
    });
    this.unfinished.add(kept);
    void kept.finally(() => this.unfinished.delete(kept));
  }

  /** Settles with all that sleep waits for. */
  leftovers(): Promise<unknown> {
    return Promise.allSettled([...this.unfinished]);
  }

  /** Resolves when no call and no hook is under way. */
  whenIdle(): Promise<void> {
    if (this.inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  /** Waits for `work`, at most `ms`; failures are logged. */
  async withinGrace(ms: number, work: Promise<unknown>): Promise<void> {
    try {
      await withinTime(this.clock, ms, work, () => undefined);
    } catch (error) {
      this.log.error({ err: error }, "Work that ends an instance failed.");
    }
  }
}
