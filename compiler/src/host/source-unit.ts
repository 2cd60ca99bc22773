import type ts from "typescript";
import { typescript } from "./typescript.js";

/** One source file as text and tree. */
export interface SourceUnit {
  /** Absolute path with `/`. */
  readonly path: string;
  readonly text: string;
  /** Parsed by our own TypeScript; parents are known only with `jsdoc`, or once a type checker has bound it. */
  readonly tree: ts.SourceFile;
  /** JavaScript of the program, so that JSDoc says the types. */
  readonly jsdoc: boolean;
  /** Part of an installed package, read for its effects only. */
  readonly inPackage: boolean;
}

const JAVASCRIPT = /\.[cm]?jsx?$/;

/** True for a path inside an installed package. */
export function isInPackage(path: string): boolean {
  return path.includes("/node_modules/");
}

/** Parses `text`; never throws: what can't be parsed is in the tree's parse diagnostics. */
export function parseSourceUnit(path: string, text: string): SourceUnit {
  const inPackage = isInPackage(path);
  const jsdoc = JAVASCRIPT.test(path) && !inPackage;
  const tree = typescript.createSourceFile(
    path,
    text,
    {
      languageVersion: typescript.ScriptTarget.ESNext,
      // JSDoc says types in JavaScript only; elsewhere parsing it is time for nothing.
      jsDocParsingMode: jsdoc
        ? typescript.JSDocParsingMode.ParseForTypeInfo
        : typescript.JSDocParsingMode.ParseNone,
    },
    jsdoc,
  );
  return { path, text, tree, jsdoc, inPackage };
}

/** A tree that someone else parsed, with a TypeScript of our version; its parents must be set where JSDoc counts. */
export function unitOfTree(tree: ts.SourceFile): SourceUnit {
  const { fileName: path, text } = tree;
  const inPackage = isInPackage(path);
  return { path, text, tree, jsdoc: JAVASCRIPT.test(path) && !inPackage, inPackage };
}

/** The errors that the parser met: `message` in English, `span` in UTF-16 offsets. */
export function syntaxErrorsOf(unit: SourceUnit): { message: string; span: [number, number] }[] {
  // `parseDiagnostics` is what `program.getSyntacticDiagnostics` returns; it is on every tree but not in the types.
  const found =
    (unit.tree as ts.SourceFile & { parseDiagnostics?: readonly ts.Diagnostic[] }).parseDiagnostics ?? [];
  return found.map((diagnostic) => ({
    message: typescript.flattenDiagnosticMessageText(diagnostic.messageText, " "),
    span: [diagnostic.start ?? 0, (diagnostic.start ?? 0) + (diagnostic.length ?? 0)],
  }));
}

/**
 * The id of the thing that `node` declares: path and offset of the node without its comments. The same for every
 * tree of the same text, whichever TypeScript parsed it.
 */
export function nodeId(path: string, node: ts.Node, tree: ts.SourceFile): string {
  return `${path}:${node.getStart(tree, false).toString()}`;
}
