import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { UsageError } from "../exit.js";

/** Where a registry is usually written, in the order in which they are looked for. */
const USUAL = ["registry", "server", "index", "main", "app"].flatMap((name) =>
  ["src/", ""].flatMap((folder) => ["ts", "mts", "js", "mjs"].map((end) => `${folder}${name}.${end}`)),
);

/**
 * The module that holds the registry.
 * @param given as written on the command line, relative to `cwd`.
 * @returns absolute.
 * @throws {UsageError} when there is none.
 */
export function findEntry(given: string | undefined, cwd: string): string {
  if (given === undefined) {
    const found = USUAL.map((path) => resolve(cwd, path)).find((path) => existsSync(path));
    if (found !== undefined) return found;
    throw new UsageError(
      "There is no registry, server, index, main or app (.ts, .mts, .js or .mjs) in src/ or here. Name the module that exports the registry: stepproof dev src/workflows.ts",
    );
  }
  const path = resolve(cwd, given);
  if (!existsSync(path)) throw new UsageError(`There is no ${given}.`);
  if (!statSync(path).isFile())
    throw new UsageError(`${given} is a folder. Name the module that exports the registry.`);
  return path;
}
