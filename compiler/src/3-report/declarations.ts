import { fileOf } from "../2-solve/program.js";
import type { Analysis } from "../2-solve/types.js";
import type { BindingId, Expr, FunctionFacts, FunctionId, Pattern } from "../types.js";
import { statementsIn } from "./facts-walk.js";

/** What a variable holds from its declaration on. */
export type Declaration =
  | {
      readonly is: "value";
      readonly init: Expr;
      readonly path: readonly string[];
      readonly constant: boolean;
    }
  | { readonly is: "function"; readonly id: FunctionId };

const indexes = new WeakMap<FunctionFacts, ReadonlyMap<BindingId, Declaration>>();

/**
 * The declaration of a variable, in whatever file it is; `null` for parameters, imports of packages and
 * patterns that can't be followed.
 */
export function declarationOf(analysis: Analysis, id: BindingId): Declaration | null {
  const file = analysis.files.get(fileOf(id));
  const owner = file?.binding(id)?.owner;
  const fn = owner === undefined ? null : file?.function(owner);
  return fn ? (indexOf(fn).get(id) ?? null) : null;
}

function indexOf(fn: FunctionFacts): ReadonlyMap<BindingId, Declaration> {
  const known = indexes.get(fn);
  if (known) return known;
  const found = new Map<BindingId, Declaration>();
  for (const stmt of statementsIn(fn.body)) {
    if (stmt.s === "function") found.set(stmt.binding, { is: "function", id: stmt.id });
    if (stmt.s !== "declare") continue;
    for (const item of stmt.items)
      if (item.init) addPattern(found, item.pattern, item.init, [], stmt.kind === "const");
  }
  indexes.set(fn, found);
  return found;
}

function addPattern(
  found: Map<BindingId, Declaration>,
  pattern: Pattern,
  init: Expr,
  path: readonly string[],
  constant: boolean,
): void {
  if (pattern.p === "binding") found.set(pattern.id, { is: "value", init, path, constant });
  if (pattern.p === "default") addPattern(found, pattern.pattern, init, path, constant);
  if (pattern.p === "object")
    for (const prop of pattern.props)
      if (prop.key !== null) addPattern(found, prop.value, init, [...path, prop.key], constant);
}
