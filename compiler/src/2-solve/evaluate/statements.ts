import type { Expr, LoopStmt, Pattern, Stmt } from "../../types.js";
import { awaitValue } from "./awaits.js";
import { capturedIn } from "./captured.js";
import { elementOf } from "../values/elements.js";
import { evaluate } from "./expressions.js";
import { guardOf } from "./guards.js";
import { describeHandler } from "./handlers.js";
import { contextsIn, infoOf } from "../values/infos.js";
import { printExpr } from "../values/print.js";
import { bind } from "./patterns.js";
import type { Run } from "./run.js";
import type { ExitTrace, GuardInfo, TraceBlock } from "../types.js";
import {
  BOTTOM,
  constantsOf,
  DATA,
  derived,
  join,
  truthOf,
  UNDEFINED,
  UNKNOWN,
  valueOf,
  variesWith,
  withVaries,
  type Value,
} from "../values/value.js";
import { surelyExits, withoutDead } from "../skeleton/exits.js";
import { turnValues } from "../values/turn-values.js";
import { visitExprs, visitStmts } from "../visit.js";

/**
 * Executes statements in order.
 * @returns false when control can't reach the end.
 */
export function execute(run: Run, stmts: readonly Stmt[]): boolean {
  for (const stmt of stmts) if (!executeOne(run, stmt)) return false;
  return true;
}

function executeOne(run: Run, stmt: Stmt): boolean {
  run.at = stmt.span;
  switch (stmt.s) {
    case "expr": {
      const value = evaluate(run, stmt.expr);
      if (stmt.expr.k !== "assign") run.sink(value, "float", stmt.expr.span);
      return true;
    }
    case "declare":
      for (const item of stmt.items) declare(run, stmt.kind, item);
      return true;
    case "function": {
      const fn = run.solver.program.fn(stmt.id);
      if (fn)
        run.write(
          run.act.variable(stmt.binding),
          valueOf({ a: "closure", key: `f:${fn.id}:${run.act.n}`, fn, env: run.act, self: null, bound: [] }),
        );
      return true;
    }
    case "class":
      run.write(run.act.variable(stmt.binding), evaluate(run, { k: "class", id: stmt.id, span: stmt.span }));
      return true;
    case "return": {
      const value = stmt.value ? evaluate(run, stmt.value) : UNDEFINED;
      if (stmt.value) {
        run.sink(value, "return", stmt.value.span);
        noteReturned(run, value, stmt.value);
      }
      run.write(run.act.result, value);
      exit(run, "return", stmt.span, stmt.value ? infoOf(run, stmt.value, value) : null, 0);
      return false;
    }
    case "throw": {
      const value = evaluate(run, stmt.value);
      exit(run, "throw", stmt.span, infoOf(run, stmt.value, value), 0);
      return false;
    }
    case "if": {
      const test = evaluate(run, stmt.test);
      const truth = isFixed(stmt.test) ? truthOf(test) : null;
      if (truth !== null) return execute(run, truth ? stmt.then : stmt.else);
      let falls = false;
      const arms = [stmt.then, stmt.else].map((arm) =>
        run.nested(() => {
          if (execute(run, arm)) falls = true;
        }, test),
      );
      choice(run, "if", stmt, stmt.test, test, arms);
      return falls;
    }
    case "switch":
      return executeSwitch(run, stmt);
    case "loop":
      return executeLoop(run, stmt);
    case "try":
      return executeTry(run, stmt);
    case "block": {
      if (stmt.label === null) return execute(run, stmt.body);
      run.jumps.push({ label: stmt.label, kind: "block" });
      const body = run.nested(() => void execute(run, stmt.body));
      run.jumps.pop();
      if (body.length > 0) run.push({ t: "block", place: run.place(stmt.span), body });
      return true;
    }
    case "break":
    case "continue": {
      const depth = depthOf(run, stmt.label, stmt.s);
      exit(run, stmt.s, stmt.span, null, depth);
      return false;
    }
  }
}

