import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { diffManifests, type DiffResult, type Manifest } from "@stepproof/runtime/manifest";
import { analyze } from "stepproof";
import { describe, expect, test } from "vitest";
import { manifestOf } from "../../compiler/src/manifest/index.js";
import { KNOWN_FAILURES } from "./known-failures.js";
import { PROFILES, readPairs, type Direction, type Profile, type VersionPair } from "./pairs.js";

const TEMPORARY = fileURLToPath(new URL("../../.tmp/versions", import.meta.url));
const pairs = readPairs();

/** Manifests of one version of all pairs, by pair; all files are read as one project, for speed. */
function manifests(version: 1 | 2, profile: Profile): Map<string, Manifest> {
  const root = join(TEMPORARY, `${profile}.v${version}`);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  // The same file name in both versions, as after an edit.
  const files = pairs.map((pair) => ({ pair, path: join(root, `${pair.name}.ts`) }));
  for (const { pair, path } of files) writeFileSync(path, pair.source(version, profile));
  const analysis = analyze({ cwd: root, paths: files.map((file) => file.path) });
  return new Map(
    files.map(({ pair, path }) => {
      const workflows = analysis.workflows.filter((workflow) => workflow.place.file === path);
      return [pair.name, manifestOf({ ...analysis, workflows }, { root, tool: "test" })];
    }),
  );
}

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
    const v1 = manifests(1, profile);
    const v2 = manifests(2, profile);

    for (const pair of pairs)
      for (const direction of ["forth", "back"] as const) judge(pair, direction, v1, v2);

    test("a manifest against itself is identical", () => {
      const own = [...v1.values(), ...v2.values()].map(
        (manifest) => diffManifests(manifest, manifest).verdict,
      );
      expect(new Set(own)).toEqual(new Set(["identical"]));
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
