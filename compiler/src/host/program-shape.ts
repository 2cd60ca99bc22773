import { createHash } from "node:crypto";
import type ts from "typescript";
import type { Host } from "./host.js";
import { isInPackage, type SourceUnit } from "./source-unit.js";
import { typescript } from "./typescript.js";

/** What of one file can change the types of files that do not import it. */
interface FileShape {
  /** What it brings in, as written; where it declares for all, its whole text. A hash. */
  readonly own: string;
  readonly declaresForAll: boolean;
  /** The files that its imports lead to. A hash. */
  readonly leadsTo: string;
}

/** A type checker's program, by file. Plain data. */
export type ProgramShape = Readonly<Record<string, FileShape>>;

/** Opens the type checker. `null` when it can't tell. */
export function programShape({ types, source }: Host): ProgramShape | null {
  const imports = types.imports();
  return (
    imports &&
    Object.fromEntries(
      [...imports].map(([path, targets]) => [
        path,
        { ...ownShape(source(path)), leadsTo: hash(targets.join("\n")) },
      ]),
    )
  );
}

/** Whether a file of a program is still there and gives to files that do not import it what it gave. */
export function givesTheSame(path: string, before: ProgramShape, { source }: Host): boolean {
  const unit = source(path);
  return unit !== null && ownShape(unit).own === before[path]?.own;
}

/** Whether what is declared for all files of a program is what it was. */
export function declaresTheSame(now: ProgramShape, before: ProgramShape): boolean {
  const declared = (shape: ProgramShape): string =>
    Object.entries(shape)
      .filter(([, { declaresForAll }]) => declaresForAll)
      .map(([path, { own }]) => `${path} ${own}`)
      .sort()
      .join("\n");
  return now === before || declared(now) === declared(before);
}

/** Whether the imports of a file lead to the same files. */
export function leadsToTheSame(path: string, now: ProgramShape, before: ProgramShape): boolean {
  return now[path]?.leadsTo === before[path]?.leadsTo;
}

const known = new WeakMap<SourceUnit, Pick<FileShape, "own" | "declaresForAll">>();

function ownShape(unit: SourceUnit | null): Pick<FileShape, "own" | "declaresForAll"> {
  if (unit === null) return { own: "", declaresForAll: false };
  let shape = known.get(unit);
  if (shape === undefined) {
    const forAll = declaresForAll(unit);
    shape = { own: hash(forAll ? unit.text : importsIn(unit)), declaresForAll: forAll };
    known.set(unit, shape);
  }
  return shape;
}

const hash = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 27);

function declaresForAll({ path, text, tree }: SourceUnit): boolean {
  if (path.endsWith(".json")) return false;
  return (
    isInPackage(path) ||
    tree.isDeclarationFile ||
    !typescript.isExternalModule(tree) ||
    /\bdeclare\s+(?:global|module)\b/.test(text)
  );
}

/** What a module brings in, types included, as written. */
function importsIn({ path, text, jsdoc }: SourceUnit): string {
  if (path.endsWith(".json")) return "";
  const { importedFiles, referencedFiles, typeReferenceDirectives } = typescript.preProcessFile(
    text,
    true,
    true,
  );
  const names = [...importedFiles, ...referencedFiles, ...typeReferenceDirectives].map(
    ({ fileName }) => fileName,
  );
  const inComments = jsdoc ? [...text.matchAll(/["']([^"'\n]+)["']/g)].map(([name]) => name) : [];
  return JSON.stringify([names, inComments]);
}

/**
 * The files of a program, without TypeScript's own libs; with each the files of it that its imports lead to, of types
 * too.
 */
export function importsOfProgram(program: ts.Program): ReadonlyMap<string, readonly string[]> {
  const checker = program.getTypeChecker();
  const files = program.getSourceFiles().filter((file) => !program.isSourceFileDefaultLibrary(file));
  return new Map(
    files.map((file) => [file.fileName, isInPackage(file.fileName) ? [] : [...ledTo(file)].map(nameOf)]),
  );

  function* ledTo(file: ts.SourceFile): Generator<ts.SourceFile> {
    // As written, `import()` of types and in JSDoc included; on every tree of a program, but not in the types.
    const { imports = [], moduleAugmentations = [] } = file as ts.SourceFile & {
      readonly imports?: readonly ts.Expression[];
      readonly moduleAugmentations?: readonly ts.Expression[];
    };
    for (const name of [...imports, ...moduleAugmentations])
      for (const declared of checker.getSymbolAtLocation(name)?.declarations ?? [])
        yield declared.getSourceFile();
  }
}

function nameOf(file: ts.SourceFile): string {
  return file.fileName;
}
