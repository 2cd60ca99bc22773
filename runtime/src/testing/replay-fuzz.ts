import { setup } from "../host/define/setup.js";
import type { AnyActorDefinition, Key } from "../types/index.js";
import { difference } from "./difference.js";
import { randomOf, randomSchedule, type Arrival } from "./random-schedule.js";
import type { ManualClock } from "./manual-clock.js";
import { ReplayDivergenceError } from "./replay-divergence-error.js";
import { runSchedule, type Outcome } from "./run-schedule.js";
import { undisturbed, type Schedule } from "./schedule.js";
import { ShiftingGlobals } from "./shifting-globals.js";
import { shrinkSchedule } from "./shrink-schedule.js";
import { stubbedContext, type StepStubs } from "./step-stubs.js";

export interface ReplayFuzzOptions {
  /** What steps do instead of their own bodies, by name. Others run their own. */
  readonly steps?: StepStubs;
  /** Messages that come, in this order, at random times. */
  readonly messages?: readonly Arrival[];
  /** Schedules to try; 50 when absent. */
  readonly runs?: number;
  /** Decides about the schedules; 1 when absent, so that every run of a test is the same. */
  readonly seed?: number;
  readonly key?: Key;
  readonly input?: unknown;
}

/** What was tried, when nothing was found. */
export interface ReplayFuzzReport {
  readonly runs: number;
  readonly crashes: number;
  readonly evictions: number;
  readonly seed: number;
  /** How the undisturbed runs ended, by status: a fuzz of runs that all fail at once tells little. */
  readonly ended: Readonly<Record<string, number>>;
  /** Names of stubs that no step asked for. */
  readonly unusedStubs: readonly string[];
  /** Queues from which no undisturbed run took a message. */
  readonly unreadQueues: readonly string[];
}

/** Runs of the shrinker at most. */
const SHRINKS = 150;

/**
 * Runs a workflow under random crashes, evictions and arrivals of messages, and compares each run with the
 * same one left in peace: status, output, error, state and history must be equal. Time is virtual. While it
 * runs, `Date`, `Math.random`, `crypto.randomUUID` and `performance.now` are replaced: in workflow code they
 * give something else in each process, in step bodies they are steady.
 *
 * ```ts
 * await replayFuzz(orders, {
 *   steps: { "charge-card": "ch_1" },
 *   messages: [{ queue: "order", body: { id: "7" } }],
 * });
 * ```
 * @throws ReplayDivergenceError with the smallest schedule that was found.
 * @throws RuntimeError when a message can't be sent: `queue_not_found`, `validation_failed`, `message_too_large` …
 */
export async function replayFuzz(
  workflow: AnyActorDefinition,
  options: ReplayFuzzOptions = {},
): Promise<ReplayFuzzReport> {
  const { runs = 50, seed = 1, messages = [] } = options;
  const fuzz = new Fuzz(workflow, options);
  const ended: Record<string, number> = {};
  const read = new Set<string>();
  const sent = countsOf(messages.map(({ queue }) => queue));
  let crashes = 0;
  let evictions = 0;
  for (let run = 0; run < runs; run++) {
    const schedule = randomSchedule(messages, randomOf(seed + run));
    // Each run draws its own: a coin that falls alike in the first processes of one run falls otherwise in another.
    fuzz.seed = seed + run;
    crashes += schedule.filter((one) => one.do === "crash").length;
    evictions += schedule.filter((one) => one.do === "evict").length;
    const calm = await fuzz.run(undisturbed(schedule));
    ended[calm.status] = (ended[calm.status] ?? 0) + 1;
    const left = countsOf(calm.waiting);
    for (const [queue, count] of sent) if ((left.get(queue) ?? 0) < count) read.add(queue);
    const found = await fuzz.differs(schedule, calm);
    if (found === null) continue;
    const smallest = await shrinkSchedule(
      schedule,
      async (one) => (await fuzz.differs(one)) !== null,
      SHRINKS,
    );
    const inPeace = await fuzz.run(undisturbed(smallest));
    const disturbed = await fuzz.run(smallest);
    const differs = difference(disturbed, inPeace);
    throw new ReplayDivergenceError({
      // Code that is not repeatable at all may not show it again: then what was seen first is told.
      schedule: differs === null ? schedule : smallest,
      seed,
      run,
      disturbed,
      undisturbed: inPeace,
      difference: differs ?? found,
    });
  }
  const unreadQueues = [...sent.keys()].filter((queue) => !read.has(queue));
  return { runs, crashes, evictions, seed, ended, unusedStubs: fuzz.unusedStubs(), unreadQueues };
}

/** How often each stands in the list. */
function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

class Fuzz {
  private readonly asked = new Set<string>();
  /** Decides what clock and random numbers give in the processes of a run; set before each. */
  seed = 0;

  constructor(
    private readonly workflow: AnyActorDefinition,
    private readonly options: ReplayFuzzOptions,
  ) {}

  async run(schedule: Schedule): Promise<Outcome> {
    const { steps = {}, key, input } = this.options;
    let clock: ManualClock | null = null;
    const globals = new ShiftingGlobals(() => clock?.now() ?? 0, this.seed);
    const contextClass = stubbedContext(steps, (name, kind, body) => {
      this.asked.add(name);
      return globals.aroundBody(name, kind, body);
    });
    return await globals.during(() =>
      runSchedule(setup({ use: { workflow: this.workflow } }), schedule, {
        name: "workflow",
        contextClass,
        ...(key !== undefined && { key }),
        ...(input !== undefined && { input }),
        clock: (one) => {
          clock = one;
        },
        onBoot: () => {
          globals.shift();
        },
        onEvict: () => {
          globals.shift();
        },
      }),
    );
  }

  /** How the disturbed run differs from the calm one; `null` when it does not. */
  async differs(schedule: Schedule, calm?: Outcome): Promise<string | null> {
    const inPeace = calm ?? (await this.run(undisturbed(schedule)));
    return difference(await this.run(schedule), inPeace);
  }

  unusedStubs(): string[] {
    const asked = [...this.asked];
    return Object.keys(this.options.steps ?? {}).filter(
      (stub) =>
        !asked.some((name) => (stub.endsWith("*") ? name.startsWith(stub.slice(0, -1)) : name === stub)),
    );
  }
}
