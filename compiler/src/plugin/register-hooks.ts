import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { CARRY, transformCode } from "../index.js";
import { ModuleLook } from "./module-look.js";

/** What a load hook of Node gives; `source` is `null` for CommonJS that Node reads itself. */
export interface Loaded {
  readonly format?: string | null | undefined;
  readonly source?: string | ArrayBuffer | NodeJS.TypedArray | null | undefined;
  readonly shortCircuit?: boolean | undefined;
}

const SOURCE = /\.[cm]?[jt]sx?$/;

/** A module has findings: it is not run. */
export class FindingsError extends Error {
  override readonly name = "FindingsError";
  readonly code = "STEPPROOF_FINDINGS";
}

/**
 * Changes what Node's own loading, or the next hook, gave for a module: with an inline source map, so that stacks
 * show the places as written.
 * @throws {FindingsError}
 */
export function createLoad(): (url: string, loaded: Loaded) => Loaded {
  const look = new ModuleLook({}, []);
  const root = resolve(".");
  return (url, loaded) => {
    const text = textOf(loaded.source);
    if (text === null || !url.startsWith("file:")) return loaded;
    const path = fileURLToPath(url.replace(/[?#].*$/, ""));
    if (text.includes(CARRY) || !SOURCE.test(path) || /[\\/]node_modules[\\/]/.test(path)) return loaded;
    const { report, failure, policy } = look.module(path, text, root);
    if (failure !== "") throw new FindingsError(`\n${failure}\n\nThe module is not run.`);
    const changed = policy.emit ? transformCode(text, url, report.calls) : undefined;
    if (changed === undefined) return loaded;
    return { ...loaded, source: `${changed.code}//# sourceMappingURL=${changed.map.toUrl()}\n` };
  };
}

function textOf(source: Loaded["source"]): string | null {
  if (source === null || source === undefined) return null;
  return typeof source === "string" ? source : new TextDecoder().decode(source as Uint8Array);
}
