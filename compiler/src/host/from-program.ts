import type ts from "typescript";
import { loadedTypescript, typescript, wholeTypescript } from "./typescript.js";
import { checkerModel } from "./checker-model.js";
import { checkerQuestions } from "./checker-questions.js";
import { openFiles } from "./files.js";
import { mentionsAny } from "./find-sources.js";
import type { Host } from "./host.js";
import { createModuleResolver } from "./modules.js";
import { packageOf } from "./package-of.js";
import { isInPackage, parseSourceUnit, unitOfTree, type SourceUnit } from "./source-unit.js";
import { isTooLarge, leftOutNote } from "./too-large.js";
import { createSourceFinder } from "./source-of-built.js";

export interface FromProgramOptions {
  /** As for {@link openProject}. */
  readonly engineModules: readonly string[];
  /**
   * The TypeScript that made the program, when it may be another copy than ours; its version may differ (5.x, 6.x).
   * Of the same version, its trees are used as they are, else texts are parsed again. Without this only a program of
   * this very copy is known for what it is.
   */
  readonly typescript?: typeof ts;
  /** Only these files become roots, so that one file can be looked at on its own; absolute paths. */
  readonly only?: readonly string[];
  /** Told of each file that is left out since it is too large. */
  readonly onNote?: (message: string) => void;
}

/** Units by the tree of the program; kept as long as it is. */
const ownUnits = new WeakMap<ts.SourceFile, SourceUnit>();

/**
 * A host over a program that someone else holds: ESLint, `tspc`, an editor. Texts and types are the program's, so
 * unsaved text is seen; packages' JavaScript is read from disk. Nothing of the program is changed.
 */
export function fromProgram(program: ts.Program, request: FromProgramOptions): Host {
  // 6.0.2 and 6.0.3 make the same trees, whichever copy of them. JSDoc is found by parents, which the checker sets.
  const sameVersion =
    request.typescript === undefined
      ? isOfOurCopy(program)
      : request.typescript.versionMajorMinor === typescript.versionMajorMinor;
  if (sameVersion) program.getTypeChecker();
  const told = new Set<string>();
  const files = openFiles(program.getCurrentDirectory());
  const options = program.getCompilerOptions();
  const references = program.getProjectReferences() ?? [];
  const sources = program
    .getSourceFiles()
    .filter(
      (file) =>
        !file.isDeclarationFile &&
        !isInPackage(file.fileName) &&
        mentionsAny(file.text, request.engineModules) &&
        !tooLarge(file.fileName, file.text),
    );
  const only = request.only === undefined ? null : new Set(request.only);
  const units = new Map<string, SourceUnit | null>();
  return {
    cwd: files.cwd,
    roots: sources
      .map((file) => file.fileName)
      .filter((path) => only === null || only.has(path))
      .sort(),
    names: program.getSourceFiles().map((file) => file.fileName),
    options,
    modules: createModuleResolver(
      { ...files, fileExists: (path) => program.getSourceFile(path) !== undefined || files.fileExists(path) },
      options,
      createSourceFinder(files, references),
      request.engineModules,
    ),
    source(path) {
      let unit = units.get(path);
      if (unit === undefined) units.set(path, (unit = find(path)));
      return unit;
    },
    packageOf: (path) => packageOf(path, files),
    types: checkerQuestions(() => checkerModel(program, request.typescript ?? wholeTypescript())),
  };

  function tooLarge(path: string, text: string): boolean {
    if (!isTooLarge(path, text)) return false;
    const note = told.has(path) ? null : leftOutNote(path, text);
    told.add(path);
    if (note !== null) request.onNote?.(note);
    return true;
  }

  function find(path: string): SourceUnit | null {
    const held = program.getSourceFile(path);
    if (held === undefined) {
      const text = files.read(path);
      return text === undefined || isTooLarge(path, text) ? null : parseSourceUnit(path, text);
    }
    if (tooLarge(path, held.text)) return null;
    let unit = ownUnits.get(held);
    if (unit === undefined) {
      unit = sameVersion ? unitOfTree(held) : parseSourceUnit(path, held.text);
      ownUnits.set(held, unit);
    }
    return unit;
  }
}

/** Whether the TypeScript that is loaded here made a program. */
function isOfOurCopy(program: ts.Program): boolean {
  const ours = loadedTypescript();
  return (
    ours !== null && program.getSourceFiles()[0] instanceof ours.objectAllocator.getSourceFileConstructor()
  );
}
