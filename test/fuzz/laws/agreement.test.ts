import fc from "fast-check";
import { test, vi } from "vitest";
import { runSchedule } from "../../../runtime/src/testing/run-schedule.js";
import type { Schedule } from "../../../runtime/src/testing/schedule.js";
import { commonOf, disagreement } from "../agreement/common-outcome.js";
import { MENDED } from "../agreement/mended-faults.js";
import { runPublished } from "../agreement/published.js";
import { each, hold } from "../law.js";
import { program } from "../program/arbitrary.js";
import { FEATURES, featuresOf } from "../program/features.js";
import { ordered } from "../program/ordered.js";
import { plain } from "../program/plain.js";
import type { Block } from "../program/tree.js";
import { registryOf } from "../registry.js";
import { schedule } from "../schedule.js";
import { showProgram, showSchedule } from "../show.js";
import { NotingWorld } from "../world.js";

/*
 * Law 4. The same program and schedule on the published engine, `@rivetkit/workflow-engine` 2.3.19, and on ours
 * give the same outcome and history, except for the faults of `mended-faults.ts`, each told by what differs.
 */

interface Case {
  readonly program: Block;
  readonly schedule: Schedule;
}

test("the published engine and ours agree, but for mended faults", { timeout: 0 }, async () => {
  quietly();
  await hold<Case>({
    name: "agreement",
    cases: fc.record({
      program: program({ size: { root: 4, block: 2, depth: 2 } }).map((block) => plain(ordered(block))),
      schedule: schedule({ disturbed: false, jumps: false }),
    }),
    runs: 150,
    show: (one) => `${showProgram(one.program)}\n${showSchedule(one.schedule)}`,
    demands: {
      programs: 150,
      agree: 120,
      ...Object.fromEntries(
        FEATURES.filter(
          (feature) => !["step on state", "step sends", "loop that prunes"].includes(feature),
        ).map((feature) => [`· ${feature}`, 1]),
      ),
    },
    holds: each(async (one, tally) => {
      const theirs = await runPublished(one.program, one.schedule);
      const ours = commonOf(
        await runSchedule(registryOf(one.program, new NotingWorld()), one.schedule, {
          name: "program",
          hops: 120,
        }),
      );
      tally.count("programs");
      for (const feature of featuresOf(one.program)) tally.count(`· ${feature}`);
      const differs = disagreement(ours, theirs);
      if (differs === null) {
        tally.count("agree");
        return;
      }
      const fault = MENDED.find(({ shows }) => shows({ ours, theirs }));
      if (fault === undefined) throw new Error(`The engines differ: ${differs}`);
      tally.count(`mended: ${fault.name}`);
    }),
  });
});

/** The published engine prints what its losing branches threw, also when nobody waits for it any more. */
function quietly(): void {
  const { warn } = console;
  vi.spyOn(console, "warn").mockImplementation((...said: readonly unknown[]) => {
    if (!/^Race ".*" had \d+ branch/.test(String(said[0]))) warn(...said);
  });
}
