import type { AssignExpr, Expr, ObjectExpr } from "../../types.js";
import { assignTo, readTarget } from "./assign.js";
import { awaitValue, isCall } from "./awaits.js";
import { evaluateCall } from "./calls.js";
import { evaluateClass } from "./classes.js";
import { coerce, concat } from "../values/texts.js";
import { contextFromAnnotation } from "./annotations.js";
import { elementOf } from "../values/elements.js";
import { exportsOf } from "./exported.js";
import { guardOf } from "./guards.js";
import { evaluateMember } from "./members.js";
import { readName, resolve } from "./names.js";
import type { Run } from "./run.js";
import type { HeapObject } from "../values/heap.js";
import type { Constant, TraceBlock } from "../types.js";
import {
  BOTTOM,
  constant,
  constantsOf,
  DATA,
  derived,
  join,
  joinAll,
  promise,
  sourceOf,
  truthOf,
  UNDEFINED,
  UNKNOWN,
  valueOf,
  variesWith,
  withEffectsOf,
  type Value,
} from "../values/value.js";

/** What an expression gives; its operations are recorded on the way, in the order of evaluation. */
export function evaluate(run: Run, expr: Expr): Value {
  run.solver.effort.spend(run.act.phase);
  switch (expr.k) {
    case "literal":
      return expr.type === "bigint" || expr.type === "regex" ? DATA : constant(expr.value);
    case "template":
      return concat(
        run,
        expr.quasis.flatMap((text, index) => {
          const part = expr.parts[index];
          return part ? [text, { expr: part, value: coerce(run, part, evaluate(run, part)) }] : [text];
        }),
      );
    case "name":
      return readName(run, expr);
    case "this":
    case "super":
      return readThis(run);
    case "member":
      return evaluateMember(run, expr);
    case "call":
      return evaluateCall(run, expr);
    case "function": {
      const fn = run.solver.program.fn(expr.id);
      if (!fn) return UNKNOWN;
      return valueOf({
        a: "closure",
        key: `f:${fn.id}:${run.act.n}`,
        fn,
        env: run.act,
        self: null,
        bound: [],
      });
    }
    case "class": {
      const cls = run.solver.program.cls(expr.id);
      return cls ? evaluateClass(run, cls) : UNKNOWN;
    }
    case "object":
      return evaluateObject(run, expr);
    case "array": {
      const array = run.solver.object(run.act, run.place(expr.span), "array");
      let index: number | null = 0;
      for (const item of expr.items) {
        const value = evaluate(run, item.value);
        run.at = item.value.span;
        if (item.spread) {
          run.write(array.rest, elementOf(run, value));
          index = null;
        } else if (index === null) run.write(array.rest, value);
        else run.write(array.field(String(index++)), value);
      }
      return valueOf({ a: "object", key: `o:${array.id}`, obj: array });
    }
    case "unary":
      return evaluateUnary(run, expr);
    case "binary":
      return evaluateBinary(run, expr);
    case "logical":
      return evaluateLogical(run, expr);
    case "conditional": {
      const test = evaluate(run, expr.test);
      const truth = expr.test.k === "name" || expr.test.k === "literal" ? truthOf(test) : null;
      if (truth !== null) return evaluate(run, truth ? expr.then : expr.else);
      const values: Value[] = [];
      const arms = [expr.then, expr.else].map((arm) =>
        run.nested(() => void values.push(evaluate(run, arm)), test),
      );
      pushChoice(run, "conditional", expr, expr.test, test, arms);
      const value = withEffectsOf(joinAll(values), test);
      return constantsOf(value) ? join(value, onlyVaries(test)) : value;
    }
    case "assign":
      return evaluateAssign(run, expr);
    case "await": {
      const value = evaluate(run, expr.operand);
      return awaitValue(run, value, expr.span, expr.operand, isCall(expr.operand));
    }
    case "yield": {
      const value = expr.operand ? evaluate(run, expr.operand) : UNDEFINED;
      run.sink(value, "return", expr.span);
      run.write(run.act.yielded, expr.delegate ? elementOf(run, value) : value);
      return UNKNOWN;
    }
    case "sequence": {
      let value = BOTTOM;
      expr.items.forEach((item, index) => {
        value = evaluate(run, item);
        if (index < expr.items.length - 1) run.sink(value, "float", item.span);
      });
      return value;
    }
    case "cast":
      return contextFromAnnotation(run, expr.type, evaluate(run, expr.operand), expr.span);
    case "import": {
      evaluate(run, expr.module);
      const value = expr.ref ? resolve(run, expr.ref) : UNKNOWN;
      return promise(run.origin("settled", expr.span), value);
    }
    case "opaque":
      return derived(...expr.parts.map((part) => evaluate(run, part)));
  }
}

/** `this`: an arrow function has the one of the function around it. */
function readThis(run: Run): Value {
  let act = run.act;
  while (act.function.arrow && act.env) act = act.env;
  return run.read(act.self);
}

const onlyVaries = (test: Value): Value => variesWith(test.varies);

