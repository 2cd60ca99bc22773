import type { EnumDeclaration } from "../host/syntax.js";
import type { Expr, PropFacts, Stmt } from "../types.js";
import { lowerExpression } from "./lower-expression.js";
import { propertyKey } from "./lower-pattern.js";
import { idOf, inside, noteBinding, spanOf, type Where } from "./where.js";

/** An enum is a constant object; members without a value count on from the one before. */
export function lowerEnum(node: EnumDeclaration, where: Where): Stmt {
  const span = spanOf(node, where);
  const nameSpan = spanOf(node.name, where);
  const named = where.scope.value(node.name.text);
  const id = named?.as === "binding" ? named.id : idOf(node.name, where);
  noteBinding(id, node.name.text, nameSpan, "enum", where, null);
  const inner = inside(where);
  let next: number | null = 0;
  const props = node.members.map((member): PropFacts => {
    const { key, computed } = propertyKey(member.name, inner);
    const at = spanOf(member, where);
    const value: Expr =
      member.initializer === undefined
        ? { k: "literal", value: next, type: next === null ? "null" : "number", span: at }
        : lowerExpression(member.initializer, inner);
    next = value.k === "literal" && typeof value.value === "number" ? value.value + 1 : null;
    if (key !== null)
      inner.scope.values.set(key, { as: "member", of: id, ofName: node.name.text, name: key });
    return { kind: "value", key, computed, value, span: at, type: null };
  });
  const init: Expr = { k: "object", props, span };
  return {
    s: "declare",
    kind: "const",
    items: [{ pattern: { p: "binding", id, span: nameSpan }, init }],
    span,
  };
}
