import fc from "fast-check";
import { test } from "vitest";
import {
  accepts,
  diffManifests,
  REPLAY_FLAGS,
  type WorkflowManifest,
} from "../../../runtime/src/manifest/index.js";
import { replayWitness } from "../../../runtime/src/testing/replay-witness.js";
import type { Schedule } from "../../../runtime/src/testing/schedule.js";
import { deploy } from "../deploy.js";
import { hold, type Tally } from "../law.js";
import { program } from "../program/arbitrary.js";
import { edit, edited, OPERATORS, type Edit } from "../program/edit.js";
import { manifestOfProgram } from "../program/manifest.js";
import { mended } from "../program/mended.js";
import { statementsIn, type Block } from "../program/tree.js";
import { schedule } from "../schedule.js";
import { showProgram, showSchedule } from "../show.js";

/*
 * Law 3. For random pairs made by edits: `safe` ⇒ no crash point of a generated old run diverges under the new
 * program; `breaking` ⇒ the witness does what it says when it is replayed; the remedies applied ⇒ `safe`. How
 * often a verdict is `risky` is counted, and bounded: one that hides behind it is a fault.
 */

interface Case {
  readonly old: Block;
  readonly edits: readonly Edit[];
  readonly schedule: Schedule;
}

const manifest = (block: Block): ReturnType<typeof manifestOfProgram> =>
  manifestOfProgram(block, "by variable");

test(
  "safe deploys diverge nowhere, breaking ones as their witness says, remedies make safe",
  { timeout: 0 },
  async () => {
    const tally = await hold<Case>({
      name: "diff",
      cases: fc.record({
        old: program({ size: { root: 4, block: 2, depth: 2 }, recordedOnly: true }),
        edits: fc.array(edit(), { minLength: 1, maxLength: 2 }),
        schedule: schedule({ disturbed: false, jumps: false }),
      }),
      runs: 120,
      show: (one) =>
        [
          "Old:",
          showProgram(one.old),
          `New (${one.edits.map(({ operator }) => operator).join(", ")}):`,
          showProgram(edited(one.old, one.edits, { recordedOnly: true })),
          showSchedule(one.schedule),
        ].join("\n"),
      demands: {
        pairs: 120,
        safe: 15,
        breaking: 20,
        risky: 3,
        "deploys of safe pairs": 40,
        "deploys of other pairs": 40,
        "histories refused": 10,
        "witnesses replayed": 20,
        "remedies applied": 10,
        ...Object.fromEntries(OPERATORS.map((operator) => [`· ${operator}`, 1])),
      },
      holds: async (one, tally) => {
        const now = edited(one.old, one.edits, { recordedOnly: true });
        const diff = diffManifests(manifest(one.old), manifest(now));
        tally.count("pairs");
        tally.count(diff.verdict);
        for (const { operator } of one.edits) tally.count(`· ${operator}`);
        await deploysDo(one, now, diff.verdict === "safe" || diff.verdict === "identical", tally);
        const code = manifest(now).workflows["program"] as WorkflowManifest; // every program has it
        for (const change of diff.workflows[0]?.changes ?? []) {
          if (change.level !== "breaking" || change.witness === null) continue;
          const replay = await replayWitness(change.witness, code);
          tally.count("witnesses replayed");
          if (!replay.asSaid && anotherBranchWon(now, replay.outcome)) {
            tally.count("inconclusive: another branch of a race won");
            continue;
          }
          if (!replay.asSaid)
            throw new Error(
              `The witness does not do what it says: ${change.message}\n${change.witness.error}\nReplayed: ${JSON.stringify(replay)}`,
            );
        }
        if (diff.verdict === "breaking") remediesHelp(one.old, now, tally);
      },
    });
    const share = tally.of("risky") / Math.max(1, tally.of("pairs"));
    const helpless = tally.of("remedies that do not help") / Math.max(1, tally.of("remedies applied"));
    if (helpless > 0.1)
      throw new Error(`${Math.round(helpless * 100)} % of the remedies that were applied do not help.`);
    if (share > 0.35) throw new Error(`${Math.round(share * 100)} % of the pairs are called risky.`);
  },
);

/** The refusal lies in a branch of a race, and the replayed program does not come to it. */
function anotherBranchWon(now: Block, outcome: string): boolean {
  return outcome === "completed" && [...statementsIn(now)].some((one) => one.kind === "race");
}

/**
 * Deploys the new program over instances that the old one left at some commits.
 * @throws when one diverges though the pair is called safe, or goes on to its end though its history is refused.
 */
async function deploysDo(
  { old, schedule: inputs }: Case,
  now: Block,
  isSafe: boolean,
  tally: Tally,
): Promise<void> {
  const workflow = (block: Block): WorkflowManifest =>
    manifest(block).workflows["program"] as WorkflowManifest; // every program has it
  for (const commits of isSafe ? [1, 2, 3, 4, 6, 9] : [3, 6]) {
    const outcome = await deploy(old, now, inputs, commits);
    if (outcome.wasOver) break;
    tally.count(isSafe ? "deploys of safe pairs" : "deploys of other pairs");
    if (isSafe && outcome.diverged)
      throw new Error(`Called safe, and diverges after ${commits} commits: ${outcome.error}`);
    const own = accepts(outcome.before, workflow(old), REPLAY_FLAGS.stepproof);
    if (!own.accepted)
      throw new Error(`After ${commits} commits the old program refuses its own history: ${own.error}`);
    const next = accepts(outcome.before, workflow(now), REPLAY_FLAGS.stepproof);
    if (next.accepted) continue;
    tally.count("histories refused");
    if (anotherBranchWon(now, outcome.status)) {
      tally.count("inconclusive: another branch of a race won");
      continue;
    }
    if (outcome.status === "completed")
      throw new Error(`Refused after ${commits} commits, and goes on to its end: ${next.error}`);
  }
}

/**
 * Applies every remedy that is an edit, until none is left, and counts those whose change is breaking all the
 * same: a place that instances come past can't always be told by the names in a scope. With
 * STEPPROOF_FUZZ_REMEDIES set the first of them breaks the law.
 */
function remediesHelp(old: Block, now: Block, tally: Tally): void {
  let code = now;
  for (let round = 0; round < 6; round++) {
    const diff = diffManifests(manifest(old), manifest(code));
    const changes = (diff.workflows[0]?.changes ?? []).filter(({ level }) => level === "breaking");
    const change = changes.find(({ remedy }) => (remedy?.edits.length ?? 0) > 0);
    if (change?.remedy == null) return;
    const better = mended(code, change.remedy.edits);
    if (better === null) {
      tally.count("inconclusive remedies");
      return;
    }
    tally.count("remedies applied");
    const after = diffManifests(manifest(old), manifest(better));
    const still = (after.workflows[0]?.changes ?? []).find(
      (each) =>
        each.level === "breaking" &&
        each.kind === change.kind &&
        each.path.join("/") === change.path.join("/"),
    );
    if (still !== undefined) {
      tally.count("remedies that do not help");
      if (process.env["STEPPROOF_FUZZ_REMEDIES"] === undefined) return;
      throw new Error(
        `The remedy does not help: ${change.message}\n${change.remedy.title}\n${JSON.stringify(change.remedy.edits)}\nStill: ${still.message}\nWith it:\n${showProgram(better)}`,
      );
    }
    code = better;
  }
}
