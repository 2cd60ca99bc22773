import type { Identifier, Node } from "../host/syntax.js";
import type { Expr, Ref } from "../types.js";
import { LazyMember } from "./lazy-facts.js";
import { nameExpr, spanOf, type Where } from "./where.js";

/** What an identifier stands for. */
export function lowerName(node: Identifier, where: Where): Expr {
  return lowerNamed(node.text, node, where);
}

/** A name that stands at `node` (an identifier, or the name of a shorthand property). */
export function lowerNamed(name: string, node: Node, where: Where): Expr {
  const span = spanOf(node, where);
  if (name === "") return { k: "opaque", what: "missing", parts: [], span };
  const named = where.scope.value(name);
  if (named === null && where.file.table.commonJs && (name === "exports" || name === "module")) {
    // What is assigned to them is in the table; as values of their own they do nothing.
    return { k: "opaque", what: name, parts: [], span };
  }
  if (named === null) return nameExpr(name, { to: "global", name }, span);
  if (named.as !== "member") return nameExpr(name, where.file.names.named(named, where.file.path), span);
  const object = nameExpr(named.ofName, { to: "binding", id: named.of }, span);
  return new LazyMember(span, object, named.name, null, false, span, null, null);
}

/** The binding that a declared or assigned name stands for; `null` when it is none of the program's. */
export function bindingOf(name: string, where: Where): Ref | null {
  const named = where.scope.value(name);
  if (named === null || named.as === "member") return null;
  return where.file.names.named(named, where.file.path);
}
