import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readFixtures } from "../check/fixture.js";
import { layOut } from "../check/lay-out.js";
import { TSCONFIG } from "../check/run-check.js";
import type { Project } from "./adapters.js";

/**
 * All fixtures as one project, each in a folder of its own; one with a tsconfig of its own is left to test/check.
 * @param name of the folder below `.tmp/check`.
 */
export function layOutFixtures(name: string): Project {
  const area = fileURLToPath(new URL(`../../.tmp/check/${name}`, import.meta.url));
  rmSync(area, { recursive: true, force: true });
  mkdirSync(area, { recursive: true });
  writeFileSync(join(area, "tsconfig.json"), JSON.stringify(TSCONFIG));
  const fixtures = readFixtures().filter(
    (fixture) => !fixture.files.some((file) => file.path === "tsconfig.json"),
  );
  const files = fixtures.flatMap((fixture) => {
    const folder = layOut(fixture, name);
    return (
      fixture.files
        .filter(
          ({ path }) =>
            /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith(".d.ts") && !/^(node_modules|vendor)\//.test(path),
        )
        .map(({ path }) => join(folder, path))
        // What `packages.json` names lies in `node_modules` now.
        .filter((path) => existsSync(path))
    );
  });
  return { folder: area, files };
}
