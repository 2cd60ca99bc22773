import { blocksOfStmt, visitExprs, visitStmts } from "../2-solve/visit.js";
import type { Expr, Stmt } from "../types.js";

// Many rules look at the same bodies.
const statements = new WeakMap<readonly Stmt[], readonly Stmt[]>();
const expressions = new WeakMap<readonly Stmt[], readonly Expr[]>();

/** The statements of a body and of all blocks in it, outer ones first. */
export function statementsIn(body: readonly Stmt[]): readonly Stmt[] {
  let found = statements.get(body);
  if (found === undefined) {
    const all: Stmt[] = [];
    addStatements(body, all);
    statements.set(body, (found = all));
  }
  return found;
}

function addStatements(body: readonly Stmt[], to: Stmt[]): void {
  for (const stmt of body) {
    to.push(stmt);
    for (const block of blocksOfStmt(stmt)) addStatements(block, to);
  }
}

/** An expression and everything in it, outer first; nested functions not entered. */
export function exprsIn(expr: Expr): readonly Expr[] {
  const found: Expr[] = [];
  visitExprs(expr, (one) => found.push(one));
  return found;
}

/** Every expression of a body, nested functions not entered. */
export function exprsOfBody(body: readonly Stmt[]): readonly Expr[] {
  let found = expressions.get(body);
  if (found === undefined) {
    const all: Expr[] = [];
    visitStmts(body, (one) => all.push(one));
    expressions.set(body, (found = all));
  }
  return found;
}

/** What a body returns, nested functions not entered. */
export function returnsOf(body: readonly Stmt[]): readonly Expr[] {
  return statementsIn(body).flatMap((stmt) => (stmt.s === "return" && stmt.value ? [stmt.value] : []));
}

/** Without `await`, casts and `void`. */
export function bare(expr: Expr): Expr {
  if (expr.k === "await" || expr.k === "cast") return bare(expr.operand);
  if (expr.k === "unary" && expr.op === "void") return bare(expr.operand);
  return expr;
}

/** `a.b.c` as `["a", "b", "c"]`; `null` for anything that is not names and known properties. */
export function dotted(expr: Expr): readonly string[] | null {
  const inner = bare(expr);
  if (inner.k === "name") return [inner.name];
  if (inner.k === "this") return ["this"];
  if (inner.k !== "member" || inner.property === null) return null;
  const object = dotted(inner.object);
  return object && [...object, inner.property];
}

/** True when the first span lies in the second. */
export function within(inner: readonly [number, number], outer: readonly [number, number]): boolean {
  return inner[0] >= outer[0] && inner[1] <= outer[1];
}
