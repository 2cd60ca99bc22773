import { SyntaxKind, type Expression, type Node } from "../host/syntax.js";
import type { Expr } from "../types.js";
import { lowerExpression } from "./lower-expression.js";
import { spanOf, type Where } from "./where.js";

/** True for elements, fragments and what stands between their tags. */
export function isJsx(node: Node): boolean {
  return node.kind >= SyntaxKind.JsxElement && node.kind <= SyntaxKind.JsxNamespacedName;
}

/** JSX: the component, attribute values and children are evaluated in order; what comes of it is not known. */
export function lowerJsx(node: Node, where: Where): Expr {
  const parts: Expr[] = [];
  collect(node, where, parts);
  return { k: "opaque", what: "jsx", parts, span: spanOf(node, where) };
}

function collect(node: Node, where: Where, parts: Expr[]): void {
  switch (node.kind) {
    case SyntaxKind.JsxText:
    case SyntaxKind.JsxClosingElement:
      return;
    case SyntaxKind.JsxOpeningElement:
    case SyntaxKind.JsxSelfClosingElement: {
      const { tagName, attributes } = node as Node & { tagName: Expression; attributes: Node };
      if (isComponent(tagName, where)) parts.push(lowerExpression(tagName, where));
      collect(attributes, where, parts);
      return;
    }
    case SyntaxKind.JsxAttribute: {
      const { initializer } = node as Node & { initializer?: Node };
      if (initializer !== undefined && initializer.kind !== SyntaxKind.StringLiteral)
        collect(initializer, where, parts);
      return;
    }
    case SyntaxKind.JsxSpreadAttribute:
    case SyntaxKind.JsxExpression: {
      const { expression } = node as Node & { expression?: Expression };
      if (expression !== undefined) parts.push(lowerExpression(expression, where));
      return;
    }
    default:
      node.forEachChild((child) => {
        collect(child, where, parts);
      });
  }
}

/** `<Panel>` and `<ui.Panel>` are values, `<div>` is none. */
function isComponent(tag: Expression, where: Where): boolean {
  const { unit } = where.file.table;
  const text = unit.text.slice(tag.getStart(unit.tree, false), tag.end);
  return /^[A-Z_$]/.test(text) || text.includes(".");
}
