import type { BindingId, Expr, FunctionFacts } from "../types.js";
import { bare, exprsOfBody, statementsIn } from "./facts-walk.js";

const PUTS = new Set(["push", "unshift", "add", "set", "splice"]);

/**
 * Variables of a function whose object can hold itself: `top.children.push({ parent: top })`,
 * `a.next = b; b.prev = a`. Objects are told apart by the variables that name them.
 */
export function cyclesIn(fn: FunctionFacts): ReadonlySet<BindingId> {
  const holds = new Map<BindingId, Set<BindingId>>();
  const put = (into: Expr, value: Expr): void => {
    const owner = rootName(into);
    if (owner === null) return;
    const held = holds.get(owner) ?? new Set();
    for (const part of storedNames(value)) held.add(part);
    holds.set(owner, held);
  };
  for (const stmt of statementsIn(fn.body))
    if (stmt.s === "declare")
      for (const { pattern, init } of stmt.items)
        if (pattern.p === "binding" && init)
          holds.set(pattern.id, new Set([...(holds.get(pattern.id) ?? []), ...storedNames(init)]));
  for (const expr of exprsOfBody(fn.body)) {
    if (expr.k === "assign" && expr.target.p === "target") put(expr.target.expr, expr.value);
    if (expr.k === "call" && expr.callee.k === "member" && PUTS.has(expr.callee.property ?? ""))
      for (const arg of expr.args) put(expr.callee.object, arg.value);
  }
  return new Set([...holds.keys()].filter((id) => reaches(holds, id, id)));
}

/** The variable that an access starts from: `top` of `top.children`. */
function rootName(expr: Expr): BindingId | null {
  const one = bare(expr);
  if (one.k === "member") return rootName(one.object);
  return one.k === "name" && one.ref.to === "binding" ? one.ref.id : null;
}

/** Variables whose objects a literal or name puts in, not those that are only read from. */
function storedNames(expr: Expr): readonly BindingId[] {
  const one = bare(expr);
  if (one.k === "name") return one.ref.to === "binding" ? [one.ref.id] : [];
  if (one.k === "object")
    return one.props.flatMap((prop) => (prop.kind === "value" ? storedNames(prop.value) : []));
  if (one.k === "array") return one.items.flatMap((item) => (item.spread ? [] : storedNames(item.value)));
  if (one.k === "conditional") return [...storedNames(one.then), ...storedNames(one.else)];
  return one.k === "logical" ? [...storedNames(one.left), ...storedNames(one.right)] : [];
}

function reaches(
  holds: ReadonlyMap<BindingId, ReadonlySet<BindingId>>,
  from: BindingId,
  to: BindingId,
): boolean {
  const seen = new Set<BindingId>();
  const open = [...(holds.get(from) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === to) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(holds.get(next) ?? []));
  }
  return false;
}
