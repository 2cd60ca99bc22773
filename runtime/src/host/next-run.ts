import { Cron } from "croner";
import { ScheduleError } from "./errors.js";

/** Smallest interval of `cron.every`, in ms. */
export const MIN_INTERVAL = 5_000;

/**
 * When a cron expression is next due after `after` (Unix ms, exclusive).
 * @throws ScheduleError when the expression or the time zone is wrong, or it never comes due.
 */
export function nextCronRun(expression: string, timezone: string, after: number): number {
  const fields = expression.trim().split(/\s+/).length;
  if (fields !== 5) {
    throw new ScheduleError(
      `"${expression}" has ${String(fields)} fields. A cron expression has five: minute, hour, day of month, month, day of week.`,
    );
  }
  const next = nextOf(expression, timezone, after);
  if (next === null) throw new ScheduleError(`"${expression}" never comes due.`);
  return next.getTime();
}

function nextOf(expression: string, timezone: string, after: number): Date | null {
  try {
    return new Cron(expression, { timezone }).nextRun(new Date(after));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ScheduleError(`"${expression}" in time zone "${timezone}" can't be read: ${reason}`);
  }
}

/** The first `anchor + n × interval` after `after` (all in ms). */
export function nextIntervalRun(anchor: number, interval: number, after: number): number {
  if (after < anchor) return anchor;
  return anchor + (Math.floor((after - anchor) / interval) + 1) * interval;
}
