import type ts from "typescript";
import type { MemberDecl, TypeFacts } from "../types.js";
import { moduleOfDeclaration } from "./declared-where.js";
import { implementationIndex, type ImplementationIndex } from "./implementations.js";
import { memberDecl } from "./member-decl.js";
import { nodeId, type SourceUnit } from "./source-unit.js";
import { typeFacts } from "./type-facts.js";
import { isProgramPath, namesOfKinds, type ModelType, type TypeModel } from "./type-model.js";
import type { NamedTypeFacts, TypeQuestions } from "./type-questions.js";
import { typescript } from "./typescript.js";

/** A type checker's model with what is looked up in it once. */
export interface Asked extends TypeModel {
  readonly implementations: ImplementationIndex;
}

const kindName = namesOfKinds(typescript.SyntaxKind as unknown as Record<string, string | number>);

/** Answers from a type checker. `open` is called with the first question; `null` = there is none. */
export function checkerQuestions(open: () => TypeModel | null): TypeQuestions {
  let opened: { readonly asked: Asked | null } | null = null;
  const asked = (): Asked | null => {
    if (opened === null) {
      const model = open();
      opened = { asked: model && { ...model, implementations: implementationIndex(model) } };
    }
    return opened.asked;
  };
  const ask = <T>(
    unit: SourceUnit,
    node: ts.Node,
    answer: (asked: Asked, node: ts.Node) => T | null,
  ): T | null => {
    const whom = unit.inPackage ? null : asked();
    if (whom === null) return null;
    const there = nodeThere(whom, unit, node);
    return there === null ? null : answer(whom, there);
  };
  return {
    member: (unit, name) => ask<MemberDecl>(unit, name, memberDecl),
    valueType: (unit, expression) => ask<TypeFacts>(unit, expression, valueType),
    awaitedReturn: (unit, fn) => ask<TypeFacts>(unit, fn, awaitedReturn),
    namedType: (unit, node) => ask<NamedTypeFacts>(unit, node, namedType),
    casesCover: (unit, statement) => ask<boolean>(unit, statement, casesCover),
    writtenType: (unit, type) =>
      ask<TypeFacts>(unit, type, (asked, node) => typeFacts(asked.writtenType(node), asked)),
    imports: () => asked()?.imports() ?? null,
  };
}

/** The node in the checker's own tree: the same one, or the one of its kind at the same place of the same text. */
function nodeThere(asked: TypeModel, unit: SourceUnit, node: ts.Node): ts.Node | null {
  const tree = asked.file(unit.path);
  if (tree === unit.tree) return node;
  if (tree === undefined || tree.text !== unit.text) return null;
  const start = node.getStart(unit.tree, false);
  const kind = kindName(node.kind);
  const search = (at: ts.Node): ts.Node | null => {
    if (at.pos > start || at.end < node.end) return null;
    const inner = at.forEachChild((child) => search(child) ?? undefined);
    if (inner !== undefined) return inner;
    const fits =
      at.end === node.end && at.getStart(tree, false) === start && asked.syntax.kindName(at) === kind;
    return fits ? at : null;
  };
  return search(tree);
}

function valueType(asked: Asked, node: ts.Node): TypeFacts {
  const type = asked.typeAt(node);
  // `state: () => ({ … })` stands for what it gives.
  const [result] = asked.callResults(type);
  const value = result === undefined ? type : asked.awaited(result);
  return typeFacts(asked.widened(value), asked);
}

function awaitedReturn(asked: Asked, node: ts.Node): TypeFacts | null {
  const type = asked.returnType(node);
  return type === undefined ? null : typeFacts(asked.awaited(type), asked);
}

/** Told by the members of a union of literals (or of an enum); anything else has more values than cases. */
function casesCover(asked: Asked, node: ts.Node): boolean {
  const { expression, caseBlock } = node as ts.SwitchStatement;
  const type = asked.typeAt(expression);
  const members = asked.kindOf(type) === "union" ? asked.partsOf(type) : asked.isLiteral(type) ? [type] : [];
  const cases = new Set(
    caseBlock.clauses.flatMap((clause) =>
      asked.syntax.isCaseClause(clause) ? [asked.textOf(asked.typeAt(clause.expression))] : [],
    ),
  );
  return members.length > 0 && members.every((member: ModelType) => cases.has(asked.textOf(member)));
}

function namedType(asked: Asked, node: ts.Node): NamedTypeFacts | null {
  const type = asked.nonNullable(asked.typeAt(node));
  const symbol = asked.aliasOf(type) ?? type.getSymbol();
  if (symbol === undefined) return null;
  const [declared] = asked.declarations(symbol);
  // `__type`, `__object` and the like are names of what has none.
  if (declared === undefined || symbol.name.startsWith("__")) return null;
  const declaration = declared.node();
  const file = declaration.getSourceFile();
  if (!isProgramPath(declared.path))
    return { name: symbol.name, module: moduleOfDeclaration(declaration, asked), classId: null };
  const classId = declared.is === "class" ? nodeId(file.fileName, declaration, file) : null;
  return { name: symbol.name, module: file.fileName, classId };
}
