import type { EntryOperation } from "../2-solve/types.js";
import type { Expr, FunctionFacts, Stmt } from "../types.js";

/** Starts of the calls whose result no code looks at, per function. */
const STARTS = new WeakMap<FunctionFacts, ReadonlySet<number>>();

/** True when the entry is a statement of its own (`await ctx.step(…);`), so that nobody reads its result. */
export function isResultDiscarded(op: EntryOperation): boolean {
  const fn = op.activation.function;
  let starts = STARTS.get(fn);
  if (starts === undefined) STARTS.set(fn, (starts = discardedCalls(fn.body)));
  return starts.has(op.place.span[0]);
}

function discardedCalls(body: readonly Stmt[]): ReadonlySet<number> {
  const starts = new Set<number>();
  const walk = (stmts: readonly Stmt[]): void => {
    for (const stmt of stmts) {
      if (stmt.s === "expr") {
        const call = withoutAwait(stmt.expr);
        if (call.k === "call") starts.add(call.span[0]);
      }
      nested(stmt).forEach(walk);
    }
  };
  walk(body);
  return starts;
}

function withoutAwait(expr: Expr): Expr {
  if (expr.k === "await" || expr.k === "cast") return withoutAwait(expr.operand);
  return expr.k === "unary" && expr.op === "void" ? withoutAwait(expr.operand) : expr;
}

function nested(stmt: Stmt): readonly (readonly Stmt[])[] {
  switch (stmt.s) {
    case "if":
      return [stmt.then, stmt.else];
    case "switch":
      return stmt.cases.map((one) => one.body);
    case "loop":
    case "block":
      return [stmt.body];
    case "try":
      return [stmt.block, stmt.handler ?? [], stmt.finalizer ?? []];
    default:
      return [];
  }
}
