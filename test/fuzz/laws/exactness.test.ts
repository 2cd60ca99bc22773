import fc from "fast-check";
import { test } from "vitest";
import { difference } from "../../../runtime/src/testing/difference.js";
import { runSchedule, type Outcome, type RecordedEntry } from "../../../runtime/src/testing/run-schedule.js";
import { undisturbed, type Schedule } from "../../../runtime/src/testing/schedule.js";
import { each, hold } from "../law.js";
import { program } from "../program/arbitrary.js";
import { FEATURES, featuresOf } from "../program/features.js";
import { ordered } from "../program/ordered.js";
import type { Block } from "../program/tree.js";
import { registryOf } from "../registry.js";
import { schedule } from "../schedule.js";
import { showProgram, showSchedule } from "../show.js";
import { NotingWorld, type Act } from "../world.js";

/*
 * Law 1. Under any schedule of crashes, evictions, message arrivals and clock jumps the outcome, state and
 * history equal those of the undisturbed run; every outside effect of a completed step happened once.
 */

/** Timers after the schedule: enough for every program to end, so that none is left off half-way. */
const HOPS = 500;

interface Case {
  readonly program: Block;
  readonly schedule: Schedule;
}

test(
  "the outcome, state and history of a disturbed run are those of the undisturbed one",
  { timeout: 0 },
  async () => {
    await hold<Case>({
      name: "exactness",
      cases: fc.record({
        program: program().map(ordered),
        schedule: schedule({ disturbed: true, jumps: true }),
      }),
      runs: 60,
      show: (one) => `${showProgram(one.program)}\n${showSchedule(one.schedule)}`,
      demands: {
        programs: 60,
        crashes: 60,
        "ended completed": 15,
        "ended failed": 4,
        "ended sleeping": 4,
        "effects of completed steps": 100,
        ...Object.fromEntries(FEATURES.map((feature) => [`· ${feature}`, 1])),
      },
      holds: each(async (one, tally) => {
        const calm = await runSchedule(
          registryOf(one.program, new NotingWorld()),
          undisturbed(one.schedule),
          {
            name: "program",
            hops: HOPS,
          },
        );
        const world = new NotingWorld();
        const once = new OnlyOnce(world.acts);
        const disturbed = await runSchedule(registryOf(one.program, world), one.schedule, {
          name: "program",
          hops: HOPS,
          watch: (outcome) => {
            once.look(outcome);
          },
        });
        once.look(disturbed);
        tally.count("programs");
        tally.count("schedules", 2);
        tally.count("crashes", one.schedule.filter((each) => each.do === "crash").length);
        tally.count("evictions", one.schedule.filter((each) => each.do === "evict").length);
        tally.count(`ended ${calm.status}`);
        tally.count("effects of completed steps", once.done.size);
        for (const feature of featuresOf(one.program)) tally.count(`· ${feature}`);
        const differs = difference(disturbed, calm);
        if (differs !== null) throw new Error(`Disturbed, ${differs} as undisturbed.`);
      }),
    });
  },
);

/** A step that failed and has a due time waits for its next attempt. */
const isOver = ({ status, due }: RecordedEntry): boolean =>
  status === "completed" || status === "exhausted" || (status === "failed" && due === undefined);

/** No body of a step runs once the step is recorded as over. */
class OnlyOnce {
  readonly done = new Set<string>();
  private seen = 0;

  constructor(private readonly acts: readonly Act[]) {}

  look(outcome: Outcome): void {
    for (; this.seen < this.acts.length; this.seen++) {
      const act = this.acts[this.seen];
      if (act?.what === "work" && this.done.has(act.key))
        throw new Error(`The body of ${act.key} ran again after the step was recorded.`);
    }
    for (const entry of outcome.history) {
      if (entry.kind !== "step" || !isOver(entry)) continue;
      const key = `program/1/${entry.path}`;
      if (this.acts.some((act) => act.key === key)) this.done.add(key);
    }
  }
}
