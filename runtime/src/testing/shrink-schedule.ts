import type { Happening, Schedule } from "./schedule.js";

/**
 * A schedule as small as it gets that still fails: happenings are left out, crashes and times made smaller, as
 * long as `fails` says yes.
 * @param attempts calls of `fails` at most.
 */
export async function shrinkSchedule(
  schedule: Schedule,
  fails: (schedule: Schedule) => Promise<boolean>,
  attempts: number,
): Promise<Schedule> {
  let best = schedule;
  let left = attempts;
  for (let smaller = true; smaller && left > 0;) {
    smaller = false;
    for (const candidate of smallerThan(best)) {
      if (left-- <= 0) break;
      if (!(await fails(candidate))) continue;
      best = candidate;
      smaller = true;
      break;
    }
  }
  return best;
}

/** Halves first, then single happenings left out, then each made smaller. */
function* smallerThan(schedule: Schedule): Generator<Schedule> {
  for (let size = schedule.length >> 1; size >= 1; size >>= 1)
    for (let from = 0; from + size <= schedule.length; from += size)
      yield [...schedule.slice(0, from), ...schedule.slice(from + size)];
  for (const [index, one] of schedule.entries())
    for (const less of lessThan(one)) yield [...schedule.slice(0, index), less, ...schedule.slice(index + 1)];
}

function* lessThan(one: Happening): Generator<Happening> {
  if (one.do === "crash")
    for (let afterCommits = 0; afterCommits < one.afterCommits; afterCommits++)
      yield { ...one, afterCommits };
  if (one.do === "advance" && one.ms > 1) {
    yield { ...one, ms: 1 };
    yield { ...one, ms: one.ms >> 1 };
  }
}
