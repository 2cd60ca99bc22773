import type { CancelTimer, Clock } from "../engine/ports.js";

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

/** Lets everything that can go on without time passing go on: promises, and stores that answer at once. */
export async function idle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  private readonly timers = new Set<Timer>();
  private made = 0;

  /** @param time ms since the epoch. */
  constructor(private time = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.time;
  }

  timer(at: number, fire: () => void): CancelTimer {
    const timer = { at, order: this.made++, fire };
    this.timers.add(timer);
    return () => {
      this.timers.delete(timer);
    };
  }

  /** When the next timer fires, in ms since the epoch; `undefined` without timers. */
  get next(): number | undefined {
    return this.earliest()?.at;
  }

  /** Moves on by `ms`, fires what becomes due in order, and lets each go as far as it can. */
  async advance(ms: number): Promise<void> {
    await this.advanceTo(this.time + ms);
  }

  /** Moves on to `time`; see `advance`. */
  async advanceTo(time: number): Promise<void> {
    await idle();
    for (let timer = this.earliest(); timer !== undefined && timer.at <= time; timer = this.earliest()) {
      this.time = Math.max(this.time, timer.at);
      this.timers.delete(timer);
      timer.fire();
      await idle();
    }
    this.time = Math.max(this.time, time);
    await idle();
  }

  /** Sets the time without firing anything: the clock of the machine was changed. */
  set(time: number): void {
    this.time = time;
  }

  private earliest(): Timer | undefined {
    let earliest: Timer | undefined;
    for (const timer of this.timers) {
      if (
        earliest === undefined ||
        timer.at < earliest.at ||
        (timer.at === earliest.at && timer.order < earliest.order)
      ) {
        earliest = timer;
      }
    }
    return earliest;
  }
}
