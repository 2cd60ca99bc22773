import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accepts } from "./accepts.js";
import { diffManifests } from "./diff.js";
import type { Witness } from "./diff-types.js";
import type { Block, WorkflowManifest } from "./format.js";
import type { HistoryEntry } from "./history.js";
import { REPLAY_FLAGS } from "./replay-flags.js";
import { manifest, workflow } from "./testing/build.js";
import { edit, generateBlock, random } from "./testing/generate.js";
import { Diverged, Simulator, Stopped, type Data, type Stored } from "./testing/simulator.js";

/* The law of the diff (design §7), against a simulator of the contract that was written apart from it. */

const RUNS = Number(process.env["STEPPROOF_FUZZ"] ?? 200);
/** The same programs in every default run; a long run takes new ones, and prints its seed when it fails. */
const SEED = process.env["STEPPROOF_SEED"] ?? (process.env["STEPPROOF_FUZZ"] === undefined ? "1" : undefined);
const PLAN = SEED === undefined ? {} : { seed: Number(SEED) };

interface Case {
  readonly old: Block;
  readonly now: Block;
}

function caseOf(seed: number): Case {
  const next = random(seed);
  const old = generateBlock(next);
  const serial = { count: 0 };
  let now = old;
  for (let edits = 1 + next(3); edits > 0; edits--) now = edit(now, next, serial);
  return { old, now };
}