/** Names and literals can't change behind our back: only such tests decide which arm is dead. */
function isFixed(test: Expr): boolean {
  switch (test.k) {
    case "literal":
    case "name":
      return true;
    case "unary":
      return test.op === "!" && isFixed(test.operand);
    case "binary":
      return ["===", "!==", "==", "!="].includes(test.op) && isFixed(test.left) && isFixed(test.right);
    default:
      return false;
  }
}

function declare(
  run: Run,
  kind: "const" | "let" | "var" | "using" | "await using",
  item: { readonly pattern: Pattern; readonly init: Expr | null },
): void {
  const naming = run.naming;
  if (item.pattern.p === "binding") run.naming = run.solver.program.binding(item.pattern.id)?.name ?? null;
  const value = item.init ? evaluate(run, item.init) : kind === "var" ? null : UNDEFINED;
  run.naming = naming;
  if (value) bind(run, item.pattern, value, "declare");
  else if (item.pattern.p === "binding") run.write(run.act.variable(item.pattern.id), UNDEFINED);
}

/** The callback of a scope gives its own context away. */
function noteReturned(run: Run, value: Value, expr: Expr): void {
  const { scope } = run.act;
  if (scope?.callback !== run.act.function.id) return;
  const [captured] = capturedIn(run, value).filter((each) => each.scope.id === scope.id);
  if (captured)
    run.record({
      kind: "escape",
      ...run.base(run.place(expr.span)),
      context: captured,
      how: "returned",
      into: "",
    });
  const [own] = contextsIn(value, 2).filter((each) => each.id === scope.id);
  if (own)
    run.record({
      kind: "escape",
      ...run.base(run.place(expr.span)),
      context: { scope: own, text: printExpr(run, expr) },
      how: "returned",
      into: "",
    });
}

function exit(
  run: Run,
  how: ExitTrace["how"],
  span: readonly [number, number],
  value: ExitTrace["value"],
  depth: number,
): void {
  run.push({ t: "exit", how, depth, place: run.place(span), value });
}

/** Enclosing repeats and blocks to leave, innermost = 0. */
function depthOf(run: Run, label: string | null, how: "break" | "continue"): number {
  const jumps = run.jumps;
  for (let index = jumps.length - 1; index >= 0; index -= 1) {
    const jump = jumps[index];
    if (!jump) continue;
    if (
      label !== null
        ? jump.label === label
        : jump.kind === "repeat" || (how === "break" && jump.label === "switch")
    )
      return jumps.length - 1 - index;
  }
  return 0;
}

function choice(
  run: Run,
  form: "if" | "switch",
  stmt: { readonly span: readonly [number, number] },
  test: Expr,
  value: Value,
  arms: readonly TraceBlock[],
): void {
  if (arms.every((arm) => arm.length === 0)) return;
  run.push({ t: "choice", form, place: run.place(stmt.span), guard: guardOf(run, test, value, null), arms });
}

function executeSwitch(run: Run, stmt: Extract<Stmt, { s: "switch" }>): boolean {
  const value = evaluate(run, stmt.value);
  const jump = { label: stmt.label ?? "switch", kind: "block" as const };
  run.jumps.push(jump);
  const blocks = stmt.cases.map((one) => {
    if (one.test) evaluate(run, one.test);
    return run.nested(() => void execute(run, one.body), value);
  });
  run.jumps.pop();
  const arms: TraceBlock[] = blocks.map((_, index) => {
    const arm: TraceBlock[] = [];
    for (const block of blocks.slice(index)) {
      arm.push(block);
      if (surelyExits(block)) break;
    }
    return arm.flat();
  });
  // Types are asked only where it matters: when no arm goes on behind the switch.
  const hasDefault =
    stmt.cases.some((one) => one.test === null) ||
    (arms.every((arm) => surelyExits(arm) && !leavesBlock(arm)) && stmt.exhaustive === true);
  if (!hasDefault) arms.push([]);
  if (arms.some((arm) => arm.length > 0))
    run.push({
      t: "block",
      place: run.place(stmt.span),
      body: [
        {
          t: "choice",
          form: "switch",
          place: run.place(stmt.span),
          guard: guardOf(run, stmt.value, value, stmt.cases),
          arms,
        },
      ],
    });
  return !arms.every((arm) => surelyExits(arm) && !leavesBlock(arm));
}

