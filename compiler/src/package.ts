import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder of this package, found upwards from this module, so that it is the same from the sources and from
 * any chunk of the build.
 * @throws Error when there is none: the package was taken apart.
 */
export function packageFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, "package.json");
    if (
      existsSync(path) &&
      (JSON.parse(readFileSync(path, "utf8")) as { name?: string }).name === "stepproof"
    )
      return folder;
    if (dirname(folder) === folder) throw new Error("The package.json of stepproof is missing.");
  }
}

/** The version of this package. */
export function toolVersion(): string {
  return (JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as { version: string })
    .version;
}
