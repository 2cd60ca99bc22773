import { createRequire } from "node:module";
import { installedTypeScripts, isNative } from "./find-native.js";
import { LISTED_VERSIONS, type NativeModules } from "./native-api.js";

/**
 * The API of the TypeScript 7 that a folder's code would import.
 * @throws {Error} that says why there is none: not installed, another version, not loadable.
 */
export function loadNative(folder: string): NativeModules {
  const installed = installedTypeScripts(folder);
  const native = installed.find(isNative);
  if (native === undefined) {
    const [first] = installed;
    throw new Error(
      first === undefined
        ? `no TypeScript is installed for ${folder}`
        : `the project's TypeScript is ${first.version}`,
    );
  }
  if (!LISTED_VERSIONS.includes(native.version)) {
    throw new Error(
      `the API of ${native.version} is not known to this version of stepproof (known: ${LISTED_VERSIONS.join(", ")})`,
    );
  }
  const load = createRequire(`${folder}/x.js`);
  return {
    version: native.version,
    sync: load(`${native.name}/unstable/sync`) as NativeModules["sync"],
    ast: load(`${native.name}/unstable/ast`) as NativeModules["ast"],
  };
}
