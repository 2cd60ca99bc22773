import type { EntryOperation } from "../2-solve/types.js";
import { bare, statementsIn } from "../3-report/facts-walk.js";
import type { FunctionFacts, Stmt } from "../types.js";

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
  for (const stmt of statementsIn(body)) {
    const call = stmt.s === "expr" ? bare(stmt.expr) : null;
    if (call?.k === "call") starts.add(call.span[0]);
  }
  return starts;
}
