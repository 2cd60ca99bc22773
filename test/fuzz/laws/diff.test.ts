import fc from "fast-check";
import { test } from "vitest";
import {
  accepts,
  REPLAY_FLAGS,
  type DiffResult,
  type WorkflowManifest,
} from "../../../runtime/src/manifest/index.js";
import { replayWitness } from "../../../runtime/src/testing/replay-witness.js";
import type { Schedule } from "../../../runtime/src/testing/schedule.js";
import { compiledManifests } from "../check-programs.js";
import { deploy } from "../deploy.js";
import { hold } from "../law.js";
import { at, breakingIn, diffOf, type Change, type Pair } from "../pair.js";
import { program } from "../program/arbitrary.js";
import { edit, edited, OPERATORS, type Edit } from "../program/edit.js";
import { FEATURES, featuresOf } from "../program/features.js";
import { remediesHelp } from "../remedies.js";
import { statementsIn, type Block } from "../program/tree.js";
import { schedule } from "../schedule.js";
import type { Tally } from "../tally.js";
import { showProgram, showSchedule } from "../show.js";

/*
 * Law 3. For random pairs made by edits, in both directions: `safe` ⇒ no crash point of a generated old run diverges
 * under the new program; `breaking` ⇒ the witness does what it says when it is replayed; the remedies applied ⇒ safe.
 * How often a verdict is `risky` is counted, and bounded: one that hides behind it is a fault. The manifests are those
 * that the compiler makes of the programs' sources.
 */

interface Case {
  readonly old: Block;
  readonly edits: readonly Edit[];
  readonly schedule: Schedule;
}

interface Deploy extends Pair {
  readonly schedule: Schedule;
}

test(
  "safe deploys diverge nowhere, breaking ones as their witness says, remedies make safe",
  { timeout: 0 },
  async () => {
    const tally = await hold<Case>({
      name: "diff",
      cases: fc.record({
        old: program({ size: { root: 4, block: 2, depth: 2 } }),
        edits: fc.array(edit(), { minLength: 1, maxLength: 2 }),
        schedule: schedule({ disturbed: false, jumps: false }),
      }),
      together: 20,
      runs: 60,
      show,
      demands: {
        pairs: 80,
        safe: 15,
        breaking: 20,
        risky: 3,
        "deploys of safe pairs": 40,
        "deploys of other pairs": 40,
        "histories refused": 10,
        "witnesses replayed": 20,
        "remedies applied": 10,
        ...Object.fromEntries(OPERATORS.map((operator) => [`· ${operator}`, 1])),
        ...Object.fromEntries(FEATURES.map((feature) => [`· ${feature}`, 1])),
      },
      holds: async (cases, tally) => {
        for (const { old, edits } of cases) {
          for (const { operator } of edits) tally.count(`· ${operator}`);
          for (const feature of featuresOf(old)) tally.count(`· ${feature}`);
        }
        const pairs = pairsOf(cases);
        for (const pair of pairs) {
          isItself(pair.before);
          tally.count("pairs");
          tally.count(pair.diff.verdict);
          await deploysDo(pair, tally);
          await witnessesDo(pair, tally);
        }
        remediesHelp(
          pairs.filter(({ diff }) => diff.verdict === "breaking"),
          tally,
        );
      },
    });
    const share = tally.of("risky") / Math.max(1, tally.of("pairs"));
    if (share > 0.35) throw new Error(`${Math.round(share * 100)} % of the pairs are called risky.`);
  },
);

const nowOf = ({ old, edits }: Case): Block => edited(old, edits);

function show(one: Case): string {
  return [
    "Old:",
    showProgram(one.old),
    `New (${one.edits.map(({ operator }) => operator).join(", ")}):`,
    showProgram(nowOf(one)),
    showSchedule(one.schedule),
  ].join("\n");
}

