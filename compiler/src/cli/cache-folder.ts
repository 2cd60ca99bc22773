import { accessSync, constants, existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The folder where results are kept: `node_modules/.cache/stepproof` of the nearest package at or above `cwd`, as other
 * tools do, or `stepproof` in `CACHE_DIR`. `null` when there is no such package or nothing can be written there.
 * It need not exist.
 */
export function cacheFolder(cwd: string): string | null {
  const given = process.env["CACHE_DIR"];
  // Some CI systems say with it whether there is a cache.
  if (given && !["true", "false", "1", "0"].includes(given)) return join(given, "stepproof");
  const folder = packageFolderAt(cwd);
  if (folder === null) return null;
  const modules = join(folder, "node_modules");
  return isWritable(existsSync(modules) ? modules : folder) ? join(modules, ".cache/stepproof") : null;
}

function packageFolderAt(folder: string): string | null {
  if (existsSync(join(folder, "package.json"))) return folder;
  const above = dirname(folder);
  return above === folder ? null : packageFolderAt(above);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
