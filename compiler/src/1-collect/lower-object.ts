import {
  isGetAccessor,
  isMethodDeclaration,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  type Node,
  type ObjectLiteralElementLike,
  type ObjectLiteralExpression,
} from "../host/syntax.js";
import type { Expr, PropFacts } from "../types.js";
import { LazyProp } from "./lazy-facts.js";
import { lowerExpression, lowerValue } from "./lower-expression.js";
import { lowerFunction } from "./lower-function.js";
import { lowerNamed } from "./lower-name.js";
import { propertyKey } from "./lower-pattern.js";
import { spanOf, type Where } from "./where.js";

/** An object literal. In `module.exports = { … }` each property also gives its export's binding its value. */
export function lowerObject(node: ObjectLiteralExpression, where: Where): Expr {
  return {
    k: "object",
    props: node.properties.map((property) => lowerProperty(property, where)),
    span: spanOf(node, where),
  };
}

function lowerProperty(property: ObjectLiteralElementLike, where: Where): PropFacts {
  const span = spanOf(property, where);
  if (isSpreadAssignment(property)) {
    return {
      kind: "spread",
      key: null,
      computed: null,
      value: lowerExpression(property.expression, where),
      span,
      type: null,
    };
  }
  if (isShorthandPropertyAssignment(property)) {
    const value = lowerNamed(property.name.text, property.name, where);
    return new LazyProp("value", property.name.text, null, value, span, where.file.asking, property.name);
  }
  const { key, computed } = propertyKey(property.name, where);
  const label = { name: key ?? "", doc: property };
  if (isPropertyAssignment(property)) {
    const { initializer } = property;
    const value = asExport(property.name, lowerValue(initializer, where, label), where);
    return new LazyProp("value", key, computed, value, span, where.file.asking, initializer);
  }
  const kind = isMethodDeclaration(property) ? "method" : isGetAccessor(property) ? "get" : "set";
  const fn: Expr = { k: "function", id: lowerFunction(property, where, label), span };
  const value = kind === "method" ? asExport(property.name, fn, where) : fn;
  return { kind, key, computed, value, span, type: null };
}

/** `{ run: <value> }` of `module.exports`: the export `run` is this value. */
function asExport(name: Node, value: Expr, where: Where): Expr {
  const id = where.file.exportedProperties.get(name);
  if (id === undefined) return value;
  return {
    k: "assign",
    op: "=",
    target: { p: "binding", id, span: spanOf(name, where) },
    value,
    span: value.span,
  };
}
