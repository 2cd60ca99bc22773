import { folderOf } from "./disk.js";
import type { Files } from "./files.js";

/** Name and version of the package that holds a file, from the nearest package.json that has a name. */
export function packageOf(path: string, files: Files): { name: string; version: string | null } | null {
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) {
    const text = files.read(`${folder}/package.json`);
    if (text === undefined) continue;
    const { name, version } = namedIn(text);
    if (name !== null) return { name, version };
  }
  return null;
}

function namedIn(text: string): { name: string | null; version: string | null } {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    // A package.json that is no JSON names nothing; the folder above may.
    return { name: null, version: null };
  }
  const { name, version } = Object(read) as { name?: unknown; version?: unknown };
  return {
    name: typeof name === "string" ? name : null,
    version: typeof version === "string" ? version : null,
  };
}
