import type { Host } from "../host/host.js";
import type { FactsSource, FileFacts, PackageEntry } from "../types.js";
import { lowerFile } from "./lower-file.js";
import { ProgramNames } from "./program-names.js";

/** The facts of a program, lowered file by file as they are asked for. */
export function createFactsSource(host: Host): FactsSource {
  const names = new ProgramNames(host);
  const lowered = new Map<string, FileFacts | null>();
  return {
    roots: host.roots,
    file(path) {
      let facts = lowered.get(path);
      if (facts === undefined) {
        const table = names.table(path);
        facts = table === null ? null : lowerFile(table, names);
        lowered.set(path, facts);
      }
      return facts;
    },
    packageFile(module, fromFile): PackageEntry | null {
      // A file that requires gets what the package keeps for `require`; of one that has neither, the other.
      const how = names.table(fromFile)?.commonJs === true ? "require" : "import";
      const file =
        host.modules.implementation(module, fromFile, how) ??
        host.modules.implementation(module, fromFile, how === "import" ? "require" : "import");
      if (file === null) return null;
      const owner = host.packageOf(file);
      return owner === null ? null : { file, name: owner.name, version: owner.version };
    },
  };
}
