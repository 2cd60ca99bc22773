import fc from "fast-check";
import { test } from "vitest";
import { carriedIn, manifestOf, transformCode } from "stepproof";
import { carriedManifest } from "../../../runtime/src/host/define/carried-manifest.js";
import type { WorkflowManifest } from "../../../runtime/src/manifest/index.js";
import { difference } from "../../../runtime/src/testing/difference.js";
import { runSchedule } from "../../../runtime/src/testing/run-schedule.js";
import type { Schedule } from "../../../runtime/src/testing/schedule.js";
import { checkPrograms } from "../check-programs.js";
import { hold } from "../law.js";
import { registryOfSource } from "../load-source.js";
import { program } from "../program/arbitrary.js";
import { FEATURES, featuresOf } from "../program/features.js";
import { workflowOfProgram } from "../program/manifest.js";
import { ordered } from "../program/ordered.js";
import { sourceOf, type Files } from "../program/source.js";
import type { Block } from "../program/tree.js";
import { registryOf } from "../registry.js";
import { schedule } from "../schedule.js";
import { showProgram, showSchedule } from "../show.js";
import { NotingWorld } from "../world.js";

/*
 * Law 5. Source before and after the transform behaves the same (and as the closure does: the renderings of a
 * program mean the same); the manifest from source is the manifest from the rendered tree, and is what the
 * transformed code carries.
 */

interface Case {
  readonly program: Block;
  readonly schedule: Schedule;
}

test(
  "source, transformed source, closure and manifest of a program say the same",
  { timeout: 0 },
  async () => {
    await hold<Case>({
      name: "transform",
      cases: fc.record({
        program: program({ size: { root: 4, block: 2, depth: 2 } }).map(ordered),
        schedule: schedule({ disturbed: true, jumps: false }),
      }),
      together: 14,
      runs: 70,
      show: (one) => `${showProgram(one.program)}\n${showSchedule(one.schedule)}`,
      demands: {
        programs: 50,
        schedules: 150,
        "manifests compared": 50,
        ...Object.fromEntries(FEATURES.map((feature) => [`· ${feature}`, 1])),
      },
      holds: async (cases, tally) => {
        const sources = cases.map((one) => sourceOf(one.program));
        const { analysis } = checkPrograms(sources);
        const manifests = Object.values(manifestOf(analysis, { root: "/fuzz", tool: "fuzz" }).workflows);
        const carried = carriedIn(analysis, "/fuzz");
        for (const [number, one] of cases.entries()) {
          tally.count("programs");
          for (const feature of featuresOf(one.program)) tally.count(`· ${feature}`);
          const source = sources[number] ?? new Map<string, string>();
          const manifest = manifests.find(({ file }) => file === `${number}/main.ts`);
          if (manifest === undefined) throw new Error("The source has no workflow.");
          const differs = difference(comparable(manifest), comparable(workflowOfProgram(one.program)));
          if (differs !== null) throw new Error(`The manifest from source: ${differs} as from the tree.`);
          tally.count("manifests compared");
          const main = transformCode(
            source.get("main.ts") ?? "",
            "main.ts",
            carried.get(`/fuzz/${number}/main.ts`) ?? [],
          );
          if (main === undefined) throw new Error("Nothing was transformed.");
          await behaveTheSame(one, source, new Map([...source, ["main.ts", main.code]]), manifest);
          tally.count("schedules", 3);
        }
      },
    });
  },
);

/** @throws when the renderings differ in how an instance ends under the schedule. */
async function behaveTheSame(
  { program: block, schedule: happenings }: Case,
  source: Files,
  transformed: Files,
  manifest: WorkflowManifest,
): Promise<void> {
  const after = registryOfSource(transformed);
  const definition = after.definitions["program"];
  const carries = carriedManifest("program", definition as unknown as { config: object });
  const isOther = difference(carries?.manifest, manifest);
  if (isOther !== null) throw new Error(`The transformed code carries another manifest: ${isOther}`);
  const run = (registry: typeof after): ReturnType<typeof runSchedule> =>
    runSchedule(registry, happenings, { name: "program" });
  const closure = await run(registryOf(block, new NotingWorld()));
  const before = difference(await run(registryOfSource(source)), closure);
  if (before !== null) throw new Error(`The source: ${before} as the closure.`);
  const then = difference(await run(after), closure);
  if (then !== null) throw new Error(`The transformed source: ${then} as before.`);
}

/** Without what can't be told from the tree: hashes of bodies, and what hangs on them. */
function comparable({ hash: _, file: __, name: ___, ...manifest }: WorkflowManifest): unknown {
  return JSON.parse(
    JSON.stringify(manifest, (key, value: unknown) =>
      key === "reads" || (key === "body" && typeof value === "string") ? undefined : value,
    ),
  );
}
