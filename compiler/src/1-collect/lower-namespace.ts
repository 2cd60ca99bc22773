import {
  SyntaxKind,
  isIdentifier,
  isModuleBlock,
  isModuleDeclaration,
  isVariableStatement,
  type ModuleDeclaration,
  type Node,
  type Statement,
} from "../host/syntax.js";
import type { Expr, Stmt } from "../types.js";
import { declareStatements, hoistVars } from "./declare-names.js";
import { LazyMember } from "./lazy-facts.js";
import { lowerNamed } from "./lower-name.js";
import { lowerStatements } from "./lower-statement.js";
import { hasModifier, namesOf } from "./module-table.js";
import { idOf, inside, nameExpr, noteBinding, spanOf, type Where } from "./where.js";

/**
 * A namespace is a block whose exported names become properties of an object: the object's own declaration, or
 * assignments where the name is already a function, a class, an enum or an earlier part of the namespace.
 */
export function lowerNamespace(node: ModuleDeclaration, where: Where): Stmt[] {
  const { body, name } = node;
  if (body === undefined || !isIdentifier(name)) return [];
  const span = spanOf(node, where);
  const nameSpan = spanOf(name, where);
  const named = where.scope.value(name.text);
  const id = named?.as === "binding" ? named.id : idOf(name, where);
  const merged = where.file.bindings.has(id);
  noteBinding(id, name.text, nameSpan, "namespace", where, null);
  const inner = inside(where);
  const { statements, exported } = contentsOf(body, inner);
  const exports = exported.map((key) => ({ key, value: lowerNamed(key, name, inner) }));
  if (!merged) {
    const props = exports.map(
      ({ key, value }) =>
        ({ kind: "value", key, computed: null, value, span: nameSpan, type: null }) as const,
    );
    const init: Expr = { k: "object", props, span };
    const declare: Stmt = {
      s: "declare",
      kind: "const",
      items: [{ pattern: { p: "binding", id, span: nameSpan }, init }],
      span,
    };
    return [{ s: "block", body: [...statements, declare], label: null, span }];
  }
  const object = nameExpr(name.text, { to: "binding", id }, nameSpan);
  const assigned = exports.map(({ key, value }): Stmt => {
    const target = new LazyMember(nameSpan, object, key, null, false, nameSpan, null, null);
    const expr: Expr = {
      k: "assign",
      op: "=",
      target: { p: "target", expr: target, span: nameSpan },
      value,
      span: nameSpan,
    };
    return { s: "expr", expr, span: nameSpan };
  });
  return [{ s: "block", body: [...statements, ...assigned], label: null, span }];
}

function contentsOf(body: Node, inner: Where): { statements: Stmt[]; exported: readonly string[] } {
  if (isModuleDeclaration(body)) {
    // namespace a.b { … }
    declareStatements([body], inner.scope, inner.file.table.unit);
    return { statements: lowerNamespace(body, inner), exported: [body.name.text] };
  }
  if (!isModuleBlock(body)) return { statements: [], exported: [] };
  hoistVars(body, inner.scope, inner.file.table.unit);
  declareStatements(body.statements, inner.scope, inner.file.table.unit);
  const exported = [...new Set(body.statements.flatMap((statement) => exportedNames(statement, inner)))];
  return { statements: lowerStatements(body.statements, inner), exported };
}

function exportedNames(statement: Statement, where: Where): string[] {
  if (!hasModifier(statement, SyntaxKind.ExportKeyword)) return [];
  if (isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap((node) => namesOf(node.name));
  const { name } = statement as Statement & { name?: Node };
  // Types have no value.
  return name !== undefined && isIdentifier(name) && where.scope.values.has(name.text) ? [name.text] : [];
}
