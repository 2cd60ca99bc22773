import { diffManifests, type Change, type Manifest } from "@stepproof/runtime/manifest";
import { expect, test } from "vitest";
import { randomOf } from "../../runtime/src/testing/random-schedule.js";
import { replayWitness } from "../../runtime/src/testing/replay-witness.js";
import { deploy, type Data } from "../conformance/deploy.js";
import { manifestsOf } from "./manifests.js";
import { readPairs, type Direction } from "./pairs.js";

/*
 * What the diff says of each pair, on the engine: a witness fails as it says, and where the answer is
 * `safe` the new version takes over at every commit of the old one, for several data.
 */

const DATA = Number(process.env["STEPPROOF_FUZZ"] ?? 2);
const COMMITS = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12];

const pairs = readPairs();
const v1 = manifestsOf(pairs, 1, "stepproof", "replay");
const v2 = manifestsOf(pairs, 2, "stepproof", "replay");

interface Judged {
  readonly id: string;
  readonly old: Manifest;
  readonly now: Manifest;
}

const judged = pairs.flatMap(({ name }) =>
  (["forth", "back"] as const satisfies readonly Direction[]).map((direction): Judged => {
    const [one, other] = [v1.get(name), v2.get(name)];
    if (one === undefined || other === undefined) throw new Error(`${name} has no manifest`);
    return direction === "forth"
      ? { id: `${name} forth`, old: one, now: other }
      : { id: `${name} back`, old: other, now: one };
  }),
);

/** Loops end now and then; everything else hangs on the seed. */
function dataOf(seed: number): Data {
  return (text, scope) => {
    let hash = seed;
    for (const char of `${text} ${scope.join("/")}`)
      hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
    return randomOf(hash)(12);
  };
}

test("every witness of a breaking change fails on the engine as it says", { timeout: 600_000 }, async () => {
  let shown = 0;
  const wrong: string[] = [];
  for (const { id, old, now } of judged) {
    for (const workflow of diffManifests(old, now).workflows) {
      const code = now.workflows[workflow.name];
      if (code === undefined) continue;
      for (const change of workflow.changes.filter((one): one is Change => one.level === "breaking")) {
        if (change.witness === null) continue;
        const replay = await replayWitness(change.witness, code);
        shown++;
        if (!replay.asSaid)
          wrong.push(`${id}: ${change.message}: ${JSON.stringify([replay, change.witness])}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(shown).toBeGreaterThan(10);
});

test(
  "where the diff says safe, the new version takes over at every commit",
  { timeout: 600_000 },
  async () => {
    let runs = 0;
    const wrong: string[] = [];
    for (const { id, old, now } of judged) {
      const diff = diffManifests(old, now);
      for (const workflow of diff.workflows) {
        const [before, after] = [old.workflows[workflow.name], now.workflows[workflow.name]];
        if (before === undefined || after === undefined) continue;
        if (workflow.verdict !== "safe" && workflow.verdict !== "identical") continue;
        for (let seed = 1; seed <= DATA; seed++) {
          for (const commits of COMMITS) {
            const outcome = await deploy(before, after, dataOf(seed), commits);
            if (outcome === null) break;
            runs++;
            if (outcome.diverged)
              wrong.push(`${id} after ${commits} commits, data ${seed}: ${outcome.error}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(runs).toBeGreaterThan(100);
  },
);
