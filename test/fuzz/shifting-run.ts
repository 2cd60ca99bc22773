import { difference } from "../../runtime/src/testing/difference.js";
import type { ManualClock } from "../../runtime/src/testing/manual-clock.js";
import { runSchedule, type Outcome } from "../../runtime/src/testing/run-schedule.js";
import { undisturbed, type Schedule } from "../../runtime/src/testing/schedule.js";
import { ShiftingGlobals } from "../../runtime/src/testing/shifting-globals.js";
import { stubbedContext } from "../../runtime/src/testing/step-stubs.js";
import { registryOfSource } from "./load-source.js";
import type { Files } from "./program/source.js";

/**
 * Runs a program's source through a schedule, and a crash and an eviction at its end, with and without its
 * disturbances. In each process modules are loaded anew, and clock and random numbers are others.
 * @returns where the two runs differ; `null` when they do not.
 */
export async function harmOf(files: Files, schedule: Schedule): Promise<string | null> {
  const disturbed: Schedule = [{ do: "evict" }, ...schedule, { do: "crash", afterCommits: 0 }];
  const calm = await run(files, undisturbed(disturbed));
  return difference(await run(files, disturbed), calm);
}

async function run(files: Files, schedule: Schedule): Promise<Outcome> {
  let clock: ManualClock | null = null;
  const globals = new ShiftingGlobals(() => clock?.now() ?? 0, 1);
  return await globals.during(() =>
    runSchedule(registryOfSource(files), schedule, {
      name: "program",
      contextClass: stubbedContext({}, globals.aroundBody),
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
