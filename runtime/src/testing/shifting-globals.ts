import { AsyncLocalStorage } from "node:async_hooks";
import type { AroundBody } from "./step-stubs.js";
import { randomOf, type Random } from "./random-schedule.js";

/** What a body of a step may rely on: the same each time it runs. */
interface Steady {
  readonly random: Random;
}

/**
 * Clock and random numbers as workflow code finds them in one process after another: in each, `Date`, `Math.random`,
 * `crypto.randomUUID` and `performance.now` give something else, as they do when a workflow is run again. In step
 * bodies they are steady, so that what a step records does not depend on how often it was tried.
 *
 * Replaces globals while `during` runs: one at a time per process.
 */
export class ShiftingGlobals {
  private readonly steady = new AsyncLocalStorage<Steady>();
  private shifts = 0;
  private random: Random;

  /**
   * @param now the time of the test, Unix ms.
   * @param seed decides about everything.
   */
  constructor(
    private readonly now: () => number,
    private readonly seed: number,
  ) {
    this.random = randomOf(seed);
  }

  /** Another process takes over, or the instance is dropped and run again. */
  shift(): void {
    this.shifts++;
    this.random = randomOf(this.seed + 7919 * this.shifts);
  }

  /** Runs the body of a step. */
  readonly aroundBody: AroundBody = (name, kind, body) => {
    let hash = this.seed;
    for (const char of `${kind} ${name}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
    return this.steady.run({ random: randomOf(hash) }, body);
  };

  async during<T>(run: () => Promise<T>): Promise<T> {
    const { Date: RealDate } = globalThis;
    const realRandom = Math.random;
    const realUuid = crypto.randomUUID;
    const realNow = performance.now;
    const time = (): number =>
      Math.trunc(this.now() + (this.steady.getStore() === undefined ? this.skew() : 0));
    globalThis.Date = shiftedDate(RealDate, time);
    Math.random = () => this.draw();
    crypto.randomUUID = () => uuidOf((below) => Math.floor(this.draw() * below));
    performance.now = () => time() - this.seed;
    try {
      return await run();
    } finally {
      globalThis.Date = RealDate;
      Math.random = realRandom;
      crypto.randomUUID = realUuid;
      performance.now = realNow;
    }
  }

  /** Ms that the clock of this process is ahead of the first one's: from moments to days, at odd times of day. */
  private skew(): number {
    return this.shifts === 0 ? 0 : this.shifts * 38_123_457 + randomOf(this.seed + this.shifts)(1000);
  }

  private draw(): number {
    return (this.steady.getStore()?.random ?? this.random)(2 ** 32) / 2 ** 32;
  }
}

function shiftedDate(Real: DateConstructor, time: () => number): DateConstructor {
  return new Proxy(Real, {
    construct: (target, args: [], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [time()] : args, newTarget) as Date,
    apply: (target) => new target(time()).toString(),
    get: (target, key, receiver) => (key === "now" ? time : (Reflect.get(target, key, receiver) as unknown)),
  });
}

function uuidOf(random: Random): ReturnType<typeof crypto.randomUUID> {
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => random(16).toString(16)).join("");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
