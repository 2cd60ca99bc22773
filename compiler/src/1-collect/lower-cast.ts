import { SyntaxKind, isIdentifier, isTypeReferenceNode, type Expression, type Node } from "../host/syntax.js";
import type { Expr } from "../types.js";
import { lowerExpression } from "./lower-expression.js";
import { typeRef } from "./type-ref.js";
import { spanOf, type Where } from "./where.js";

/**
 * Parentheses, `!`, `satisfies`, `as` and `<T>value`: dropped, except for assertions of a named type.
 * `jsdoc` is the type of a JSDoc cast.
 */
export function lowerCast(
  node: Expression & { expression: Expression },
  jsdoc: Node | null,
  where: Where,
): Expr {
  const operand = lowerExpression(node.expression, where);
  const asserted =
    node.kind === SyntaxKind.AsExpression || node.kind === SyntaxKind.TypeAssertionExpression
      ? (node as Node & { type?: Node }).type
      : jsdoc;
  if (asserted === undefined || asserted === null || isConst(asserted)) return operand;
  const site = { names: where.file.names, unit: where.file.table.unit, scope: where.scope };
  const type = typeRef(asserted, site);
  return type === null ? operand : { k: "cast", operand, type, span: spanOf(node, where) };
}

/** `as const` */
function isConst(type: Node): boolean {
  return isTypeReferenceNode(type) && isIdentifier(type.typeName) && type.typeName.text === "const";
}