/** Answers that depend on the text and the place of a guard only, as recorded data does. */
function dataOf(seed: number): Data {
  return (text, scope) => {
    const iteration = scope.replaceAll(/~\d+/g, "~");
    let hash = seed;
    for (const char of `${text} ${iteration}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
    return random(hash)(12);
  };
}

function run(
  version: WorkflowManifest,
  history: Map<string, Stored>,
  data: Data,
  records: number,
  turn: boolean,
): string {
  const simulator = new Simulator(version, history, data, { records, turn });
  try {
    simulator.run();
    return simulator.cutShort ? "ended, a branch cut short" : "ended";
  } catch (stop) {
    if (stop instanceof Stopped) return "running";
    if (stop instanceof Diverged) return `diverged: ${stop.message}`;
    throw stop;
  }
}

/** Histories of the old code at every crash point, for some data. */
function* histories(old: Block, seed: number): Generator<{ history: Map<string, Stored>; data: Data }> {
  for (let variant = 0; variant < 6; variant++) {
    const data = dataOf(seed + variant * 7919);
    for (let records = 0; records < 25; records++) {
      const history = new Map<string, Stored>();
      const end = run(workflow(old), history, data, records, variant % 2 === 1);
      yield { history, data };
      if (end !== "running") break;
    }
  }
}

describe("the law of the diff", { timeout: 1_200_000 }, () => {
  it("safe: no history of the old version diverges under the new one", () => {
    const counts = { safe: 0, histories: 0 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const { old, now } = caseOf(seed);
        const diff = diffManifests(manifest(old), manifest(now));
        if (diff.verdict !== "safe") return;
        counts.safe++;
        for (const { history, data } of histories(old, seed)) {
          counts.histories++;
          const start = JSON.stringify([...history]);
          const end = run(workflow(now), history, data, 1000, seed % 2 === 1);
          expect(end, JSON.stringify({ seed, start, old, now }, null, 1)).not.toMatch(/^diverged/);
        }
      }),
      { numRuns: RUNS, ...PLAN },
    );
    expect(counts.safe).toBeGreaterThan(RUNS / 20);
  });

  it("breaking: the witness diverges, or its steps silently run again", () => {
    const counts = { breaking: 0, inconclusive: 0 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const { old, now } = caseOf(seed);
        const diff = diffManifests(manifest(old), manifest(now));
        for (const change of diff.workflows[0]?.changes ?? []) {
          if (change.level !== "breaking" || change.witness === null) continue;
          const data = dataFrom(change.witness);
          if (data === null) {
            counts.inconclusive++;
            continue;
          }
          counts.breaking++;
          for (const variant of [seed, seed + 1, seed + 2]) {
            const history = stored(change.witness);
            const before = [...history.values()].flatMap((one) => one.body ?? []);
            const simulator = new Simulator(workflow(now), history, data(variant), {
              records: 1000,
              turn: seed % 2 === 1,
            });
            let end = "went on";
            try {
              simulator.run();
            } catch (stop) {
              if (stop instanceof Diverged) end = "diverged";
              else if (stop instanceof Stopped) end = stop.message;
              else throw stop;
            }
            const again = simulator.ran.some(
              (body) => before.includes(body) || change.witness?.error.includes("silently runs again"),
            );
            const explain = JSON.stringify({ seed, change, old, now }, null, 1);
            // Guards that the witness leaves open can keep a loop from ending, here for ever.
            if (end === "enough iterations" && !again) counts.inconclusive++;
            else if (change.witness.diverges) expect(end, explain).toBe("diverged");
            else expect(again || end === "diverged", explain).toBe(true);
          }
        }
      }),
      { numRuns: RUNS, ...PLAN },
    );
    expect(counts.breaking).toBeGreaterThan(RUNS / 10);
    expect(counts.inconclusive, JSON.stringify(counts)).toBeLessThan(counts.breaking / 2);
  });

  it("every history of a version is accepted by it, and a refused one diverges whatever the data", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const { old, now } = caseOf(seed);
        for (const { history } of histories(old, seed)) {
          const tree = { entries: treeOf(history, "") };
          const explain = JSON.stringify({ seed, tree, old, now }, null, 1);
          expect(accepts(tree, workflow(old), REPLAY_FLAGS.stepproof).accepted, explain).toBe(true);
          const verdict = accepts(tree, workflow(now), REPLAY_FLAGS.stepproof);
          if (verdict.accepted) continue;
          for (const variant of [1, 2, 3]) {
            const end = run(
              workflow(now),
              clone(history),
              ending(dataOf(seed * variant + 1)),
              1000,
              seed % 2 === 1,
            );
            // Data that does not fit the history can lead into an endless loop instead.
            expect(end, JSON.stringify(verdict) + explain).not.toBe("ended");
          }
        }
      }),
      { numRuns: Math.ceil(RUNS / 10), ...PLAN },
    );
  });

  it("a version against itself is identical", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const { old } = caseOf(seed);
        expect(diffManifests(manifest(old), manifest(old)).verdict).toBe("identical");
        // Not by hash either: with another hash nothing may be found.
        const changed = diffManifests(manifest(old), manifest(old, { hash: "other" }));
        expect(changed.workflows[0]?.changes, JSON.stringify(old)).toEqual([]);
      }),
      { numRuns: RUNS, ...PLAN },
    );
  });
});

/** Loops that can end do end, so that a refusal after them is met. */
function ending(data: Data): Data {
  return (text, scope) => (text.startsWith("stop") ? 0 : data(text, scope));
}

/**
 * The guards' answers that a witness asks for: of the scope, else of any scope, since a moved block asks
 * the same data. `null` when one guard of a scope must answer in two ways.
 */
function dataFrom(witness: Witness): ((seed: number) => Data) | null {
  const answers = new Map<string, number>();
  const anywhere = new Map<string, number>();
  const key = (text: string, scope: readonly string[]): string => JSON.stringify([text, scope]);
  for (const { text: shown, scope, answer } of witness.decisions) {
    const text = shown.replaceAll(/\$\{i\}#/g, "");
    const name = key(
      text,
      scope.map((part) => part.replaceAll(/\$\{i\}#/g, "")),
    );
    const known = answers.get(name);
    // A native loop is asked whether it goes on (0) or not (1); data is its number of turns.
    const turns = text.startsWith("items");
    if (!turns && (known ?? answer) !== answer) return null;
    const total = turns ? (known ?? 0) + (1 - answer) : answer;
    answers.set(name, total);
    anywhere.set(text, total);
  }
  return (seed) => (text, scope) => {
    const names = scope.split("\n").filter((part, at) => at > 0 && !/^~\d+$/.test(part));
    const said = answers.get(key(text, names)) ?? anywhere.get(text);
    // What a witness does not mention goes well.
    return said ?? (text.endsWith(" goes well") ? 0 : ending(dataOf(seed))(text, scope));
  };
}

function stored(witness: Witness): Map<string, Stored> {
  const history = new Map<string, Stored>();
  const put = (entries: readonly HistoryEntry[], scope: string): void => {
    for (const entry of entries) {
      const path = `${scope}\n${entry.name.replaceAll(/\$\{i\}#/g, "")}`;
      if (entry.kind !== "try") {
        history.set(path, {
          kind: entry.kind,
          done: entry.state === "completed",
          ...(entry.version === undefined ? {} : { version: entry.version }),
          ...(entry.branches === undefined ? {} : { branches: entry.branches }),
        });
      }
      for (const inner of entry.scopes ?? []) {
        const name = entry.kind === "loop" ? `\n~${inner.name}` : inner.name === "" ? "" : `\n${inner.name}`;
        put(inner.entries, path + name);
      }
    }
  };
  put(witness.history.entries, "");
  return history;
}

function clone(history: Map<string, Stored>): Map<string, Stored> {
  return new Map([...history].map(([path, entry]) => [path, { ...entry }]));
}

function treeOf(history: Map<string, Stored>, scope: string): HistoryEntry[] {
  const names = new Set<string>();
  for (const path of history.keys()) {
    if (path.startsWith(`${scope}\n`)) names.add(path.slice(scope.length + 1).split("\n")[0] ?? "");
  }
  return [...names].map((name): HistoryEntry => {
    const path = `${scope}\n${name}`;
    const entry = history.get(path);
    const kind = (entry?.kind ?? "try") as HistoryEntry["kind"];
    const iteration = entry?.iteration ?? 0;
    const scopes =
      kind === "try"
        ? [{ name: "", entries: treeOf(history, path) }]
        : kind === "loop"
          ? [{ name: String(iteration), entries: treeOf(history, `${path}\n~${iteration}`) }]
          : (entry?.branches ?? []).map((branch) => ({
              name: branch,
              entries: treeOf(history, `${path}\n${branch}`),
            }));
    return {
      name,
      kind,
      state: entry?.done === true ? "completed" : "in progress",
      ...(entry?.version === undefined ? {} : { version: entry.version }),
      ...(entry?.branches === undefined ? {} : { branches: entry.branches }),
      scopes,
    };
  });
}
