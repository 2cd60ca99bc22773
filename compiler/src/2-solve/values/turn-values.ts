import type { Expr, LoopStmt, Stmt } from "../../types.js";
import type { Run } from "../evaluate/run.js";
import type { Constant } from "../types.js";
import { constantsOf, type Value } from "./value.js";

/** The values that a native loop's own variable takes, turn by turn, when the code says them. */
export interface TurnValues {
  /** Id of the variable's binding. */
  readonly binding: string;
  readonly values: readonly TurnValue[];
}

/** Of a table of objects, the properties whose values the code says: `{ name: "clean", run: … }`. */
type TurnValue = Constant | ReadonlyMap<string, Constant>;

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
  const values: TurnValue[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const cell = only.obj.fields.get(String(turn));
    if (cell === undefined) return null;
    const value = run.read(cell);
    const known = onlyConstant(value);
    const fields = known ? null : fieldsOf(run, value);
    if (!known && !fields) return null;
    values.push(known ? known.is : fields);
  }
  return { binding: stmt.target.id, values };
}

function onlyConstant(value: Value): { readonly is: Constant } | null {
  const constants = constantsOf(value);
  return constants?.length === 1 ? { is: constants[0] } : null;
}

function fieldsOf(run: Run, value: Value): ReadonlyMap<string, Constant> | null {
  const [atom, ...more] = value.atoms;
  if (atom?.a !== "object" || more.length > 0 || value.open || value.data) return null;
  const fields = new Map<string, Constant>();
  for (const [name, cell] of atom.obj.fields) {
    const known = onlyConstant(run.read(cell));
    if (known) fields.set(name, known.is);
  }
  return fields;
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
    case "member":
      return expr.property !== null && expr.object.k === "name" && collect(expr.object, found);
    case "binary":
      return ["+", "-", "*"].includes(expr.op) && collect(expr.left, found) && collect(expr.right, found);
    default:
      return false;
  }
}

/** What such an expression is when its variable has `value`; `undefined` when it is no text or number. */
export function inTurn(expr: Expr, value: TurnValue | undefined): string | number | undefined {
  switch (expr.k) {
    case "literal":
      return textOrNumber(expr.value);
    case "name":
      return textOrNumber(value);
    case "member":
      return textOrNumber(isFields(value) ? value.get(expr.property ?? "") : undefined);
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

type Cases = Extract<Stmt, { s: "switch" }>["cases"];

/** The arm of an `if` (0 = then) or `switch` that is taken when a variable has a value; `null` = that can't be told. */
export function armInTurn(
  test: Expr | null,
  cases: Cases | null,
  binding: string,
  value: TurnValue | undefined,
): number | null {
  if (test === null) return null;
  if (cases === null) {
    const truth = holdsInTurn(test, binding, value);
    return truth === null ? null : truth ? 0 : 1;
  }
  const asked = valueInTurn(test, binding, value);
  if (asked === null) return null;
  for (const [index, one] of cases.entries()) {
    if (one.test === null) continue;
    const label = valueInTurn(one.test, binding, value);
    if (label === null) return null;
    if (label.is === asked.is) return index;
  }
  const rest = cases.findIndex((one) => one.test === null);
  return rest < 0 ? cases.length : rest;
}

function holdsInTurn(test: Expr, binding: string, value: TurnValue | undefined): boolean | null {
  if (test.k === "unary" && test.op === "!") {
    const inner = holdsInTurn(test.operand, binding, value);
    return inner === null ? null : !inner;
  }
  if (test.k === "logical" && test.op !== "??") {
    const [left, right] = [holdsInTurn(test.left, binding, value), holdsInTurn(test.right, binding, value)];
    const decides = test.op === "||";
    if (left === decides || right === decides) return decides;
    return left === null || right === null ? null : !decides;
  }
  if (test.k !== "binary") return null;
  const left = valueInTurn(test.left, binding, value);
  const right = valueInTurn(test.right, binding, value);
  return left === null || right === null ? null : compared(test.op, left.is, right.is);
}

function compared(op: string, left: Constant, right: Constant): boolean | null {
  if (op === "===" || op === "!==") return (left === right) === (op === "===");
  if (typeof left !== typeof right || left === null || right === null) return null;
  if (op === "==" || op === "!=") return (left === right) === (op === "==");
  if (left === undefined || right === undefined) return null;
  if (op === "<") return left < right;
  if (op === "<=") return left <= right;
  if (op === ">") return left > right;
  return op === ">=" ? left >= right : null;
}

const isVariable = (expr: Expr, binding: string): boolean =>
  expr.k === "name" && expr.ref.to === "binding" && expr.ref.id === binding;
const isFields = (value: TurnValue | undefined): value is ReadonlyMap<string, Constant> =>
  value instanceof Map;

/** A literal, the variable itself, a property of it, or its remainder (`i % 2`). */
function valueInTurn(
  expr: Expr,
  binding: string,
  value: TurnValue | undefined,
): { readonly is: Constant } | null {
  if (expr.k === "literal")
    return expr.type === "regex" || expr.type === "bigint" ? null : { is: expr.value };
  if (expr.k === "cast") return valueInTurn(expr.operand, binding, value);
  if (expr.k === "name") return isVariable(expr, binding) && !isFields(value) ? { is: value } : null;
  if (expr.k === "member")
    return isVariable(expr.object, binding) && isFields(value) && value.has(expr.property ?? "")
      ? { is: value.get(expr.property ?? "") }
      : null;
  if (expr.k !== "binary" || !["%", "+", "-", "*"].includes(expr.op)) return null;
  const left = valueInTurn(expr.left, binding, value);
  const right = valueInTurn(expr.right, binding, value);
  if (typeof left?.is !== "number" || typeof right?.is !== "number") return null;
  const [a, b] = [left.is, right.is];
  return { is: expr.op === "%" ? a % b : expr.op === "+" ? a + b : expr.op === "-" ? a - b : a * b };
}
