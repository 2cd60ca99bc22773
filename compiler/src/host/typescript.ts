/**
 * TypeScript, as a value: its parser with module resolution and tsconfig files, which every look at a project needs,
 * and the whole with the type checker, which most do without. The build puts the first into a file of its own, cut
 * out of the second; run from the sources, both are the whole.
 */
import { createRequire } from "node:module";
import type ts from "typescript";
import type { INTERNAL_NAMES, PARSER_NAMES } from "./parser-names.js";

/** Path of the file that the build has cut, beside what it has bundled; not declared in the sources. */
declare const PARSER_FILE: string;

/** `require`: to import the whole, Node would scan its nine megabytes for export names, which takes as long again. */
const load = createRequire(import.meta.url);

/** What the parser's file exports. */
export type Parser = Pick<typeof ts, (typeof PARSER_NAMES)[number]> &
  Pick<Internals, (typeof INTERNAL_NAMES)[number]>;

/** Functions that TypeScript exports without declaring them. */
interface Internals {
  normalizePath(path: string): string;
  combinePaths(path: string, ...more: string[]): string;
  matchFiles(
    path: string,
    extensions: readonly string[] | undefined,
    excludes: readonly string[] | undefined,
    includes: readonly string[] | undefined,
    useCaseSensitiveFileNames: boolean,
    currentDirectory: string,
    depth: number | undefined,
    entries: (path: string) => { files: readonly string[]; directories: readonly string[] },
    realpath: (path: string) => string,
  ): string[];
  readonly objectAllocator: { getSourceFileConstructor(): abstract new (...args: never) => ts.SourceFile };
}

type Whole = typeof ts & Internals;

/** The whole of TypeScript, loaded when it is first asked for. */
export function wholeTypescript(): Whole {
  return load("typescript") as Whole;
}

/** The whole of TypeScript if this process has loaded this very copy of it already. */
export function loadedTypescript(): Whole | null {
  return (load.cache[load.resolve("typescript")]?.exports as Whole | undefined) ?? null;
}

/**
 * The whole where it is loaded already: in ESLint, mostly. The parser's trees are taken by the checker of the whole, so
 * that a version which someone put in place of ours parses as well.
 */
function loadParser(): Parser {
  const loaded = loadedTypescript();
  if (loaded !== null) return loaded;
  if (typeof PARSER_FILE === "undefined") return wholeTypescript();
  const parser = load(PARSER_FILE) as Parser;
  const { version } = load("typescript/package.json") as { readonly version: string };
  return version === parser.version ? parser : wholeTypescript();
}

export const typescript: Parser = loadParser();
