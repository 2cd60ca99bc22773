import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Jiti from "jiti";
import { ConfigError } from "./config-error.js";
import { NO_CONFIG, parseConfig, type Config } from "./config.js";

const NAMES = ["ts", "mts", "js", "mjs", "json"].map((extension) => `stepproof.config.${extension}`);

/**
 * Finds and reads the config: the given file, else the nearest `stepproof.config.*` at or above a folder
 * (not above the repository's root).
 * @param folder absolute.
 * @param given path from the command line, absolute.
 * @returns `NO_CONFIG` when there is none.
 * @throws {ConfigError} when it is missing, can't be read or run, or is not valid; or when a folder has two.
 */
export async function loadConfig(folder: string, given?: string): Promise<Config> {
  const path = given ?? findConfig(folder);
  if (path === null) return NO_CONFIG;
  if (!existsSync(path)) throw new ConfigError("config-not-found", `There is no config file ${path}.`);
  return parseConfig(await readConfigFile(path), path.replaceAll("\\", "/"));
}

/**
 * The same at once, for tools that load their plugins so. A config that awaits at its top level can't be read.
 * @throws as `loadConfig`.
 */
export function loadConfigNow(folder: string, given?: string): Config {
  const path = given ?? findConfig(folder);
  if (path === null) return NO_CONFIG;
  if (!existsSync(path)) throw new ConfigError("config-not-found", `There is no config file ${path}.`);
  return parseConfig(requireConfigFile(path), path.replaceAll("\\", "/"));
}

function findConfig(folder: string): string | null {
  const found = NAMES.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (found.length > 1) {
    throw new ConfigError(
      "config-invalid",
      `There are two configs, ${found.join(" and ")}: keep one of them.`,
    );
  }
  if (found[0] !== undefined) return found[0];
  const above = dirname(folder);
  return above === folder || existsSync(join(folder, ".git")) ? null : findConfig(above);
}

async function readConfigFile(path: string): Promise<unknown> {
  try {
    if (path.endsWith(".json")) return JSON.parse(readFileSync(path, "utf8"));
    if (/\.m?ts$/.test(path)) {
      const { createJiti } = await import("jiti");
      const jiti = createJiti(import.meta.url, { fsCache: false, interopDefault: false });
      return defaultOf(await jiti.import(path));
    }
    return defaultOf(await import(pathToFileURL(path).href));
  } catch (error) {
    throw unreadable(path, error);
  }
}

function requireConfigFile(path: string): unknown {
  try {
    if (path.endsWith(".json")) return JSON.parse(readFileSync(path, "utf8"));
    const { createJiti } = createRequire(import.meta.url)("jiti") as typeof Jiti;
    return defaultOf(createJiti(import.meta.url, { fsCache: false, interopDefault: false })(path));
  } catch (error) {
    throw unreadable(path, error);
  }
}

function defaultOf(module: unknown): unknown {
  const config = (module as { default?: unknown }).default;
  if (config === undefined) throw new Error("it has no default export (export default { … })");
  return config;
}

function unreadable(path: string, error: unknown): ConfigError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ConfigError("config-unreadable", `${path} can't be read: ${reason}`, { cause: error });
}
