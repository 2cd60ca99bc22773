import type ts from "typescript";
import { typescript, wholeTypescript, type Parser } from "./typescript.js";
import { checkerModel } from "./checker-model.js";
import { checkerQuestions } from "./checker-questions.js";
import { folderOf } from "./disk.js";
import type { Files } from "./files.js";
import {
  PLATFORM_LIB,
  isLeftOut,
  isPlatformLib,
  libraryFolder,
  withPlatformLib,
  withRuntimeTypes,
} from "./platform-lib.js";
import { isInPackage, parseSourceUnit, type SourceUnit } from "./source-unit.js";
import type { ProjectMemory } from "./project-memory.js";
import type { TypeQuestions } from "./type-questions.js";

export interface ProgramRequest {
  readonly files: Files;
  readonly options: ts.CompilerOptions;
  readonly roots: readonly string[];
  readonly references: readonly ts.ProjectReference[];
  /** Trees that are parsed already; the program takes them as they are. */
  readonly unit: (path: string) => SourceUnit | null;
  /** For trees that only the program reads: declarations. */
  readonly memory: ProjectMemory;
}

/** Our own TypeScript's checker over a project; the program is made when the first question comes. */
export function lazyProgram(request: ProgramRequest): TypeQuestions {
  return checkerQuestions(() => (request.roots.length === 0 ? null : checkerModel(createProgram(request))));
}

/**
 * Trees of TypeScript's own libs. They are the same for every program, so they are parsed once for the TypeScript at
 * hand, as its own document registry does.
 */
const libraryTrees = new WeakMap<Parser, Map<string, ts.SourceFile>>();

function libraryTree(path: string, files: Files): ts.SourceFile | undefined {
  let trees = libraryTrees.get(typescript);
  if (trees === undefined) libraryTrees.set(typescript, (trees = new Map()));
  const known = trees.get(path);
  if (known !== undefined) return known;
  const text = isPlatformLib(path) ? PLATFORM_LIB : isLeftOut(path) ? "" : files.read(path);
  if (text === undefined) return undefined;
  const { tree } = parseSourceUnit(path, text);
  trees.set(path, tree);
  return tree;
}

function createProgram({
  files,
  options: given,
  roots,
  references,
  unit,
  memory,
}: ProgramRequest): ts.Program {
  const whole = wholeTypescript();
  const [root = files.cwd] = roots;
  const options = withPlatformLib(withRuntimeTypes(given, folderOf(root), files));
  const cache = new Map<string, ts.SourceFile | undefined>();
  const libraries = libraryFolder(options);
  const host: ts.CompilerHost & { useSourceOfProjectReferenceRedirect?: () => boolean } = {
    getSourceFile(path, how) {
      let tree = cache.get(path);
      if (tree === undefined && !cache.has(path)) {
        tree = path.startsWith(`${libraries}/`)
          ? libraryTree(path, files)
          : (isOurs(path) ? unit(path) : parse(path))?.tree;
        if (tree !== undefined && typeof how === "object") adopt(tree, how);
        cache.set(path, tree);
      }
      return tree;
    },
    getDefaultLibFileName: (given) => whole.getDefaultLibFilePath(given),
    getDefaultLibLocation: () => libraries,
    writeFile: () => undefined,
    getCurrentDirectory: () => files.cwd,
    getCanonicalFileName: (path) => (typescript.sys.useCaseSensitiveFileNames ? path : path.toLowerCase()),
    useCaseSensitiveFileNames: () => typescript.sys.useCaseSensitiveFileNames,
    getNewLine: () => "\n",
    fileExists: (path) => isPlatformLib(path) || files.fileExists(path),
    readFile: (path) => files.read(path),
    directoryExists: (path) => files.directoryExists(path),
    getDirectories: (path) => files.directories(path),
    realpath: (path) => files.realpath(path),
    // Helpers in referenced projects are read as sources, built or not. Internal, but in every version from 3.7 to 6.0.
    useSourceOfProjectReferenceRedirect: () => true,
  };
  return whole.createProgram({
    rootNames: [...roots],
    options,
    host,
    projectReferences: [...references],
  });

  function parse(path: string): SourceUnit | null {
    const text = files.read(path);
    return text === undefined ? null : memory.parse(path, text);
  }
}

/** Source files of the program, as opposed to declarations. */
function isOurs(path: string): boolean {
  return !path.endsWith(".d.ts") && !isInPackage(path);
}

/** Gives a tree that was parsed before the program existed what the program would have had it parsed with. */
function adopt(tree: ts.SourceFile, how: ts.CreateSourceFileOptions): void {
  if (how.impliedNodeFormat !== undefined) tree.impliedNodeFormat = how.impliedNodeFormat;
  how.setExternalModuleIndicator?.(tree);
}
