import fc from "fast-check";
import { test } from "vitest";
import { runSchedule, type Outcome } from "../../../runtime/src/testing/run-schedule.js";
import type { Schedule } from "../../../runtime/src/testing/schedule.js";
import { each, hold } from "../law.js";
import { program } from "../program/arbitrary.js";
import { FEATURES, featuresOf } from "../program/features.js";
import { ordered } from "../program/ordered.js";
import { plain } from "../program/plain.js";
import { statementsIn, type Block, type Statement } from "../program/tree.js";
import { runPublished, type CommonOutcome } from "../published.js";
import { registryOf } from "../registry.js";
import { schedule } from "../schedule.js";
import { showProgram, showSchedule } from "../show.js";
import { NotingWorld } from "../world.js";

/*
 * Law 4. The same program and schedule on the published engine, `@rivetkit/workflow-engine` 2.3.19, and on ours
 * give the same outcome and history, except for the faults below, each with the condition under which it shows.
 */

interface Case {
  readonly program: Block;
  readonly schedule: Schedule;
}

interface Difference extends Case {
  readonly ours: CommonOutcome;
  readonly theirs: CommonOutcome;
}

/** A fault of the published engine that ours does not have. */
interface MendedFault {
  readonly name: string;
  readonly shows: (one: Difference) => boolean;
}

const MENDED: readonly MendedFault[] = [
  {
    // Design §4.5: whole subtrees count there, so what a finished inner scope recorded is missed.
    name: "unchanged code diverges behind a finished inner scope",
    shows: ({ theirs, program: block }) =>
      theirs.status === "failed" &&
      /^Entry ".*" exists in history but was not visited/.test(theirs.error ?? "") &&
      has(block, (one) => ["loop", "join", "race", "try"].includes(one.kind)),
  },
  {
    // Design §4.15, the flush of one branch stores what another is in the middle of: here the names' registry.
    name: "names that a concurrent branch registered are lost",
    shows: ({ theirs, program: block }) =>
      theirs.status === "failed" &&
      /^Name index \d+ not found in registry/.test(theirs.error ?? "") &&
      has(block, isConcurrent),
  },
  {
    // Design §4.7: entries inside finished loops and joins count there as recorded behind the gate.
    name: "a gate behind a finished inner scope gives 1 to a new instance",
    shows: ({ theirs, program: block }) =>
      theirs.status !== "failed" &&
      has(block, (one) => one.kind === "gate") &&
      has(block, (one) => ["loop", "join", "race", "try"].includes(one.kind)),
  },
  {
    // The race wakes when several of its branches are due, and the one with the fewest turns of the event loop wins.
    name: "the first branch of a race in time is not the winner",
    shows: ({ theirs, program: block }) =>
      theirs.status !== "failed" &&
      has(block, (one) => one.kind === "race" && one.blocks.filter(takesTime).length > 1),
  },
  {
    // Design §4.10: a critical failure is not recorded as final there; on replay the step waits, and runs, again.
    name: "a caught critical failure is tried again on replay",
    shows: ({ program: block }) =>
      has(block, (one) => (one.kind === "step" || one.kind === "tryStep") && one.work.ends === "critical"),
  },
];

const has = (block: Block, is: (one: Statement) => boolean): boolean => [...statementsIn(block)].some(is);
const isConcurrent = (one: Statement): boolean =>
  (one.kind === "join" || one.kind === "race") && one.blocks.length > 1;
const takesTime = (block: Block): boolean =>
  has(
    block,
    (one) =>
      one.kind === "sleep" ||
      one.kind === "wait" ||
      ((one.kind === "step" || one.kind === "tryStep") && one.work.ends !== "gives"),
  );

test("the published engine and ours agree, but for mended faults", { timeout: 0 }, async () => {
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
      const theirs = await quietly(() => runPublished(one.program, one.schedule));
      const ours = common(
        await runSchedule(registryOf(one.program, new NotingWorld()), one.schedule, {
          name: "program",
          hops: 120,
        }),
      );
      tally.count("programs");
      for (const feature of featuresOf(one.program)) tally.count(`· ${feature}`);
      const differs = differenceOf(ours, theirs);
      if (differs === null) {
        tally.count("agree");
        return;
      }
      const fault = MENDED.find(({ shows }) => shows({ ...one, ours, theirs }));
      if (fault === undefined) throw new Error(`The engines differ: ${differs}`);
      tally.count(`mended: ${fault.name}`);
    }),
  });
});

function common({ status, output, error, history }: Outcome): CommonOutcome {
  return {
    status: status === "completed" || status === "failed" ? status : "waiting",
    output,
    error,
    history: history
      .map(({ path, kind, output: value }) => `${path} ${kind}${kind === "step" ? ` ${String(value)}` : ""}`)
      .sort(),
  };
}

/** Messages of errors are not compared: ours say more. */
function differenceOf(ours: CommonOutcome, theirs: CommonOutcome): string | null {
  if (ours.status !== theirs.status || ours.output !== theirs.output)
    return `ours ${ours.status} with ${String(ours.output)} (${ours.error ?? "no error"}), theirs ${theirs.status} with ${String(theirs.output)} (${theirs.error ?? "no error"})`;
  const mine = ours.history.filter((line) => !theirs.history.includes(line));
  const other = theirs.history.filter((line) => !ours.history.includes(line));
  return mine.length + other.length === 0
    ? null
    : `only ours: ${mine.join(", ")}; only theirs: ${other.join(", ")}`;
}

/** The published engine prints what its losing branches threw. */
async function quietly<T>(run: () => Promise<T>): Promise<T> {
  const { error } = console;
  console.error = () => undefined;
  try {
    return await run();
  } finally {
    console.error = error;
  }
}
