import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { openResultCache } from "../cache/result-cache.js";
import type { CheckRequest } from "../check.js";
import type { IslandReport } from "../check-in-islands.js";
import { NODE_DISK } from "../host/disk.js";
import { installedTypeScripts } from "../host/native/find-native.js";
import type { ProjectMemory } from "../host/project-memory.js";
import type { CheckReport } from "../report/check-report.js";
import { packageFolder, toolVersion } from "../package.js";
import { cacheFolder } from "./cache-folder.js";

/**
 * The report of a check, from the cache when nothing that it depends on has changed. TypeScript is loaded only when
 * it has.
 * @param useCache `false`: computed anew, and nothing is kept.
 * @param memory of the process, when it checks again and again.
 * @throws what `check` throws.
 */
export async function checkedReport(
  request: CheckRequest,
  useCache: boolean,
  memory?: ProjectMemory,
): Promise<CheckReport> {
  const build = buildOf(join(packageFolder(), "dist"));
  // Run from its sources, the tool can't tell one state of itself from another.
  const usable = useCache && build !== null;
  const folder = usable ? cacheFolder(request.cwd) : null;
  const native =
    request.config?.native === true
      ? installedTypeScripts(resolve(request.cwd, request.tsconfig ?? "."))
      : [];
  const question = { command: "check", request, build, native, ...versions() };
  const cache = openResultCache(folder, NODE_DISK);
  const { report } = await cache.remember<IslandReport>(question, async (disk, earlier) => {
    const { checkInIslands } = await import("../check-in-islands.js");
    return checkInIslands({ ...request, disk, ...(memory === undefined ? {} : { memory }) }, earlier);
  });
  return report;
}

/** Who makes the result besides the build itself. */
function versions(): Readonly<Record<string, string>> {
  const typescript = createRequire(import.meta.url).resolve("typescript/package.json");
  return {
    tool: toolVersion(),
    typescript: (JSON.parse(readFileSync(typescript, "utf8")) as { version: string }).version,
    node: process.version,
  };
}

/** Names, sizes and times of the files of this build; `null` when it was not built. */
function buildOf(folder: string): readonly string[] | null {
  if (!existsSync(folder)) return null;
  return readdirSync(folder).map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}
