import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** A TypeScript of the project's own. */
export interface InstalledTypeScript {
  /** The name that it is installed under. */
  readonly name: string;
  readonly version: string;
}

/**
 * The names that a project's compiler goes by: its own, and the one beside a `typescript` that is an alias of 6 for
 * the sake of tools.
 */
const NAMES = ["typescript", "@typescript/native"];

/** The TypeScripts that code in a folder would import; empty when there is none. Nothing of them is run. */
export function installedTypeScripts(folder: string): readonly InstalledTypeScript[] {
  const found = createRequire(`${folder}/x.js`);
  return NAMES.flatMap((name) => {
    let path;
    try {
      path = found.resolve(`${name}/package.json`);
    } catch {
      return []; // not installed
    }
    return [{ name, version: (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version }];
  });
}

/** True from 7 on: no API in JavaScript, no plugins. */
export function isNative({ version }: InstalledTypeScript): boolean {
  return Number(version.split(".")[0]) >= 7;
}
