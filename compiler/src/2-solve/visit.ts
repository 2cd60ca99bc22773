import type { Expr, Pattern, Stmt } from "../types.js";

/** Calls `look` for every expression in statements, nested ones included; functions' bodies are not entered. */
export function visitStmts(stmts: readonly Stmt[], look: (expr: Expr) => void): void {
  for (const stmt of stmts) visitStmt(stmt, look);
}

function visitStmt(stmt: Stmt, look: (expr: Expr) => void): void {
  switch (stmt.s) {
    case "expr":
      return visitExprs(stmt.expr, look);
    case "declare":
      for (const item of stmt.items) {
        visitExprs(item.pattern, look);
        if (item.init) visitExprs(item.init, look);
      }
      return;
    case "function":
    case "class":
    case "break":
    case "continue":
      return;
    case "return":
      if (stmt.value) visitExprs(stmt.value, look);
      return;
    case "throw":
      return visitExprs(stmt.value, look);
    case "if":
      visitExprs(stmt.test, look);
      visitStmts(stmt.then, look);
      return visitStmts(stmt.else, look);
    case "switch":
      visitExprs(stmt.value, look);
      for (const one of stmt.cases) {
        if (one.test) visitExprs(one.test, look);
        visitStmts(one.body, look);
      }
      return;
    case "loop":
      visitStmts(stmt.init, look);
      for (const expr of [stmt.test, stmt.update, stmt.iterable]) if (expr) visitExprs(expr, look);
      if (stmt.target) visitExprs(stmt.target, look);
      return visitStmts(stmt.body, look);
    case "try":
      visitStmts(stmt.block, look);
      if (stmt.param) visitExprs(stmt.param, look);
      visitStmts(stmt.handler ?? [], look);
      return visitStmts(stmt.finalizer ?? [], look);
    case "block":
      return visitStmts(stmt.body, look);
  }
}

/** The lists of statements that stand directly in a statement, in the order of the text. */
export function blocksOfStmt(stmt: Stmt): readonly (readonly Stmt[])[] {
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

/** Calls `look` for an expression and all in it, outer ones first; functions' bodies are not entered. */
export function visitExprs(at: Expr | Pattern, look: (expr: Expr) => void): void {
  if ("p" in at) {
    switch (at.p) {
      case "binding":
        return;
      case "target":
        return visitExprs(at.expr, look);
      case "object":
        for (const prop of at.props) {
          if (prop.computed) visitExprs(prop.computed, look);
          visitExprs(prop.value, look);
        }
        if (at.rest) visitExprs(at.rest, look);
        return;
      case "array":
        for (const item of at.items) if (item) visitExprs(item, look);
        if (at.rest) visitExprs(at.rest, look);
        return;
      case "default":
        visitExprs(at.pattern, look);
        return visitExprs(at.value, look);
    }
  }
  look(at);
  for (const child of childrenOf(at)) visitExprs(child, look);
}

/** The expressions directly in an expression, in the order in which they are evaluated. */
export function childrenOf(expr: Expr): readonly (Expr | Pattern)[] {
  switch (expr.k) {
    case "literal":
    case "name":
    case "this":
    case "super":
    case "function":
    case "class":
      return [];
    case "template":
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
      return [expr.operand];
    case "binary":
    case "logical":
      return [expr.left, expr.right];
    case "conditional":
      return [expr.test, expr.then, expr.else];
    case "assign":
      return [expr.target, expr.value];
    case "await":
    case "cast":
      return [expr.operand];
    case "yield":
      return expr.operand ? [expr.operand] : [];
    case "sequence":
      return expr.items;
    case "import":
      return [expr.module];
    case "opaque":
      return expr.parts;
  }
}
