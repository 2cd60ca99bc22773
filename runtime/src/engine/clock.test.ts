import { describe, expect, test, vi } from "vitest";
import { ManualClock } from "../testing/manual-clock.js";
import { Alarms, systemClock } from "./clock.js";
import type { Clock } from "./ports.js";

/** The laws of the port `Clock`. `pass` lets ms go by. */
function clockContract(name: string, open: () => { clock: Clock; pass(ms: number): Promise<void> }): void {
  describe(`the clock contract: ${name}`, () => {
    test("a timer fires when its time has come, never at once and never early", async () => {
      const { clock, pass } = open();
      const begin = clock.now();
      let firedAt: number | undefined;
      clock.timer(begin + 30, () => (firedAt = clock.now()));
      let past = false;
      clock.timer(begin - 1000, () => (past = true));
      expect(past).toBe(false);
      await pass(60);
      expect(past).toBe(true);
      expect(firedAt).toBeGreaterThanOrEqual(begin + 30);
    });

    test("a cancelled timer does not fire; cancelling again is harmless", async () => {
      const { clock, pass } = open();
      const fired = vi.fn();
      const cancel = clock.timer(clock.now() + 5, fired);
      cancel();
      await pass(20);
      cancel();
      expect(fired).not.toHaveBeenCalled();
    });

    test("a timer beyond 24.8 days does not fire at once", async () => {
      const { clock, pass } = open();
      const fired = vi.fn();
      const cancel = clock.timer(clock.now() + 2 ** 31 + 1000, fired);
      await pass(20);
      cancel();
      expect(fired).not.toHaveBeenCalled();
    });
  });
}

clockContract("system", () => ({
  clock: systemClock,
  pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}));
clockContract("manual", () => {
  const clock = new ManualClock();
  return { clock, pass: (ms) => clock.advance(ms) };
});

describe("alarms", () => {
  test("fire in the order of their times, on one timer", async () => {
    const clock = new ManualClock(0);
    const timers = vi.spyOn(clock, "timer");
    const alarms = new Alarms(clock);
    const fired: number[] = [];
    for (const at of [10, 30, 20, 40]) alarms.add(at, () => fired.push(at));
    const takeBack = alarms.add(25, () => fired.push(25));
    takeBack();
    await clock.advance(35);
    expect(fired).toEqual([10, 20, 30]);
    expect(timers.mock.calls.length).toBeLessThanOrEqual(5);
    alarms.clear();
    expect(clock.next).toBeUndefined();
  });

  test("rest takes the timer back when nothing is set", () => {
    const clock = new ManualClock(0);
    const alarms = new Alarms(clock);
    alarms.add(10, () => undefined)();
    expect(clock.next).toBe(10);
    alarms.rest();
    expect(clock.next).toBeUndefined();
  });
});
