import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { installedTypeScripts, isNative } from "../host/native/find-native.js";

/**
 * What to say when a tsconfig names a plugin of ours and the project's own TypeScript runs none: version 7 ignores
 * the entry without a word. `null` when all is well.
 * @param folder absolute: where the nearest tsconfig is looked for.
 * @param given the tsconfig file or its folder, as on the command line.
 */
export function unreadPlugins(folder: string, given: string | undefined): string | null {
  const config = given === undefined ? nearest(folder) : fileOf(resolve(folder, given));
  const plugin = config === null ? null : pluginIn(config, 0);
  if (config === null || plugin === null) return null;
  const [own] = installedTypeScripts(dirname(config));
  if (own === undefined || !isNative(own)) return null;
  return `${config} names ${plugin}, but the project's TypeScript is ${own.version}, which runs no plugins: nothing but this command looks at workflows there. Run \`stepproof check\` beside \`tsc\`.`;
}

function fileOf(path: string): string {
  return path.endsWith(".json") ? path : join(path, "tsconfig.json");
}

function nearest(folder: string): string | null {
  const here = join(folder, "tsconfig.json");
  if (existsSync(here)) return here;
  const above = dirname(folder);
  return above === folder || existsSync(join(folder, ".git")) ? null : nearest(above);
}

const MOST_EXTENDS = 10;

/** The plugin of ours that a tsconfig names, or one that it extends by path. A text search: no compiler is loaded. */
function pluginIn(config: string, depth: number): string | null {
  if (!existsSync(config) || depth > MOST_EXTENDS) return null;
  const text = readFileSync(config, "utf8");
  const named = /"(stepproof\/(?:transformer|language-service))"/.exec(text)?.[1];
  if (named !== undefined) return named;
  const base = /"extends"\s*:\s*"(\.[^"]*)"/.exec(text)?.[1];
  if (base === undefined) return null;
  return pluginIn(resolve(dirname(config), base.endsWith(".json") ? base : `${base}.json`), depth + 1);
}