export function pushChoice(
  run: Run,
  form: "conditional" | "logical" | "optional",
  at: Expr,
  test: Expr,
  value: Value,
  arms: readonly TraceBlock[],
): void {
  if (arms.every((arm) => arm.length === 0)) return;
  run.push({ t: "choice", form, place: run.place(at.span), guard: guardOf(run, test, value, null), arms });
}

function evaluateObject(run: Run, expr: ObjectExpr): Value {
  const object = run.solver.object(run.act, run.place(expr.span), "object");
  run.solver.noteLiteral(object, expr);
  const given = new Set<string>();
  for (const prop of expr.props) {
    const computed = prop.computed ? evaluate(run, prop.computed) : null;
    if (prop.kind === "spread") {
      const value = evaluate(run, prop.value);
      spreadInto(run, object, value);
      for (const [name, always] of spreadNames(value)) {
        // `...(fast ? { timeout } : {})`: there may be no such property.
        if (!always && !given.has(name)) run.write(object.field(name), UNDEFINED);
        if (always) given.add(name);
      }
      continue;
    }
    if (prop.key !== null) given.add(prop.key);
    const keys =
      prop.key !== null ? [prop.key] : computed ? (constantsOf(computed)?.map(String) ?? null) : null;
    if (
      (prop.kind === "get" || prop.kind === "set") &&
      prop.value.k === "function" &&
      keys?.[0] !== undefined
    ) {
      const fn = run.solver.program.fn(prop.value.id);
      if (fn) {
        const pair = object.accessors.get(keys[0]) ?? {};
        object.accessors.set(keys[0], { ...pair, [prop.kind]: { fn, env: run.act } });
      }
      continue;
    }
    const value = evaluate(run, prop.value);
    if (keys) for (const key of keys) run.write(object.field(key), value);
    else run.write(object.rest, computed ? join(value, onlyVaries(computed)) : value);
  }
  return valueOf({ a: "object", key: `o:${object.id}`, obj: object });
}

/** The properties that a spread value can have, with whether it has them in any case. */
function spreadNames(value: Value): ReadonlyMap<string, boolean> {
  const objects = value.atoms.flatMap((atom) => (atom.a === "object" ? [atom.obj] : []));
  const only = objects.length === value.atoms.length && !value.data && !value.open;
  const names = new Set(objects.flatMap((object) => [...object.fields.keys()]));
  return new Map(
    [...names].map((name) => [name, only && objects.every((object) => object.fields.has(name))]),
  );
}

/** `{ ...value }` and `Object.assign(object, value)`. */
export function spreadInto(run: Run, object: HeapObject, value: Value): void {
  for (const atom of value.atoms) {
    if (atom.a === "object") {
      for (const [name, cell] of atom.obj.fields) run.write(object.field(name), run.read(cell));
      for (const [name, pair] of atom.obj.accessors)
        if (!object.accessors.has(name)) object.accessors.set(name, pair);
      run.write(object.rest, run.read(atom.obj.rest));
    } else if (atom.a === "namespace") {
      for (const [name, exported] of exportsOf(run, atom.file)) run.write(object.field(name), exported);
    } else if (atom.a !== "const") run.write(object.rest, derived(valueOf(atom)));
  }
  if (value.data || value.open) run.write(object.rest, derived(value));
  // `...(weekend ? { extra } : {})`: which properties there are hangs on an effect.
  else if (value.effects.length > 0 && value.atoms.length > 1) run.write(object.rest, sourceOf(value));
}

function evaluateUnary(run: Run, expr: Extract<Expr, { k: "unary" }>): Value {
  const value = evaluate(run, expr.operand);
  if (expr.op === "void") {
    run.sink(value, "void", expr.span);
    return UNDEFINED;
  }
  if (expr.op === "delete" && expr.operand.k === "member") return readTarget(run, expr.operand, "delete");
  if (expr.op === "!") {
    const truth = truthOf(value);
    return truth === null ? derived(value) : constant(!truth);
  }
  const constants = constantsOf(value);
  const only = constants?.length === 1 && value.varies.length === 0 ? constants[0] : undefined;
  if (expr.op === "-" && typeof only === "number") return constant(-only);
  if (expr.op === "+" || expr.op === "-" || expr.op === "~") coerce(run, expr.operand, value);
  return derived(value);
}

function evaluateBinary(run: Run, expr: Extract<Expr, { k: "binary" }>): Value {
  const left = evaluate(run, expr.left);
  const right = evaluate(run, expr.right);
  if (expr.op === "+") {
    const isText = (value: Value): boolean =>
      value.atoms.some(
        (atom) => (atom.a === "const" && typeof atom.value === "string") || atom.a === "pattern",
      );
    const a = coerce(run, expr.left, left);
    const b = coerce(run, expr.right, right);
    if (isText(a) || isText(b))
      return concat(run, [
        { expr: expr.left, value: a },
        { expr: expr.right, value: b },
      ]);
  } else if (!["===", "!==", "in", "instanceof"].includes(expr.op)) {
    coerce(run, expr.left, left);
    coerce(run, expr.right, right);
  }
  const a = single(left);
  const b = single(right);
  if (a && b) {
    if (expr.op === "===" || expr.op === "==") return constant(a.value === b.value);
    if (expr.op === "!==" || expr.op === "!=") return constant(a.value !== b.value);
    if (typeof a.value === "number" && typeof b.value === "number" && expr.op === "*")
      return constant(a.value * b.value);
  }
  return derived(left, right);
}

