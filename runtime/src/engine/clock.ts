import type { CancelTimer, Clock } from "./ports.js";

/** The longest delay that a JavaScript timer takes: 24.8 days, in ms. */
const LONGEST = 2 ** 31 - 1;

/** As they were when this was loaded: the guard replaces the globals. */
const { now } = Date;
const { setTimeout, clearTimeout } = globalThis;

/**
 * The clock of the system. When it is set back while a timer runs, the timer waits again: it never fires
 * early.
 */
export const systemClock: Clock = {
  now: () => now(),
  timer(at, fire) {
    let handle: ReturnType<typeof setTimeout>;
    const arm = (): void => {
      handle = setTimeout(
        () => {
          if (now() >= at) fire();
          else arm();
        },
        Math.min(Math.max(at - now(), 0), LONGEST),
      );
    };
    arm();
    return () => {
      clearTimeout(handle);
    };
  },
};

interface Alarm {
  readonly at: number;
  readonly fire: () => void;
}

/**
 * Many due times on one timer of the clock. Adding and removing cost nothing that grows; a timer that
 * fires walks over those that are set.
 */
export class Alarms {
  /** Made with the first: most never have one. */
  private set: Set<Alarm> | undefined = undefined;
  private armedAt = Infinity;
  private cancel: CancelTimer | undefined;

  constructor(private readonly clock: Clock) {}

  /** Calls `fire` once `at` (ms since the epoch) has come. Gives the function that takes it back. */
  add(at: number, fire: () => void): CancelTimer {
    const alarm = { at, fire };
    const set = (this.set ??= new Set<Alarm>());
    set.add(alarm);
    if (at < this.armedAt) this.arm(at);
    return () => {
      set.delete(alarm);
    };
  }

  /** Takes back the timer when nothing is set, so that it does not keep the process. */
  rest(): void {
    if (!this.set?.size) this.disarm();
  }

  /** Takes all back. */
  clear(): void {
    this.set?.clear();
    this.disarm();
  }

  private disarm(): void {
    this.cancel?.();
    this.cancel = undefined;
    this.armedAt = Infinity;
  }

  private arm(at: number): void {
    this.disarm();
    this.armedAt = at;
    this.cancel = this.clock.timer(at, () => {
      this.ring();
    });
  }

  private ring(): void {
    this.armedAt = Infinity;
    this.cancel = undefined;
    const now = this.clock.now();
    const set = this.set ?? [];
    const due = [...set].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    for (const alarm of due) if (this.set?.delete(alarm)) alarm.fire();
    let next = Infinity;
    for (const { at } of set) if (at < next) next = at;
    if (next < this.armedAt) this.arm(next);
  }
}
