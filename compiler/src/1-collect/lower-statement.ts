import {
  NodeFlags,
  SyntaxKind,
  isBlock,
  isClassDeclaration,
  isEnumDeclaration,
  isExportAssignment,
  isFunctionDeclaration,
  isIdentifier,
  isImportEqualsDeclaration,
  isModuleDeclaration,
  isVariableStatement,
  getJSDocType,
  type CaseBlock,
  type Expression,
  type Node,
  type Statement,
  type VariableDeclarationList,
} from "../host/syntax.js";
import type { BindingFacts, Expr, Stmt, TypeRef } from "../types.js";
import { declarePattern, declareStatements, isAmbient } from "./declare-names.js";
import { lowerClass } from "./lower-class.js";
import { lowerEnum } from "./lower-enum.js";
import { LazySwitch } from "./lazy-facts.js";
import { lowerExpression, lowerValue } from "./lower-expression.js";
import { lowerFunction } from "./lower-function.js";
import { lowerLoop } from "./lower-loop.js";
import { lowerNamespace } from "./lower-namespace.js";
import { lowerBindingName } from "./lower-pattern.js";
import { requiredNames } from "./require-call.js";
import { typeRef } from "./type-ref.js";
import { idOf, inside, noteBinding, spanOf, type Where } from "./where.js";

/** Statements of one block whose names are declared already; function declarations come first, as they are hoisted. */
export function lowerStatements(statements: readonly Statement[], where: Where): Stmt[] {
  const hoisted: Stmt[] = [];
  const rest: Stmt[] = [];
  for (const statement of statements) {
    if (isFunctionDeclaration(statement)) hoisted.push(...lowerFunctionDeclaration(statement, where));
    else rest.push(...lowerStatement(statement, where, null));
  }
  return [...hoisted, ...rest];
}

/** A block with a scope of its own, or a single statement in its place. */
export function lowerBody(node: Statement | undefined, where: Where): Stmt[] {
  if (node === undefined) return [];
  const inner = inside(where);
  const statements = isBlock(node) ? node.statements : [node];
  declareStatements(statements, inner.scope, where.file.table.unit);
  return lowerStatements(statements, inner);
}

function lowerFunctionDeclaration(node: Statement, where: Where): Stmt[] {
  if (!isFunctionDeclaration(node) || node.body === undefined || isAmbient(node)) return [];
  const span = spanOf(node, where);
  if (node.name === undefined) {
    const binding = idOf(node, where);
    noteBinding(binding, "default", span, "function", where, null);
    return [{ s: "function", binding, id: lowerFunction(node, where, { name: "default" }), span }];
  }
  const named = where.scope.value(node.name.text);
  const binding = named?.as === "binding" ? named.id : idOf(node.name, where);
  noteBinding(binding, node.name.text, spanOf(node.name, where), "function", where, null);
  return [{ s: "function", binding, id: lowerFunction(node, where, { name: node.name.text }), span }];
}

function lowerClassDeclaration(node: Statement, where: Where): Stmt[] {
  if (!isClassDeclaration(node) || isAmbient(node)) return [];
  const span = spanOf(node, where);
  const binding = idOf(node.name ?? node, where);
  noteBinding(
    binding,
    node.name?.text ?? "default",
    node.name === undefined ? span : spanOf(node.name, where),
    "class",
    where,
    null,
  );
  const { id, after } = lowerClass(node, where, "default");
  return [
    { s: "class", binding, id, span },
    ...after.map((expr): Stmt => ({ s: "expr", expr, span: expr.span })),
  ];
}

interface Parts {
  readonly expression?: Expression;
  readonly label?: { readonly text: string };
  readonly statement?: Statement;
  readonly thenStatement?: Statement;
  readonly elseStatement?: Statement;
}

