import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Manifest } from "@stepproof/runtime/manifest";
import { analyze } from "stepproof";
import { manifestOf } from "../../compiler/src/manifest/index.js";
import type { Profile, VersionPair } from "./pairs.js";

const TEMPORARY = fileURLToPath(new URL("../../.tmp/versions", import.meta.url));

/**
 * Manifests of one version of all pairs, by pair; all files are read as one project, for speed.
 * @param room a name for the caller's own temporary folder.
 */
export function manifestsOf(
  pairs: readonly VersionPair[],
  version: 1 | 2,
  profile: Profile,
  room: string,
): Map<string, Manifest> {
  const root = join(TEMPORARY, room, `${profile}.v${version}`);
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