function single(value: Value): { readonly value: Constant } | null {
  const constants = value.varies.length === 0 ? constantsOf(value) : null;
  return constants?.length === 1 ? { value: constants[0] } : null;
}

function evaluateLogical(run: Run, expr: Extract<Expr, { k: "logical" }>): Value {
  const left = evaluate(run, expr.left);
  const truth = expr.left.k === "literal" || expr.left.k === "name" ? truthOf(left) : null;
  const nullish = expr.op === "??" && !mayBeMissing(expr.left) ? isNullish(left) : null;
  if (expr.op === "&&" && truth === false) return left;
  if (expr.op === "||" && truth === true) return left;
  if (expr.op === "??" && nullish === false) return left;
  let right: Value = BOTTOM;
  const arm = run.nested(() => void (right = evaluate(run, expr.right)), left);
  if ((expr.op === "&&" && truth === true) || (expr.op === "||" && truth === false) || nullish === true) {
    for (const node of arm) run.push(node);
    return right;
  }
  const arms = expr.op === "&&" ? [arm, []] : [[], arm];
  pushChoice(run, "logical", expr, expr.left, left, arms);
  return join(withoutNullish(left, expr.op), right);
}

/** `handlers[kind]`, `rates.get(code)`: what a collection holds does not tell that it holds it under this key. */
function mayBeMissing(expr: Expr): boolean {
  if (expr.k === "cast" || expr.k === "await") return mayBeMissing(expr.operand);
  if (expr.k === "member") return expr.property === null;
  return expr.k === "call" && expr.callee.k === "member" && LOOKUPS.has(expr.callee.property ?? "");
}
const LOOKUPS: ReadonlySet<string> = new Set(["get", "at", "find", "findLast", "pop", "shift"]);

/** Whether it can be nothing: `null` = perhaps. */
function isNullish(value: Value): boolean | null {
  if (value.open || value.data || value.atoms.length === 0) return null;
  const nothing = value.atoms.map((atom) =>
    atom.a === "const"
      ? atom.value === null || atom.value === undefined
      : atom.a === "recorded"
        ? null
        : false,
  );
  if (nothing.every((one) => one === true)) return true;
  return nothing.every((one) => one === false) ? false : null;
}

function withoutNullish(value: Value, op: "&&" | "||" | "??"): Value {
  if (op === "&&")
    return value.atoms.some((atom) => atom.a !== "const") || value.open || value.data
      ? derived(value)
      : value;
  const atoms = value.atoms.filter(
    (atom) => !(atom.a === "const" && (atom.value === null || atom.value === undefined)),
  );
  return atoms.length === value.atoms.length
    ? value
    : joinAll([
        ...atoms.map(valueOf),
        ...(value.open || value.data ? [derived(value)] : []),
        ...(value.open ? [UNKNOWN] : []),
      ]);
}

function evaluateAssign(run: Run, expr: AssignExpr): Value {
  if (expr.op === "=") {
    const naming = run.naming;
    if (expr.target.p === "binding") run.naming = run.solver.program.binding(expr.target.id)?.name ?? null;
    const value = evaluate(run, expr.value);
    run.naming = naming;
    assignTo(run, expr.target, value);
    return value;
  }
  const target: Expr | null =
    expr.target.p === "target"
      ? expr.target.expr
      : expr.target.p === "binding"
        ? {
            k: "name",
            name: run.solver.program.binding(expr.target.id)?.name ?? "",
            ref: { to: "binding", id: expr.target.id },
            span: expr.target.span,
          }
        : null;
  const before = target ? readTarget(run, target, "update") : UNKNOWN;
  if (expr.op === "&&=" || expr.op === "||=" || expr.op === "??=") {
    let value: Value = BOTTOM;
    const arm = run.nested(() => {
      value = evaluate(run, expr.value);
      assignTo(run, expr.target, value);
    });
    pushChoice(run, "logical", expr, target ?? expr.value, before, expr.op === "&&=" ? [arm, []] : [[], arm]);
    return join(before, value);
  }
  const added = evaluate(run, expr.value);
  const isText = [before, added].some((value) =>
    value.atoms.some(
      (atom) => (atom.a === "const" && typeof atom.value === "string") || atom.a === "pattern",
    ),
  );
  // A text that grows has no pattern: only where it comes from is kept.
  const value = isText && run.loops.length === 0 ? derived(before, added) : derived(before, added);
  assignTo(run, expr.target, value);
  return value;
}
