import { describe, expect, it } from "vitest";
import { accepts, diffManifests, REPLAY_FLAGS } from "../../runtime/src/manifest/index.js";
import { manifest, workflow } from "../../runtime/src/manifest/testing/build.js";
import { edit, generateBlock, random } from "../../runtime/src/manifest/testing/generate.js";
import { deploy, type Data } from "./deploy.js";

/*
 * What the diff and `accepts` foretell, on the engine itself: random workflows are run, the process dies
 * after a commit, and an edited version takes over.
 */

const CASES = Number(process.env["STEPPROOF_FUZZ"] ?? 25);

describe("on the engine itself", () => {
  it(
    "no deploy that the diff calls safe diverges, and no history that accepts() refuses goes on to the end",
    { timeout: 1_200_000 },
    async () => {
      const counts = { safe: 0, refused: 0, diverged: 0, runs: 0 };
      const start = Number(process.env["STEPPROOF_SEED"] ?? 1);
      for (let seed = start; seed < start + CASES; seed++) {
        const next = random(seed);
        const old = generateBlock(next);
        const now = edit(old, next, { count: 0 });
        const { verdict } = diffManifests(manifest(old), manifest(now));
        for (const commits of [0, 1, 2, 3, 5, 8]) {
          const data: Data = (text) =>
            text.startsWith("stop") ? 0 : random(seed + text.length + text.charCodeAt(text.length - 1))(12);
          const outcome = await deploy(workflow(old), workflow(now), data, commits);
          if (outcome === null) continue;
          const accepted = accepts(outcome.before, workflow(now), REPLAY_FLAGS.stepproof);
          const explain = JSON.stringify({ seed, commits, verdict, outcome, accepted, old, now });
          counts.runs++;
          if (outcome.diverged) counts.diverged++;
          if (verdict === "safe" || verdict === "identical") {
            counts.safe++;
            expect(outcome.diverged, explain).toBe(false);
          }
          if (!accepted.accepted) {
            counts.refused++;
            expect(outcome.ended, explain).toBe(false);
          }
        }
      }
      console.log(`seeds from ${start}:`, counts);
      expect(counts.safe).toBeGreaterThan(CASES / 2);
      expect(counts.refused).toBeGreaterThan(CASES / 4);
    },
  );
});
