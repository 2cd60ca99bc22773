import type ts from "typescript";
import { typescript } from "./typescript.js";
import { folderOf } from "./disk.js";
import { absolutePath, type Files } from "./files.js";
import { isDeclaration } from "./modules.js";
import { ProjectError } from "./project-error.js";

export interface ReadConfig {
  readonly path: string;
  readonly options: ts.CompilerOptions;
  /** Source files without declarations; empty when the config was read for its options only. */
  readonly files: readonly string[];
  readonly references: readonly ts.ProjectReference[];
  /** Values that can't be used, one sentence each: those options count as if they were not there. */
  readonly faults: readonly string[];
}

/** The nearest `tsconfig.json` or `jsconfig.json` at or above a file, not above `stop`; `null` when there is none. */
export function nearestConfig(file: string, files: Files, stop = ""): string | null {
  for (let folder = folderOf(file); folder.length >= stop.length; folder = folderOf(folder)) {
    for (const name of ["tsconfig.json", "jsconfig.json"]) {
      if (files.fileExists(`${folder}/${name}`)) return `${folder}/${name}`;
    }
    if (folder === "") return null;
  }
  return null;
}

/**
 * Reads a tsconfig with what it extends; with `wantFiles`, its files and those of the projects that a file-less
 * "solution" config refers to.
 * @throws {ProjectError} when it is missing or can't be understood; unknown options are not our business.
 */
export function readConfig(path: string, files: Files, wantFiles: boolean): ReadConfig {
  const file = files.directoryExists(path) ? `${path}/tsconfig.json` : path;
  const text = files.fileExists(file) ? files.read(file) : undefined;
  if (text === undefined) {
    throw new ProjectError(
      "tsconfig-not-found",
      file,
      `There is no ${file}. Name a tsconfig file or its folder after -p.`,
    );
  }
  const host: ts.ParseConfigHost = {
    useCaseSensitiveFileNames: typescript.sys.useCaseSensitiveFileNames,
    fileExists: (name) => files.fileExists(name),
    readFile: (name) => files.read(name),
    readDirectory: (root, extensions, exclude, include, depth) =>
      wantFiles ? files.below(root, extensions, exclude, include, depth) : [],
  };
  const source = typescript.readJsonConfigFile(file, () => text);
  const parsed = typescript.parseJsonSourceFileConfigFileContent(
    source,
    host,
    folderOf(file),
    { allowJs: true },
    file,
  );
  const fatal = [...syntaxErrors(source), ...parsed.errors].find(
    (error) => FATAL.has(error.code) || error.code < 5000,
  );
  if (fatal !== undefined) {
    const message = typescript.flattenDiagnosticMessageText(fatal.messageText, " ");
    throw new ProjectError("tsconfig-broken", file, `${file} can't be used: ${message}`);
  }
  const faults = parsed.errors
    .filter(({ code }) => VALUE.has(code))
    .map(({ messageText }) => {
      const message = typescript.flattenDiagnosticMessageText(messageText, " ").replace(/\.$/, "");
      return `${file}: ${message}. TypeScript ${typescript.version}, which reads it here, leaves it out.`;
    });
  const references = parsed.projectReferences ?? [];
  const own = parsed.fileNames.filter((name) => !isDeclaration(name));
  const solution = wantFiles && own.length === 0 && references.length > 0;
  const all = solution
    ? references.flatMap(
        (reference) => readConfig(typescript.resolveProjectReferencePath(reference), files, true).files,
      )
    : own;
  if (wantFiles && all.length === 0) {
    throw new ProjectError("no-source-files", file, `${file} names no TypeScript or JavaScript file.`);
  }
  return {
    path: file,
    options: parsed.options,
    files: all.map((name) => absolutePath(name, files.cwd)),
    references,
    faults,
  };
}

/** "Cannot read file", "File not found" of an `extends`, circular `extends`. */
const FATAL = new Set([5083, 6053, 18000]);

/** "Option requires a value of type", "Argument for option must be", substitutions of `paths` that are no list of texts. */
const VALUE = new Set([5024, 5063, 5064, 5066, 6046]);

function syntaxErrors(source: ts.TsConfigSourceFile): readonly ts.Diagnostic[] {
  return (
    (source as ts.TsConfigSourceFile & { parseDiagnostics?: readonly ts.Diagnostic[] }).parseDiagnostics ?? []
  );
}
