import { rows, type RowGroup } from "../rows.js";

const LATER = "it runs on the timers of this process, which are lost with it";
const TURN = "it runs after the workflow code has gone on";

/** What lets time pass, or runs something later. */
export const TIMERS: readonly RowGroup[] = [
  ...rows(
    "",
    "timer",
    LATER,
    "setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate",
  ),
  ...rows(
    "",
    "timer",
    TURN,
    "queueMicrotask process.nextTick requestAnimationFrame cancelAnimationFrame requestIdleCallback cancelIdleCallback",
  ),
  ...rows(
    "",
    "timer",
    LATER,
    "scheduler.wait scheduler.postTask scheduler.yield Bun.sleep Atomics.waitAsync",
    { async: true },
  ),
  ...rows("", "timer", "it blocks the whole process", "Bun.sleepSync Atomics.wait"),
  ...rows("node:timers/promises#", "timer", LATER, "*", { async: true }),
  ...rows("node:timers#", "timer", LATER, "promises.* enroll unenroll active", { async: true }),
  ...rows("", "timer", LATER, "Deno.cron Deno.refTimer Deno.unrefTimer"),
];