/** Each case there and back: an edit undone is an edit. */
function pairsOf(cases: readonly Case[]): Deploy[] {
  const programs = cases.flatMap((one) => [one.old, nowOf(one)]);
  const manifests = compiledManifests(programs);
  return cases.flatMap((one, number) =>
    [0, 1].map((turned): Deploy => {
      const [from, to] = [2 * number + turned, 2 * number + 1 - turned];
      const [before, after] = [at(manifests, from), at(manifests, to)];
      const [old, now] = [at(programs, from), at(programs, to)];
      return { old, now, before, after, diff: diffOf(before, after), schedule: one.schedule };
    }),
  );
}

/** @throws when anything is found between a program and itself, other than by its hash. */
function isItself(manifest: WorkflowManifest): void {
  const { workflows } = diffOf(manifest, { ...manifest, hash: "another" });
  const [found] = workflows[0]?.changes ?? [];
  if (found !== undefined) throw new Error(`Between a program and itself is found: ${found.message}`);
}

/** The refusal lies in a branch of a race, and the replayed program does not come to it. */
function anotherBranchWon(now: Block, outcome: string): boolean {
  return outcome === "completed" && [...statementsIn(now)].some((one) => one.kind === "race");
}

/**
 * Deploys the new program over instances that the old one left at some commits.
 * @throws when one diverges though the pair is called safe, or goes on to its end though its history is refused.
 */
async function deploysDo({ old, now, before, after, diff, schedule }: Deploy, tally: Tally): Promise<void> {
  const isSafe = diff.verdict === "safe" || diff.verdict === "identical";
  for (const commits of isSafe ? [1, 2, 3, 4, 6, 9] : [3, 6]) {
    const outcome = await deploy(old, now, schedule, commits);
    if (outcome.wasOver) break;
    tally.count(isSafe ? "deploys of safe pairs" : "deploys of other pairs");
    if (isSafe && outcome.diverged)
      throw new Error(
        `Called ${diff.verdict}, and diverges after ${commits} commits: ${outcome.error}\nOld:\n${showProgram(old)}\nNew:\n${showProgram(now)}`,
      );
    const own = accepts(outcome.before, before, REPLAY_FLAGS.stepproof);
    if (!own.accepted)
      throw new Error(
        `After ${commits} commits the old program refuses its own history: ${own.error}\nOld:\n${showProgram(old)}`,
      );
    const next = accepts(outcome.before, after, REPLAY_FLAGS.stepproof);
    if (next.accepted) continue;
    tally.count("histories refused");
    if (anotherBranchWon(now, outcome.status)) {
      tally.count("inconclusive: another branch of a race won");
      continue;
    }
    if (outcome.status === "completed")
      throw new Error(
        `Refused after ${commits} commits, and goes on to its end: ${next.error}\nOld:\n${showProgram(old)}\nNew:\n${showProgram(now)}`,
      );
  }
}

/** @throws when the engine does not do with a witness what the diff says. */
async function witnessesDo({ old, now, after, diff }: Pair, tally: Tally): Promise<void> {
  for (const change of diff.workflows[0]?.changes ?? []) {
    if (change.level !== "breaking" || change.witness === null) continue;
    const replay = await replayWitness(change.witness, after);
    tally.count("witnesses replayed");
    if (!replay.asSaid && isMasked(change, diff, replay.error ?? "")) {
      tally.count("inconclusive: another breaking change comes first");
      continue;
    }
    if (!replay.asSaid)
      throw new Error(
        `The witness does not do what it says: ${change.message}\n${change.witness.error}\nReplayed: ${JSON.stringify(replay)}\nOld:\n${showProgram(old)}\nNew:\n${showProgram(now)}`,
      );
  }
}

/** The history of the witness diverges before the call, at an entry that another breaking change is about. */
function isMasked(change: Change, diff: DiffResult, error: string): boolean {
  const others = breakingIn(diff).filter((one) => one !== change && one.witness?.diverges === true);
  return !change.witness?.diverges && others.some(({ path }) => error.includes(`"${path.join("/")}"`));
}
