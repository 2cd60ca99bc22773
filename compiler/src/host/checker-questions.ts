import type ts from "typescript";
import { typescript } from "./typescript.js";
import type { MemberDecl, TypeFacts } from "../types.js";
import { implementationIndex, type ImplementationIndex } from "./implementations.js";
import { memberDecl } from "./member-decl.js";
import { nodeId, type SourceUnit } from "./source-unit.js";
import { typeFacts } from "./type-facts.js";
import { isProgramSource, moduleOfDeclaration } from "./declared-where.js";
import type { NamedTypeFacts, TypeQuestions } from "./type-questions.js";

/** A type checker with the program that it speaks of. */
export interface CheckedProgram {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** The TypeScript that made the program: node kinds differ between versions. */
  readonly ts: typeof ts;
  readonly implementations: ImplementationIndex;
}

/** Joins a program with what is asked of it later. */
export function checkedProgram(program: ts.Program, theirs: typeof ts = typescript): CheckedProgram {
  const checker = program.getTypeChecker();
  return {
    program,
    checker,
    ts: theirs,
    implementations: implementationIndex(program, checker, theirs),
  };
}

/**
 * Answers from a type checker. `open` is called with the first question; `null` = there is none.
 * Only lazy queries are made: no file is ever checked as a whole.
 */
export function checkerQuestions(open: () => CheckedProgram | null): TypeQuestions {
  let opened: { readonly checked: CheckedProgram | null } | null = null;
  const ask = <T>(
    unit: SourceUnit,
    node: ts.Node,
    answer: (checked: CheckedProgram, node: ts.Node) => T | null,
  ): T | null => {
    if (unit.inPackage) return null;
    opened ??= { checked: open() };
    if (opened.checked === null) return null;
    const there = nodeThere(opened.checked, unit, node);
    return there === null ? null : answer(opened.checked, there);
  };
  return {
    member: (unit, name) => ask<MemberDecl>(unit, name, memberDecl),
    valueType: (unit, expression) => ask<TypeFacts>(unit, expression, valueType),
    awaitedReturn: (unit, fn) => ask<TypeFacts>(unit, fn, awaitedReturn),
    namedType: (unit, node) => ask<NamedTypeFacts>(unit, node, namedType),
    casesCover: (unit, statement) => ask<boolean>(unit, statement, casesCover),
    writtenType: (unit, type) =>
      ask<TypeFacts>(unit, type, (checked, node) =>
        typeFacts(checked.checker.getTypeFromTypeNode(node as ts.TypeNode), node, checked),
      ),
  };
}

/** The node in the checker's own tree: the same one, or the one at the same place of the same text. */
function nodeThere(checked: CheckedProgram, unit: SourceUnit, node: ts.Node): ts.Node | null {
  const tree = checked.program.getSourceFile(unit.path);
  if (tree === unit.tree) return node;
  if (tree === undefined || tree.text !== unit.text) return null;
  const start = node.getStart(unit.tree, false);
  const same = checked.ts.version === typescript.version;
  const search = (at: ts.Node): ts.Node | null => {
    if (at.pos > start || at.end < node.end) return null;
    const inner = at.forEachChild((child) => search(child) ?? undefined);
    if (inner !== undefined) return inner;
    const fits =
      at.end === node.end && at.getStart(tree, false) === start && (!same || at.kind === node.kind);
    return fits ? at : null;
  };
  return search(tree);
}

function valueType(checked: CheckedProgram, node: ts.Node): TypeFacts | null {
  const { checker } = checked;
  const type = checker.getTypeAtLocation(node);
  // `state: () => ({ … })` stands for what it gives.
  const [signature] = type.getCallSignatures();
  const value = signature === undefined ? type : awaited(checker, signature.getReturnType());
  return typeFacts(checker.getWidenedType(checker.getBaseTypeOfLiteralType(value)), node, checked);
}

function awaitedReturn(checked: CheckedProgram, node: ts.Node): TypeFacts | null {
  const signature = checked.checker.getSignatureFromDeclaration(node as ts.SignatureDeclaration);
  if (signature === undefined) return null;
  return typeFacts(awaited(checked.checker, signature.getReturnType()), node, checked);
}

/** Told by the members of a union of literals (or of an enum); anything else has more values than cases. */
function casesCover(checked: CheckedProgram, node: ts.Node): boolean {
  const { checker } = checked;
  const { expression, caseBlock } = node as ts.SwitchStatement;
  const type = checker.getTypeAtLocation(expression);
  const members = type.isUnion() ? type.types : type.isLiteral() ? [type] : [];
  const cases = new Set(
    caseBlock.clauses.flatMap((clause) =>
      "expression" in clause ? [checker.typeToString(checker.getTypeAtLocation(clause.expression))] : [],
    ),
  );
  return members.length > 0 && members.every((member) => cases.has(checker.typeToString(member)));
}

function awaited(checker: ts.TypeChecker, type: ts.Type): ts.Type {
  return checker.getAwaitedType(type) ?? type;
}

function namedType(checked: CheckedProgram, node: ts.Node): NamedTypeFacts | null {
  const { checker, ts } = checked;
  const type = checker.getNonNullableType(checker.getTypeAtLocation(node));
  const symbol = type.aliasSymbol ?? (type.symbol as ts.Symbol | undefined);
  const [declaration] = symbol?.declarations ?? [];
  // `__type`, `__object` and the like are names of what has none.
  if (symbol === undefined || declaration === undefined || symbol.name.startsWith("__")) return null;
  const file = declaration.getSourceFile();
  if (!isProgramSource(file))
    return { name: symbol.name, module: moduleOfDeclaration(declaration, checked), classId: null };
  const classId = ts.isClassLike(declaration) ? nodeId(file.fileName, declaration, file) : null;
  return { name: symbol.name, module: file.fileName, classId };
}
