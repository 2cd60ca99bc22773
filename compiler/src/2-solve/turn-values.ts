import type { Expr, LoopStmt } from "../types.js";
import type { Run } from "./run.js";
import type { Constant } from "./types.js";
import { constantsOf, type Value } from "./value.js";

/** The values that a native loop's own variable takes, turn by turn, when the code says them. */
export interface TurnValues {
  /** Id of the variable's binding. */
  readonly binding: string;
  readonly values: readonly Constant[];
}

/** More turns than that are not written into names. */
const MOST_TURNS = 100;

/**
 * Of `for (let i = 0; i < 3; i++)` and `for (const name of ["a", "b"])`; `null` for any other loop.
 * @param turns as counted; `null` = not known.
 */
export function turnValues(
  run: Run,
  stmt: LoopStmt,
  iterable: Value | null,
  turns: number | null,
): TurnValues | null {
  if (turns === null || turns > MOST_TURNS) return null;
  return iterable === null ? ofCounter(stmt, turns) : ofItems(run, stmt, iterable, turns);
}

function ofCounter(stmt: LoopStmt, turns: number): TurnValues | null {
  const [first] = stmt.init;
  const item = first?.s === "declare" ? first.items[0] : undefined;
  const { update } = stmt;
  if (item?.pattern.p !== "binding" || item.init?.k !== "literal" || update?.k !== "assign") return null;
  if (update.target.p !== "binding" || update.target.id !== item.pattern.id || update.value.k !== "literal")
    return null;
  const [from, step] = [item.init.value, update.value.value];
  if (typeof from !== "number" || typeof step !== "number") return null;
  return { binding: item.pattern.id, values: Array.from({ length: turns }, (_, turn) => from + turn * step) };
}

function ofItems(run: Run, stmt: LoopStmt, iterable: Value, turns: number): TurnValues | null {
  const [only] = iterable.atoms;
  if (stmt.form !== "for-of" || stmt.target?.p !== "binding" || only?.a !== "object") return null;
  const values: Constant[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const cell = only.obj.fields.get(String(turn));
    const constants = cell === undefined ? null : constantsOf(run.read(cell));
    const [value] = constants ?? [];
    if (constants?.length !== 1) return null;
    values.push(value);
  }
  return { binding: stmt.target.id, values };
}

/** The one variable that an expression reads, when it is simple enough to be worked out; else `null`. */
export function turnVariable(expr: Expr | null): string | null {
  const found = new Set<string>();
  return expr !== null && collect(expr, found) && found.size === 1 ? ([...found][0] ?? null) : null;
}

function collect(expr: Expr, found: Set<string>): boolean {
  switch (expr.k) {
    case "literal":
      return true;
    case "name":
      if (expr.ref.to === "binding") found.add(expr.ref.id);
      return expr.ref.to === "binding";
    case "cast":
      return collect(expr.operand, found);
    case "binary":
      return ["+", "-", "*"].includes(expr.op) && collect(expr.left, found) && collect(expr.right, found);
    default:
      return false;
  }
}

/** What such an expression is when its variable has `value`; `undefined` when it is no text or number. */
export function inTurn(expr: Expr, value: Constant): string | number | undefined {
  switch (expr.k) {
    case "literal":
      return textOrNumber(expr.value);
    case "name":
      return textOrNumber(value);
    case "cast":
      return inTurn(expr.operand, value);
    case "binary": {
      const [left, right] = [inTurn(expr.left, value), inTurn(expr.right, value)];
      if (left === undefined || right === undefined) return undefined;
      if (typeof left === "number" && typeof right === "number")
        return expr.op === "+" ? left + right : expr.op === "-" ? left - right : left * right;
      return expr.op === "+" ? `${left}${right}` : undefined;
    }
    default:
      return undefined;
  }
}

const textOrNumber = (value: unknown): string | number | undefined =>
  typeof value === "string" || typeof value === "number" ? value : undefined;
