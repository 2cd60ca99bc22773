import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Fixture, FixtureFile } from "./fixture.js";

const TEMPORARY = fileURLToPath(new URL("../../.tmp/check", import.meta.url));

/**
 * Writes a fixture's files into a folder of its own inside the repository, so that imports of the engine
 * resolve as a user's would, and puts the packages named in its `packages.json` into `node_modules`.
 * @param area keeps tests that run at the same time apart.
 * @returns absolute path of the folder.
 */
export function layOut(fixture: Pick<Fixture, "id" | "files">, area: string): string {
  const folder = join(TEMPORARY, area, fixture.id.replaceAll("/", "__").replaceAll(".", "_"));
  rmSync(folder, { recursive: true, force: true });
  const packages = packagesOf(fixture.files);
  for (const file of fixture.files) {
    if (file.path === "packages.json") continue;
    const path = join(folder, moved(file.path, packages));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.text);
  }
  return folder;
}

function packagesOf(files: readonly FixtureFile[]): readonly (readonly [to: string, from: string])[] {
  const list = files.find((file) => file.path === "packages.json");
  return list ? Object.entries(JSON.parse(list.text) as Record<string, string>) : [];
}

function moved(path: string, packages: readonly (readonly [to: string, from: string])[]): string {
  for (const [to, from] of packages) if (path.startsWith(`${from}/`)) return to + path.slice(from.length);
  return path;
}
