import type { Happening, Schedule } from "./schedule.js";

/** A message that may come at any time, after those before it. */
export interface Arrival {
  readonly queue: string;
  readonly body: unknown;
}

/** Whole numbers from 0 up to, not including, `below`. */
export type Random = (below: number) => number;

/** mulberry32 (public domain): the same numbers for the same seed, everywhere. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below) >>> 0;
  };
}

/** Lengths of time, ms: a moment, a retry, minutes, a day. */
const SPANS = [1, 100, 5_000, 300_000, 86_400_000] as const;

/**
 * All the messages in their order, at random times, with crashes (most of them right after a commit) and
 * evictions in between.
 */
export function randomSchedule(arrivals: readonly Arrival[], random: Random): Schedule {
  const happenings: Happening[] = [];
  const disturb = (): void => {
    if (random(2) === 0) happenings.push({ do: "crash", afterCommits: random(5) });
    else if (random(3) === 0) happenings.push({ do: "evict" });
  };
  disturb();
  for (const { queue, body } of arrivals) {
    if (random(3) > 0) happenings.push({ do: "advance", ms: SPANS[random(SPANS.length)] ?? 1 });
    disturb();
    happenings.push({ do: "send", queue, body });
  }
  for (let more = random(4); more > 0; more--) {
    happenings.push({ do: "advance", ms: SPANS[random(SPANS.length)] ?? 1 });
    disturb();
  }
  return happenings;
}
