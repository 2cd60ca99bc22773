import type { CancelTimer, Clock } from "../engine/ports.js";

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** A clock that stands still until a test moves it. Times are Unix ms, durations ms. */
export class TestClock implements Clock {
  private time: number;
  private readonly timers = new Set<Timer>();

  /** @param start where it stands at first; 2026-01-01T00:00:00Z when absent. */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  timer(at: number, fire: () => void): CancelTimer {
    const timer: Timer = { at, fire };
    this.timers.add(timer);
    // A time that has come already fires too, but never inside the call that asked for it.
    if (at <= this.time)
      setImmediate(() => {
        this.fireIfSet(timer);
      });
    return () => {
      this.timers.delete(timer);
    };
  }

  /** When the next timer fires; `null` when none is set. */
  get next(): number | null {
    let earliest: number | null = null;
    for (const { at } of this.timers) if (earliest === null || at < earliest) earliest = at;
    return earliest;
  }

  /**
   * Moves `ms` on, firing timers in order, each at its own time. What a timer sets off gets turns of the
   * event loop before the next one fires.
   */
  async advance(ms: number): Promise<void> {
    const target = this.time + ms;
    for (;;) {
      await turns();
      const { next } = this;
      if (next === null || next > target) break;
      this.time = Math.max(this.time, next);
      for (const timer of [...this.timers]) if (timer.at <= this.time) this.fireIfSet(timer);
    }
    this.time = target;
    await turns();
  }

  private fireIfSet(timer: Timer): void {
    if (this.timers.delete(timer)) timer.fire();
  }
}

/** Lets callbacks, promises and I/O that are ready run. */
async function turns(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}