function lowerStatement(node: Statement, where: Where, label: string | null): Stmt[] {
  const span = spanOf(node, where);
  const parts = node as Statement & Parts;
  const value = (): Expr =>
    parts.expression === undefined
      ? { k: "opaque", what: "missing", parts: [], span }
      : lowerExpression(parts.expression, where);
  switch (node.kind) {
    case SyntaxKind.ExpressionStatement:
      return [{ s: "expr", expr: value(), span }];
    case SyntaxKind.VariableStatement:
      return isVariableStatement(node) && !isAmbient(node)
        ? lowerList(node.declarationList, node, where)
        : [];
    case SyntaxKind.ReturnStatement:
      return [{ s: "return", value: parts.expression === undefined ? null : value(), span }];
    case SyntaxKind.ThrowStatement:
      return [{ s: "throw", value: value(), span }];
    case SyntaxKind.IfStatement:
      return [
        {
          s: "if",
          test: value(),
          then: lowerBody(parts.thenStatement, where),
          else: lowerBody(parts.elseStatement, where),
          span,
        },
      ];
    case SyntaxKind.SwitchStatement:
      return [lowerSwitch(node, value(), where, label)];
    case SyntaxKind.TryStatement:
      return [lowerTry(node, where)];
    case SyntaxKind.Block:
      return [{ s: "block", body: lowerBody(node, where), label, span }];
    case SyntaxKind.BreakStatement:
      return [{ s: "break", label: parts.label?.text ?? null, span }];
    case SyntaxKind.ContinueStatement:
      return [{ s: "continue", label: parts.label?.text ?? null, span }];
    case SyntaxKind.LabeledStatement:
      return lowerLabeled(parts.statement, parts.label?.text ?? null, where);
    case SyntaxKind.WithStatement:
      return [{ s: "expr", expr: value(), span }, ...lowerBody(parts.statement, where)];
    default:
      return lowerLoop(node, where, label) ?? lowerDeclaration(node, where);
  }
}

function lowerDeclaration(node: Statement, where: Where): Stmt[] {
  if (isClassDeclaration(node)) return lowerClassDeclaration(node, where);
  if (isEnumDeclaration(node)) return isAmbient(node) ? [] : [lowerEnum(node, where)];
  if (isModuleDeclaration(node)) return isAmbient(node) ? [] : lowerNamespace(node, where);
  if (isExportAssignment(node)) return lowerExportAssignment(node, where);
  if (isImportEqualsDeclaration(node) && node.moduleReference.kind !== SyntaxKind.ExternalModuleReference) {
    const init = lowerEntity(node.moduleReference, where);
    return init === null
      ? []
      : [declaration(lowerBindingName(node.name, "const", where, null), init, node, where)];
  }
  return [];
}

/** `import x = a.b` */
function lowerEntity(node: Node, where: Where): Expr | null {
  if (isIdentifier(node)) return lowerExpression(node, where);
  const { left, right } = node as Node & { left?: Node; right?: { text: string } & Node };
  const object = left === undefined ? null : lowerEntity(left, where);
  if (object === null || right === undefined) return null;
  const propertySpan = spanOf(right, where);
  return {
    k: "member",
    object,
    property: right.text,
    computed: null,
    optional: false,
    decl: null,
    propertySpan,
    span: spanOf(node, where),
  };
}

function declaration(
  pattern: ReturnType<typeof lowerBindingName>,
  init: Expr,
  node: Node,
  where: Where,
): Stmt {
  return { s: "declare", kind: "const", items: [{ pattern, init }], span: spanOf(node, where) };
}

/** `export default <expression>` and `export = <expression>`; a mere name needs no binding of its own. */
function lowerExportAssignment(node: Statement, where: Where): Stmt[] {
  if (!isExportAssignment(node)) return [];
  const { table } = where.file;
  const exported = node.isExportEquals === true ? table.whole : table.exports.get("default");
  if (exported?.as !== "value") return [];
  const span = spanOf(node, where);
  noteBinding(exported.id, "default", span, "const", where, null);
  const init = lowerValue(node.expression, where, { name: "default", doc: node });
  return [declaration({ p: "binding", id: exported.id, span }, init, node, where)];
}

type DeclareKind = Extract<Stmt, { s: "declare" }>["kind"];

