import { expect, it } from "vitest";
import { diffManifests, type Witness } from "../../runtime/src/manifest/index.js";
import { manifest } from "../../runtime/src/manifest/testing/build.js";
import { edit, generateBlock, random } from "../../runtime/src/manifest/testing/generate.js";
import { replayWitness } from "../../runtime/src/testing/replay-witness.js";

const CASES = Number(process.env["STEPPROOF_FUZZ"] ?? 60);
const START = Number(process.env["STEPPROOF_SEED"] ?? 1);

it(
  "what the diff calls breaking does on the engine what its witness says",
  { timeout: 1_200_000 },
  async () => {
    const counts = { asSaid: 0, inconclusive: 0, risky: 0, riskyAsSaid: 0 };
    for (let seed = START; seed < START + CASES; seed++) {
      const next = random(seed);
      const old = generateBlock(next);
      const now = manifest(edit(old, next, { count: 0 }));
      const [diff] = diffManifests(manifest(old), now).workflows;
      for (const change of diff?.changes ?? []) {
        if (change.witness === null) continue;
        const code = now.workflows["order"];
        if (code === undefined) throw new Error("the manifest has no workflow");
        const replay = await replayWitness(change.witness, code);
        if (change.level === "breaking") {
          // A branch of a race that neither runs a step nor waits can win before anything else is looked at.
          const raced = !replay.asSaid && inRace(change.witness) && replay.outcome !== "failed";
          counts[raced ? "inconclusive" : "asSaid"]++;
          if (raced) continue;
          expect(replay, JSON.stringify({ seed, change, old, now: code.body })).toMatchObject({
            asSaid: true,
          });
        } else {
          counts.risky++;
          if (replay.asSaid) counts.riskyAsSaid++;
        }
      }
    }
    console.log(`seeds from ${START}:`, counts);
    expect(counts.asSaid).toBeGreaterThan(CASES / 4);
    expect(counts.inconclusive).toBeLessThan(CASES / 50 + 1);
  },
);

/** True when the call that fails is made in a branch of a race. */
function inRace({ history, call }: Pick<Witness, "history" | "call">): boolean {
  const [name, ...rest] = call?.path ?? [];
  const entry = history.entries.find((one) => one.name === name);
  if (entry === undefined || call === null) return false;
  if (entry.kind === "race") return true;
  const path = entry.kind === "join" ? rest.slice(1) : rest;
  return (entry.scopes ?? []).some((scope) => inRace({ history: scope, call: { ...call, path } }));
}