const leavesBlock = (arm: TraceBlock): boolean =>
  arm.some(
    (node) =>
      (node.t === "exit" && node.how === "break" && node.depth === 0) ||
      (node.t === "choice" && node.arms.some(leavesBlock)) ||
      (node.t === "try" &&
        [node.block, node.handler?.body ?? [], node.finalizer?.body ?? []].some(leavesBlock)),
  );

function executeLoop(run: Run, stmt: LoopStmt): boolean {
  execute(run, stmt.init);
  const key = `${run.act.n}:${stmt.span[0]}`;
  const iterable = stmt.iterable ? evaluate(run, stmt.iterable) : null;
  const outer = run.loops;
  run.loops = [...outer, key];
  run.jumps.push({ label: stmt.label, kind: "repeat" });
  markVarying(run, stmt, key);
  let test: Value | null = null;
  const body = run.nested(() => {
    if (stmt.test && stmt.form !== "do") test = evaluate(run, stmt.test);
    if (stmt.target && iterable) {
      const items = stmt.form === "for-in" ? keysOf(iterable) : elementOf(run, iterable);
      const item = stmt.form === "for-await" ? awaitValue(run, items, stmt.span, stmt.iterable) : items;
      bind(run, stmt.target, withVaries(item, [key, ...iterable.varies]), "declare");
    }
    execute(run, stmt.body);
    if (stmt.test && stmt.form === "do") test = evaluate(run, stmt.test);
    if (stmt.update) evaluate(run, stmt.update);
  });
  run.jumps.pop();
  run.loops = outer;
  const single = (surelyExits(body) && !continues(body, 0)) || isFalse(stmt, test);
  const endless =
    !single &&
    stmt.iterable === null &&
    (stmt.test === null || (isFixed(stmt.test) && test !== null && truthOf(test) === true));
  const guardExpr = stmt.test ?? stmt.iterable;
  const counted = turns(run, stmt, iterable);
  const guard = guardOf(run, guardExpr, test ?? iterable ?? UNDEFINED, null);
  if (body.length > 0)
    run.push({
      t: "repeat",
      place: run.place(stmt.span),
      loop: key,
      form: stmt.form,
      guard: counted === null ? guard : certain(guard),
      times: single ? 1 : counted,
      turnValues: single ? null : turnValues(run, stmt, iterable, counted),
      endless,
      body: withoutDead(body),
    });
  return !(endless && !breaksOut(body, 0));
}

const keysOf = (value: Value): Value => derived(value);

/** Variables that a loop assigns are another value in each turn, from the first one on. */
function markVarying(run: Run, stmt: LoopStmt, loop: string): void {
  const mark = (expr: Expr): void => {
    if (expr.k !== "assign" || expr.target.p !== "binding") return;
    const { id } = expr.target;
    const found = run.solver.variable(run.act, id);
    if (found?.owner !== run.act || !declaredOutside(run, id, stmt)) return;
    run.write(found.cell, join(expr.op === "=" ? BOTTOM : DATA, variesWith([loop])));
  };
  visitStmts(stmt.body, mark);
  for (const expr of [stmt.test, stmt.update]) if (expr) visitExprs(expr, mark);
}

/** Declared before the loop, or in its head. */
function declaredOutside(run: Run, id: string, stmt: LoopStmt): boolean {
  const binding = run.solver.program.binding(id);
  if (!binding) return false;
  const [from, to] = binding.span;
  const inside = from >= stmt.span[0] && to <= stmt.span[1];
  return !inside || stmt.init.some((one) => from >= one.span[0] && to <= one.span[1]);
}

/** `do { … } while (false)` */
const isFalse = (stmt: LoopStmt, test: Value | null): boolean =>
  stmt.form === "do" && stmt.test !== null && isFixed(stmt.test) && test !== null && truthOf(test) === false;

function continues(body: TraceBlock, depth: number): boolean {
  return body.some((node) => {
    switch (node.t) {
      case "exit":
        return node.how === "continue" && node.depth >= depth;
      case "choice":
        return node.arms.some((arm) => continues(arm, depth));
      case "repeat":
      case "block":
        return continues(node.body, depth + 1);
      case "try":
        return [node.block, node.handler?.body ?? [], node.finalizer?.body ?? []].some((part) =>
          continues(part, depth),
        );
      case "op":
        return false;
    }
  });
}

