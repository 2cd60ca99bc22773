import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** One import of a source file of this repository. */
export interface ImportFact {
  /** As written. */
  readonly specifier: string;
  /** Path from the root for a file of the repository, else the package as written. */
  readonly target: string;
  /** Erased by the compiler: it binds nothing at run time. */
  readonly typeOnly: boolean;
  readonly line: number;
}

export interface SourceFact {
  /** Path from the root, with `/`. */
  readonly path: string;
  readonly tree: ts.SourceFile;
  readonly imports: readonly ImportFact[];
}

/** Processes that tests start and kill: they are on disk beside the tests, and nothing else imports them. */
const STARTED_BY_TESTS = /^runtime\/src\/engine\/crash\//;

/** Every source of the packages; tests and what only they use (it imports `vitest`, or is started) are left out. */
export function readSources(): SourceFact[] {
  return ["compiler/src", "runtime/src", "lint-plugin/src"]
    .flatMap((folder) => filesBelow(join(ROOT, folder)))
    .map((file) => {
      const tree = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
      return { path: relative(ROOT, file).replaceAll("\\", "/"), tree, imports: importsOf(tree, file) };
    })
    .filter(
      ({ path, imports }) =>
        !STARTED_BY_TESTS.test(path) && imports.every((one) => one.specifier !== "vitest"),
    );
}

function filesBelow(folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // A package whose first file is still to come.
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return /\.ts$/.test(entry.name) && !/\.test\.ts$|\.d\.ts$/.test(entry.name) ? [path] : [];
  });
}

function importsOf(tree: ts.SourceFile, file: string): ImportFact[] {
  const found: ImportFact[] = [];
  const add = (specifier: string, typeOnly: boolean, node: ts.Node): void => {
    const target = specifier.startsWith(".")
      ? relative(ROOT, resolve(dirname(file), specifier))
          .replaceAll("\\", "/")
          .replace(/\.js$/, ".ts")
      : specifier;
    found.push({
      specifier,
      target,
      typeOnly,
      line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1,
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node.moduleSpecifier.text, isTypeOnly(node.importClause), node);
    } else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      add(node.moduleSpecifier.text, node.isTypeOnly, node);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [module] = node.arguments;
      if (module && ts.isStringLiteral(module)) add(module.text, false, node);
    } else if (
      ts.isImportTypeNode(node) &&
      ts.isLiteralTypeNode(node.argument) &&
      ts.isStringLiteral(node.argument.literal)
    ) {
      add(node.argument.literal.text, true, node);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    !clause.name &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every((one) => one.isTypeOnly)
  );
}
