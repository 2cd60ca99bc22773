import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { check, type Diagnostic } from "stepproof";
import type { Fixture } from "./fixture.js";
import { layOut } from "./lay-out.js";

const AREAS = fileURLToPath(new URL("../../.tmp/check", import.meta.url));

/** What a user's project would have; fixtures with a `tsconfig.json` of their own use that. */
export const TSCONFIG = {
  compilerOptions: {
    target: "ES2022",
    lib: ["ES2023", "DOM"],
    module: "ESNext",
    moduleResolution: "bundler",
    strict: true,
    noEmit: true,
    allowJs: true,
    jsx: "react",
    types: ["node"],
  },
};

/**
 * Checks all fixtures: those of one file together, as the files of one project, each folder by itself.
 * @param area keeps tests that run at the same time apart.
 * @returns diagnostics by fixture id, files relative to the fixture.
 */
export function checkFixtures(
  fixtures: readonly Fixture[],
  area: string,
): Map<string, readonly Diagnostic[]> {
  mkdirSync(join(AREAS, area), { recursive: true });
  writeFileSync(join(AREAS, area, "tsconfig.json"), JSON.stringify(TSCONFIG));
  const results = new Map<string, readonly Diagnostic[]>();
  for (const strict of [false, true]) {
    const group = fixtures.filter((fixture) => strict === (fixture.rule === "no-unknown-calls"));
    const singles = group.filter((fixture) => fixture.files.length === 1);
    const byFolder = new Map(singles.map((fixture) => [layOut(fixture, area), fixture]));
    const paths = [...byFolder].map(([folder, fixture]) => join(folder, fixture.files[0]?.path ?? ""));
    for (const fixture of singles) results.set(fixture.id, []);
    for (const diagnostic of run(join(AREAS, area), paths, strict)) {
      const [name = "", ...rest] = diagnostic.file.split("/");
      const fixture = byFolder.get(join(AREAS, area, name));
      if (!fixture) throw new Error(`a finding outside the fixtures: ${diagnostic.file}`);
      results.set(fixture.id, [...(results.get(fixture.id) ?? []), { ...diagnostic, file: rest.join("/") }]);
    }
    for (const fixture of group.filter((one) => one.files.length > 1)) {
      const folder = layOut(fixture, area);
      results.set(fixture.id, run(folder, [folder], strict));
    }
  }
  return results;
}

function run(cwd: string, paths: readonly string[], strict: boolean): Diagnostic[] {
  if (paths.length === 0) return [];
  const own = join(cwd, "tsconfig.json");
  const found = check({ cwd, paths, strict, ...(existsSync(own) ? { tsconfig: own } : {}) });
  return found.reported.map((one) => one.diagnostic);
}
