import {
  SyntaxKind,
  isArrayLiteralExpression,
  isBinaryExpression,
  isComputedPropertyName,
  isIdentifier,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isOmittedExpression,
  isParenthesizedExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isSpreadElement,
  type BindingName,
  type Expression,
  type Node,
  type PropertyName,
} from "../host/syntax.js";
import type { BindingFacts, Expr, Pattern, TypeRef } from "../types.js";
import { lowerExpression } from "./lower-expression.js";
import { bindingOf, lowerNamed } from "./lower-name.js";
import { idOf, noteBinding, spanOf, type Where } from "./where.js";

type Kind = BindingFacts["kind"];
type Annotation = (() => TypeRef | null) | null;
interface ObjectEntry {
  readonly key: string | null;
  readonly computed: Expr | null;
  readonly value: Pattern;
}

/** A declared name or destructuring pattern. `annotation` is that of the whole pattern. */
export function lowerBindingName(
  name: BindingName,
  kind: Kind,
  where: Where,
  annotation: Annotation,
): Pattern {
  const span = spanOf(name, where);
  if (isIdentifier(name)) {
    const ref = bindingOf(name.text, where);
    const id = ref?.to === "binding" ? ref.id : idOf(name, where);
    noteBinding(id, name.text, span, kind, where, annotation);
    return { p: "binding", id, span };
  }
  let rest: Pattern | null = null;
  if (isObjectBindingPattern(name)) {
    const props: ObjectEntry[] = [];
    for (const element of name.elements) {
      const key = propertyKey(element.propertyName ?? element.name, where);
      const value = withDefault(
        lowerBindingName(element.name, kind, where, memberOf(annotation, key.key)),
        element.initializer,
        element,
        where,
      );
      if (element.dotDotDotToken !== undefined) rest = value;
      else props.push({ ...key, value });
    }
    return { p: "object", props, rest, span };
  }
  const items: (Pattern | null)[] = [];
  for (const element of name.elements) {
    if (isOmittedExpression(element)) {
      items.push(null);
      continue;
    }
    const value = withDefault(
      lowerBindingName(element.name, kind, where, null),
      element.initializer,
      element,
      where,
    );
    if (element.dotDotDotToken !== undefined) rest = value;
    else items.push(value);
  }
  return { p: "array", items, rest, span };
}

/** What the annotation of an object says of one of its properties. */
function memberOf(annotation: Annotation, key: string | null): Annotation {
  return annotation === null || key === null ? null : () => annotation()?.members?.[key] ?? null;
}

/** The pattern with its default value, if it has one. */
export function withDefault(
  pattern: Pattern,
  value: Expression | undefined,
  at: Node,
  where: Where,
): Pattern {
  if (value === undefined) return pattern;
  return { p: "default", pattern, value: lowerExpression(value, where), span: spanOf(at, where) };
}

/** A property's key: known by name (also `"x"`, `1` and `["x"]`), or computed. */
export function propertyKey(
  name: PropertyName | BindingName,
  where: Where,
): { key: string | null; computed: Expr | null } {
  if (isComputedPropertyName(name)) {
    const computed = lowerExpression(name.expression, where);
    if (computed.k === "literal" && (computed.type === "string" || computed.type === "number")) {
      return { key: String(computed.value), computed: null };
    }
    const symbol = wellKnownSymbol(computed);
    if (symbol !== null) return { key: symbol, computed: null };
    return { key: null, computed };
  }
  return "text" in name ? { key: name.text, computed: null } : { key: null, computed: null };
}

/** `[Symbol.iterator]` is a known name: iterators and coercions are found by it. */
function wellKnownSymbol(expr: Expr): string | null {
  if (expr.k !== "member" || expr.property === null || expr.object.k !== "name") return null;
  const { ref } = expr.object;
  return ref.to === "global" && ref.name === "Symbol" ? `[Symbol.${expr.property}]` : null;
}

/** The left side of an assignment. */
export function lowerTarget(node: Expression, where: Where): Pattern {
  const span = spanOf(node, where);
  if (isParenthesizedExpression(node)) return lowerTarget(node.expression, where);
  if (CASTS.has(node.kind))
    return lowerTarget((node as Expression & { expression: Expression }).expression, where);
  if (isIdentifier(node)) {
    const ref = bindingOf(node.text, where);
    if (ref?.to === "binding") return { p: "binding", id: ref.id, span };
    return { p: "target", expr: lowerNamed(node.text, node, where), span };
  }
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.EqualsToken) {
    return withDefault(lowerTarget(node.left, where), node.right, node, where);
  }
  if (isObjectLiteralExpression(node)) {
    let rest: Pattern | null = null;
    const props: ObjectEntry[] = [];
    for (const property of node.properties) {
      if (isSpreadAssignment(property)) rest = lowerTarget(property.expression, where);
      else if (isPropertyAssignment(property)) {
        props.push({ ...propertyKey(property.name, where), value: lowerTarget(property.initializer, where) });
      } else if (isShorthandPropertyAssignment(property)) {
        const value = withDefault(
          lowerTarget(property.name, where),
          property.objectAssignmentInitializer,
          property,
          where,
        );
        props.push({ key: property.name.text, computed: null, value });
      }
    }
    return { p: "object", props, rest, span };
  }
  if (isArrayLiteralExpression(node)) {
    let rest: Pattern | null = null;
    const items: (Pattern | null)[] = [];
    for (const element of node.elements) {
      if (isSpreadElement(element)) rest = lowerTarget(element.expression, where);
      else items.push(isOmittedExpression(element) ? null : lowerTarget(element, where));
    }
    return { p: "array", items, rest, span };
  }
  return { p: "target", expr: lowerExpression(node, where), span };
}

const CASTS: ReadonlySet<number> = new Set([
  SyntaxKind.AsExpression,
  SyntaxKind.NonNullExpression,
  SyntaxKind.SatisfiesExpression,
  SyntaxKind.TypeAssertionExpression,
]);