function breaksOut(body: TraceBlock, depth: number): boolean {
  return body.some((node) => {
    switch (node.t) {
      case "exit":
        return node.how === "break" && node.depth >= depth;
      case "choice":
        return node.arms.some((arm) => breaksOut(arm, depth));
      case "repeat":
      case "block":
        return breaksOut(node.body, depth + 1);
      case "try":
        return [node.block, node.handler?.body ?? [], node.finalizer?.body ?? []].some((part) =>
          breaksOut(part, depth),
        );
      case "op":
        return false;
    }
  });
}

/**
 * What decides about a loop whose turns are counted: nothing but the code, even where its index hangs on data
 * because a turn is left early.
 */
function certain(guard: GuardInfo): GuardInfo {
  return {
    get guard(): GuardInfo["guard"] {
      return { ...guard.guard, source: "constant", gate: null };
    },
    value: guard.value,
    test: guard.test,
    cases: guard.cases,
  };
}

/** How many turns a loop makes unless it is left, when the code says it. */
function turns(run: Run, stmt: LoopStmt, iterable: Value | null): number | null {
  if (iterable) {
    const sizes = iterable.atoms.map((atom) =>
      atom.a === "object" &&
      atom.obj.kind === "array" &&
      atom.obj.rest.value.isBottom &&
      !mutated(run, atom.obj.id)
        ? atom.obj.fields.size
        : null,
    );
    if (iterable.open || iterable.data || sizes.length !== 1) return null;
    return sizes[0] ?? null;
  }
  const { test } = stmt;
  const [first] = stmt.init;
  if (stmt.form !== "for" || test?.k !== "binary" || first?.s !== "declare") return null;
  const start = first.items[0]?.init;
  const limit = constantsOf(evaluate(run, test.right));
  const from = start?.k === "literal" && typeof start.value === "number" ? start.value : null;
  const to = limit?.length === 1 && typeof limit[0] === "number" ? limit[0] : null;
  const step =
    stmt.update?.k === "assign" && stmt.update.op === "+=" && stmt.update.value.k === "literal"
      ? Number(stmt.update.value.value)
      : 0;
  if (from === null || to === null || step <= 0 || test.left.k !== "name") return null;
  const index = test.left.ref;
  if (index.to !== "binding" || isAssigned(stmt.body, index.id)) return null;
  if (test.op === "<") return Math.max(0, Math.ceil((to - from) / step));
  if (test.op === "<=") return Math.max(0, Math.floor((to - from) / step) + 1);
  return null;
}

/** True when statements, functions in them not entered, write the variable. */
function isAssigned(body: readonly Stmt[], id: string): boolean {
  let found = false;
  visitStmts(body, (expr) => {
    found ||= expr.k === "assign" && expr.target.p === "binding" && expr.target.id === id;
  });
  return found;
}

const mutated = (run: Run, id: string): boolean => run.solver.changed.has(id);

function executeTry(run: Run, stmt: Extract<Stmt, { s: "try" }>): boolean {
  let falls = false;
  run.tryDepth += 1;
  const block = run.nested(() => {
    if (execute(run, stmt.block)) falls = true;
  });
  run.tryDepth -= 1;
  let handlerFalls = stmt.handler === null;
  if (stmt.handler === null) handlerFalls = false;
  const handler =
    stmt.handler &&
    run.nested(() => {
      if (stmt.param) bind(run, stmt.param, UNKNOWN, "declare");
      if (execute(run, stmt.handler ?? [])) handlerFalls = true;
    });
  const finalizer = stmt.finalizer && run.nested(() => void execute(run, stmt.finalizer ?? []));
  if (block.length > 0 || (handler && handler.length > 0) || (finalizer && finalizer.length > 0))
    run.push({
      t: "try",
      place: run.place(stmt.span),
      block,
      handler: handler && describeHandler(run, stmt, handler),
      finalizer: finalizer && { place: run.place(stmt.finalizerSpan ?? stmt.span), body: finalizer },
    });
  return (falls || handlerFalls) && !(finalizer && surelyExits(finalizer));
}
