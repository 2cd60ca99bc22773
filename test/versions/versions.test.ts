import {
  CHANGE_KINDS,
  diffManifests,
  readManifest,
  writeManifest,
  type DiffResult,
  type Manifest,
} from "@stepproof/runtime/manifest";
import { describe, expect, test } from "vitest";
import { KNOWN_FAILURES } from "./known-failures.js";
import { manifestsOf } from "./manifests.js";
import { PROFILES, readPairs, type Direction, type Profile, type VersionPair } from "./pairs.js";

const pairs = readPairs();

function explain(diff: DiffResult): string {
  const lines = diff.workflows.flatMap((workflow) =>
    workflow.changes.map(
      (change) => `${change.level} ${change.kind} ${change.path.join("/")}: ${change.message}`,
    ),
  );
  return [diff.verdict, ...lines].join("\n");
}

for (const profile of Object.keys(PROFILES) as Profile[]) {
  describe(`versions under ${profile}`, () => {
    const v1 = manifestsOf(pairs, 1, profile, "verdicts");
    const v2 = manifestsOf(pairs, 2, profile, "verdicts");

    for (const pair of pairs)
      for (const direction of ["forth", "back"] as const) judge(pair, direction, v1, v2);

    test("a manifest against itself is identical", () => {
      const own = [...v1.values(), ...v2.values()].map(
        (manifest) => diffManifests(manifest, manifest).verdict,
      );
      expect(new Set(own)).toEqual(new Set(["identical"]));
    });

    test("a manifest that was read is the same as the one that was made, to the order of its members", () => {
      for (const [name, made] of v2) {
        const read = readManifest(writeManifest(made));
        for (const [workflow, { body }] of Object.entries(made.workflows))
          expect(JSON.stringify(read.workflows[workflow]?.body), name).toBe(JSON.stringify(body));
      }
    });

    test("a diff says the same of what was read as of what was made", () => {
      for (const [name, old] of v1) {
        const now = v2.get(name);
        if (now === undefined) throw new Error(`${name} has no second manifest`);
        expect(diffManifests(readManifest(writeManifest(old)), now), name).toEqual(diffManifests(old, now));
      }
    });

    test("every kind of change has a pair", () => {
      const results = pairs.flatMap(({ name }) => {
        const [one, other] = [v1.get(name), v2.get(name)];
        return one && other ? [diffManifests(one, other), diffManifests(other, one)] : [];
      });
      const kinds = new Set<string>(
        results.flatMap((diff) => diff.workflows.flatMap(({ changes }) => changes.map(({ kind }) => kind))),
      );
      // Of another engine's import, of more combinations than are tried, and of refusals without a change to blame.
      const elsewhere = ["engine-changed", "too-large", "history-refused"];
      expect(
        Object.keys(CHANGE_KINDS).filter((kind) => !kinds.has(kind) && !elsewhere.includes(kind)),
      ).toEqual([]);
    });

    test("every file gave a manifest with its workflows", () => {
      const empty = [...v1, ...v2].filter(([, manifest]) => Object.keys(manifest.workflows).length === 0);
      expect(empty.map(([name]) => name)).toEqual([]);
    });
  });

  function judge(
    pair: VersionPair,
    direction: Direction,
    v1: ReadonlyMap<string, Manifest>,
    v2: ReadonlyMap<string, Manifest>,
  ): void {
    const expected = pair.expected(direction, profile);
    if (!expected) return;
    const id = `${pair.name} ${direction} ${profile}`;
    test(`${id}: ${expected.levels.join(" or ")}: ${expected.why}`, () => {
      const [old, now] = direction === "forth" ? [v1, v2] : [v2, v1];
      const diff = diffManifests(old.get(pair.name)!, now.get(pair.name)!);
      const known = KNOWN_FAILURES[id];
      if (known === undefined) expect(expected.levels, explain(diff)).toContain(diff.verdict);
      else
        expect(expected.levels, `passes now: take it off KNOWN_FAILURES (${known})`).not.toContain(
          diff.verdict,
        );
    });
  }
}
