import type { CallOperation, EntryOperation, SkeletonEntry } from "../../2-solve/types.js";
import { fileOf } from "../../2-solve/program.js";
import { blocksOfStmt } from "../../2-solve/visit.js";
import type { BindingId, Expr, Place, Stmt } from "../../types.js";
import { exprsOfBody, statementsIn, within } from "../facts-walk.js";

/** A variable that lets an entry, or a call that leads to it, run only once. */
export interface OnceGuard {
  readonly variable: BindingId;
  readonly around: EntryOperation | CallOperation;
}

/** @param from calls before that one are left out: those that lead to the loop or scope in question. */
export function onceGuards({ op, calls }: SkeletonEntry, from = 0): readonly OnceGuard[] {
  return [...calls.slice(from), op].flatMap((around) => {
    const variable = guardAround(around);
    return variable === null ? [] : [{ variable, around }];
  });
}

/**
 * The variable that lets an operation run only once: `token ??= await ctx.step(…)`, `if (token === null) token = await
 * ctx.step(…)`, `if (!done) { await ctx.step(…); done = true; }`. `null` = there is none.
 */
function guardAround({ activation, place }: EntryOperation | CallOperation): BindingId | null {
  const { body, file } = activation.function;
  if (place.file !== file) return null;
  for (const expr of exprsOfBody(body))
    if (
      expr.k === "assign" &&
      (expr.op === "??=" || expr.op === "||=") &&
      expr.target.p === "binding" &&
      within(place.span, expr.value.span)
    )
      return expr.target.id;
  for (const stmt of statementsIn(body)) {
    if (stmt.s !== "if" || !stmt.then.some((inner) => within(place.span, inner.span))) continue;
    const variable = testedForNothing(stmt.test);
    if (variable !== null && stmt.then.some((inner) => assigns(inner, variable))) return variable;
  }
  return null;
}

/** True when the variable keeps its value from one turn of the loop to the next. */
export function outlivesTurns({ variable }: Pick<OnceGuard, "variable">, loop: Place): boolean {
  const file = fileOf(variable);
  const offset = Number(variable.slice(file.length + 1));
  return file !== loop.file || offset < loop.span[0] || offset >= loop.span[1];
}

/** True when the variable belongs to a function around the entry's own, so that several calls share it. */
export function isShared({ variable, around }: OnceGuard): boolean {
  const { span, file } = around.activation.function;
  return outlivesTurns({ variable }, { file, span });
}

/** `!x`, `x === null`, `x == undefined`, `undefined === x` */
function testedForNothing(test: Expr): BindingId | null {
  if (test.k === "unary" && test.op === "!") return variableOf(test.operand);
  if (test.k !== "binary" || (test.op !== "===" && test.op !== "==")) return null;
  if (isNothing(test.right)) return variableOf(test.left);
  return isNothing(test.left) ? variableOf(test.right) : null;
}

const variableOf = (expr: Expr): BindingId | null =>
  expr.k === "name" && expr.ref.to === "binding" ? expr.ref.id : null;

const isNothing = (expr: Expr): boolean =>
  (expr.k === "literal" && (expr.value === null || expr.value === false)) ||
  (expr.k === "name" && expr.ref.to === "global" && expr.name === "undefined");

/** `x = …` as a statement that is reached whenever the block is. */
function assigns(stmt: Stmt, variable: BindingId): boolean {
  if (stmt.s === "block")
    return blocksOfStmt(stmt)
      .flat()
      .some((inner) => assigns(inner, variable));
  if (stmt.s !== "expr" || stmt.expr.k !== "assign" || stmt.expr.op !== "=") return false;
  return stmt.expr.target.p === "binding" && stmt.expr.target.id === variable;
}