function kindOf(list: VariableDeclarationList): DeclareKind {
  const flags = list.flags & NodeFlags.BlockScoped;
  if (flags === NodeFlags.AwaitUsing) return "await using";
  if (flags === NodeFlags.Using) return "using";
  return flags === NodeFlags.Const ? "const" : flags === NodeFlags.Let ? "let" : "var";
}

/** A list of variables; `const x = require("m")` declares an import and is no statement. */
export function lowerList(list: VariableDeclarationList, doc: Node, where: Where): Stmt[] {
  const kind = kindOf(list);
  const bindingKind: BindingFacts["kind"] = kind === "let" || kind === "var" ? kind : "const";
  const { unit } = where.file.table;
  const items = list.declarations
    .filter((node) => requiredNames(node, where.scope) === null)
    .map((node) => {
      const site = { names: where.file.names, unit, scope: where.scope };
      const annotation =
        node.type === undefined && !unit.jsdoc
          ? null
          : (): TypeRef | null => typeRef(node.type ?? (unit.jsdoc ? getJSDocType(node) : undefined), site);
      const pattern = lowerBindingName(node.name, bindingKind, where, annotation);
      const name = isIdentifier(node.name) ? node.name.text : "";
      const init =
        node.initializer === undefined
          ? null
          : lowerValue(node.initializer, where, { name, doc, type: node.type });
      return { pattern, init };
    });
  return items.length === 0 ? [] : [{ s: "declare", kind, items, span: spanOf(list, where) }];
}

function lowerSwitch(node: Node, value: Expr, where: Where, label: string | null): Stmt {
  const { caseBlock } = node as Node & { caseBlock: CaseBlock };
  const inner = inside(where);
  for (const clause of caseBlock.clauses)
    declareStatements(clause.statements, inner.scope, where.file.table.unit);
  const cases = caseBlock.clauses.map((clause) => ({
    test:
      clause.kind === SyntaxKind.CaseClause
        ? lowerExpression((clause as Node & { expression: Expression }).expression, inner)
        : null,
    body: lowerStatements(clause.statements, inner),
  }));
  return new LazySwitch(value, cases, label, spanOf(node, where), where.file.asking, node);
}

function lowerTry(node: Node, where: Where): Stmt {
  const { tryBlock, catchClause, finallyBlock } = node as Node & {
    tryBlock: Statement;
    catchClause?: Node & {
      variableDeclaration?: VariableDeclarationList["declarations"][number];
      block: Statement;
    };
    finallyBlock?: Statement;
  };
  const caught = inside(where);
  const variable = catchClause?.variableDeclaration;
  if (variable !== undefined) declareCaught(variable, caught);
  return {
    s: "try",
    block: lowerBody(tryBlock, where),
    param: variable === undefined ? null : lowerBindingName(variable.name, "catch", caught, null),
    handler: catchClause === undefined ? null : lowerBody(catchClause.block, caught),
    handlerSpan: catchClause === undefined ? null : spanOf(catchClause, where),
    finalizer: finallyBlock === undefined ? null : lowerBody(finallyBlock, where),
    finalizerSpan: finallyBlock === undefined ? null : spanOf(finallyBlock, where),
    span: spanOf(node, where),
  };
}

function declareCaught(variable: VariableDeclarationList["declarations"][number], caught: Where): void {
  declarePattern(variable.name, caught.scope, caught.file.table.unit);
}

/** A label belongs to its loop, switch or block; before anything else it makes a block. */
function lowerLabeled(statement: Statement | undefined, label: string | null, where: Where): Stmt[] {
  if (statement === undefined) return [];
  const body = isFunctionDeclaration(statement)
    ? lowerFunctionDeclaration(statement, where)
    : lowerStatement(statement, where, label);
  const [only] = body;
  if (
    body.length === 1 &&
    only !== undefined &&
    "label" in only &&
    only.s !== "break" &&
    only.s !== "continue"
  )
    return body;
  return [{ s: "block", body, label, span: spanOf(statement, where) }];
}
