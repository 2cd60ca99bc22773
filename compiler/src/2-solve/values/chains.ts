import type { Expr, MemberExpr } from "../../types.js";

/** `a.b.c` → root `a`, steps `.b`, `.c`. */
export interface MemberChain {
  readonly root: Expr;
  readonly steps: readonly MemberExpr[];
}

export function chainOf(expr: MemberExpr): MemberChain {
  const steps: MemberExpr[] = [];
  let at: Expr = expr;
  while (at.k === "member") {
    steps.unshift(at);
    at = at.object;
  }
  return { root: at, steps };
}
