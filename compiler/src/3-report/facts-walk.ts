import type { Expr, Pattern, Stmt } from "../types.js";

/** The expressions directly inside one; bodies of nested functions and classes are not entered. */
export function partsOfExpr(expr: Expr): readonly Expr[] {
  switch (expr.k) {
    case "literal":
    case "name":
    case "this":
    case "super":
    case "function":
    case "class":
      return [];
    case "template":
    case "opaque":
      return expr.parts;
    case "member":
      return expr.computed ? [expr.object, expr.computed] : [expr.object];
    case "call":
      return [expr.callee, ...expr.args.map((arg) => arg.value)];
    case "object":
      return expr.props.flatMap((prop) => (prop.computed ? [prop.computed, prop.value] : [prop.value]));
    case "array":
      return expr.items.map((item) => item.value);
    case "unary":
    case "await":
    case "cast":
      return [expr.operand];
    case "binary":
    case "logical":
      return [expr.left, expr.right];
    case "conditional":
      return [expr.test, expr.then, expr.else];
    case "assign":
      return [...exprsOfPattern(expr.target), expr.value];
    case "yield":
      return expr.operand ? [expr.operand] : [];
    case "sequence":
      return expr.items;
    case "import":
      return [expr.module];
  }
}

function exprsOfPattern(pattern: Pattern): readonly Expr[] {
  switch (pattern.p) {
    case "binding":
      return [];
    case "target":
      return [pattern.expr];
    case "default":
      return [...exprsOfPattern(pattern.pattern), pattern.value];
    case "array":
      return [...pattern.items, pattern.rest].flatMap((item) => (item ? exprsOfPattern(item) : []));
    case "object":
      return [
        ...pattern.props.flatMap((prop) => [
          ...(prop.computed ? [prop.computed] : []),
          ...exprsOfPattern(prop.value),
        ]),
        ...(pattern.rest ? exprsOfPattern(pattern.rest) : []),
      ];
  }
}

/** The statements of a body and of all blocks in it, outer ones first. */
export function* statementsIn(body: readonly Stmt[]): Generator<Stmt> {
  for (const stmt of body) {
    yield stmt;
    for (const block of blocksOfStmt(stmt)) yield* statementsIn(block);
  }
}

function blocksOfStmt(stmt: Stmt): readonly (readonly Stmt[])[] {
  switch (stmt.s) {
    case "if":
      return [stmt.then, stmt.else];
    case "switch":
      return stmt.cases.map((one) => one.body);
    case "loop":
      return [stmt.init, stmt.body];
    case "try":
      return [stmt.block, stmt.handler ?? [], stmt.finalizer ?? []];
    case "block":
      return [stmt.body];
    default:
      return [];
  }
}

/** The expressions that stand directly in a statement. */
function exprsOfStmt(stmt: Stmt): readonly Expr[] {
  switch (stmt.s) {
    case "expr":
      return [stmt.expr];
    case "declare":
      return stmt.items.flatMap((item) => [
        ...exprsOfPattern(item.pattern),
        ...(item.init ? [item.init] : []),
      ]);
    case "return":
      return stmt.value ? [stmt.value] : [];
    case "throw":
      return [stmt.value];
    case "if":
      return [stmt.test];
    case "switch":
      return [stmt.value, ...stmt.cases.flatMap((one) => (one.test ? [one.test] : []))];
    case "loop":
      return [stmt.test, stmt.update, stmt.iterable].filter((expr) => expr !== null);
    default:
      return [];
  }
}

/** An expression and everything in it, outer first. */
export function* exprsIn(expr: Expr): Generator<Expr> {
  yield expr;
  for (const part of partsOfExpr(expr)) yield* exprsIn(part);
}

/** Every expression of a body, nested functions not entered. */
export function* exprsOfBody(body: readonly Stmt[]): Generator<Expr> {
  for (const stmt of statementsIn(body)) for (const expr of exprsOfStmt(stmt)) yield* exprsIn(expr);
}

/** What a body returns, nested functions not entered. */
export function returnsOf(body: readonly Stmt[]): readonly Expr[] {
  return [...statementsIn(body)].flatMap((stmt) => (stmt.s === "return" && stmt.value ? [stmt.value] : []));
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
