import fc from "fast-check";
import { test } from "vitest";
import { difference } from "../../../runtime/src/testing/difference.js";
import { runSchedule, type Outcome } from "../../../runtime/src/testing/run-schedule.js";
import { undisturbed, type Schedule } from "../../../runtime/src/testing/schedule.js";
import { each, hold } from "../law.js";
import { program } from "../program/arbitrary.js";
import { FEATURES, featuresOf } from "../program/features.js";
import { ordered } from "../program/ordered.js";
import { sendless } from "../program/plain.js";
import type { Block } from "../program/tree.js";
import { registryOf } from "../registry.js";
import { schedule } from "../schedule.js";
import { showProgram, showSchedule } from "../show.js";
import { Steadfast } from "../steadfast.js";
import { NotingWorld } from "../world.js";

/*
 * Law 1. Under any schedule of crashes, evictions, message arrivals and clock jumps the outcome, state and
 * history equal those of the undisturbed run; every outside effect of a completed step happened once.
 *
 * Programs whose outcome hangs on which of two branches is a moment faster have no one outcome to equal. Of them, as
 * of all, the invariants of `Steadfast` hold, and another crash at the end changes nothing.
 */

/** Timers after the schedule: enough for every program to end, so that none is left off half-way. */
const HOPS = 500;

/** Long after everything has ended that ends by itself. */
const AT_REST: Schedule = [
  { do: "advance", ms: 1_000_000 },
  { do: "crash", afterCommits: 0 },
  { do: "evict" },
];

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
      cases: fc.record({ program: program(), schedule: schedule({ disturbed: true, jumps: true }) }),
      runs: 60,
      show: (one) => `${showProgram(one.program)}\n${showSchedule(one.schedule)}`,
      demands: {
        programs: 60,
        crashes: 60,
        "ended completed": 15,
        "ended failed": 4,
        "ended sleeping": 4,
        "effects of completed steps": 100,
        "programs in which moments decide": 15,
        ...Object.fromEntries(
          [...FEATURES, "step on state in a branch"].map((feature) => [`· ${feature}`, 1]),
        ),
      },
      holds: each(async (one, tally) => {
        const inOrder = ordered(one.program);
        const features = featuresOf(inOrder);
        // A jump of the clock makes branches due at one moment that else are apart: who wins is open then.
        const steady = features.has("race")
          ? one.schedule.filter((each) => each.do !== "jump")
          : one.schedule;
        const repeatable: Case = { program: inOrder, schedule: steady };
        for (const feature of features) tally.count(`· ${feature}`);
        tally.count("programs");
        tally.count("crashes", one.schedule.filter(({ do: what }) => what === "crash").length);
        tally.count("evictions", one.schedule.filter(({ do: what }) => what === "evict").length);
        const calm = await run({ ...repeatable, schedule: undisturbed(steady) });
        const { outcome: disturbed, done } = await run(repeatable);
        tally.count("schedules", 2);
        tally.count(`ended ${calm.outcome.status}`);
        tally.count("effects of completed steps", done);
        const differs = difference(disturbed, calm.outcome);
        if (differs !== null)
          throw new Error(
            `Disturbed, ${differs} as undisturbed.\nIn order:\n${showProgram(repeatable.program)}`,
          );
        const racy = sendless(one.program);
        const isSame = JSON.stringify(racy) === JSON.stringify(sendless(inOrder));
        if (isSame && steady.length === one.schedule.length) return;
        tally.count("programs in which moments decide");
        tally.count("schedules", 2);
        const apart = one.schedule.map((each, number) =>
          each.do === "send" ? { ...each, body: (each.body as number) + 10 * number } : each,
        );
        await run({ program: racy, schedule: [...apart, ...AT_REST] }, true);
      }),
    });
  },
);

/** @throws when the run breaks an invariant, or a crash or eviction at rest changes anything. */
async function run(one: Case, areMessagesApart = false): Promise<{ outcome: Outcome; done: number }> {
  const world = new NotingWorld();
  const steadfast = new Steadfast(world.acts, areMessagesApart);
  let before: Outcome | null = null;
  let number = 0;
  let hasJumped = false;
  const outcome = await runSchedule(registryOf(one.program, world), one.schedule, {
    name: "program",
    hops: HOPS,
    watch: (now) => {
      const happening = one.schedule[number++];
      steadfast.look(now);
      // What a jump of the clock makes due is found by the next process.
      hasJumped ||= happening?.do === "jump";
      const isAtRest =
        happening?.do === "evict" || (happening?.do === "crash" && happening.afterCommits === 0);
      const differs = isAtRest && !hasJumped && before !== null ? difference(now, before) : null;
      if (differs !== null) throw new Error(`Happening ${number}, at rest, changes something: ${differs}.`);
      before = now;
    },
  });
  steadfast.look(outcome);
  return { outcome, done: steadfast.done.size };
}
