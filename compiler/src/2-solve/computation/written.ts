import type {
  BindingId,
  CallExpr,
  Expr,
  FileFacts,
  FunctionFacts,
  FunctionId,
  LoopStmt,
  Pattern,
  Span,
  Stmt,
} from "../../types.js";
import { changedArgument } from "../mutations.js";
import { MUTATORS } from "../evaluate/mutators.js";
import { blocksOfStmt, childrenOf } from "../visit.js";
import { push } from "./multimap.js";

/*
 * Where a file's text gives variables their values, and under which conditions: what a computation is put
 * together from. Read once per file, without regard to who calls what.
 */

/** Under what a piece of code runs. `region` is the code that it holds for. */
export type Condition = { readonly region: Span } & (
  | { readonly c: "if"; readonly test: Expr; readonly arm: 0 | 1 }
  | { readonly c: "switch"; readonly value: Expr; readonly cases: Cases; readonly at: number }
  | { readonly c: "loop"; readonly stmt: LoopStmt }
  /** An error decides: in the handler of a native `try`, or in its block. */
  | { readonly c: "error"; readonly block: readonly Stmt[] }
  /** The statement before it was not left by one of its exits. */
  | { readonly c: "past"; readonly stmt: Stmt; readonly leavesFunction: boolean }
);
type Cases = Extract<Stmt, { s: "switch" }>["cases"];

/** One step of the way from a value to a part of it: a property, an index, `*` for one that is not known. */
export type Path = readonly string[];

/** One place at which a variable gets its value, or at which the value is changed. */
export interface Write {
  readonly in: FunctionFacts;
  readonly span: Span;
  readonly conditions: readonly Condition[];
  readonly how:
    /** The variable is what `value` has at `path`; with another operator than `=`, computed with it. */
    | {
        readonly w: "value";
        readonly value: Expr;
        readonly path: Path;
        readonly op: string;
        /** What stands in for missing parts, in order. */
        readonly defaults: readonly Expr[];
      }
    /** One of the items (or keys) of `of`. */
    | {
        readonly w: "item";
        readonly of: Expr;
        readonly form: LoopStmt["form"];
        readonly path: Path;
        readonly defaults: readonly Expr[];
      }
    /** What the variable holds at `path` is changed by `by`. */
    | { readonly w: "change"; readonly by: Expr; readonly path: Path }
    /** `catch (error)` */
    | { readonly w: "caught"; readonly block: readonly Stmt[] };
}

/** What a function can end with. */
export interface Outcome {
  readonly how: "return" | "throw" | "yield";
  readonly value: Expr | null;
  readonly conditions: readonly Condition[];
}

/** Where a function is written. */
export interface FunctionPlace {
  /** The function around it. */
  readonly in: FunctionFacts;
  readonly conditions: readonly Condition[];
  /** The call that it is an argument of, directly or in an object literal. */
  readonly call: CallExpr | null;
  /** The variable that holds it. */
  readonly binding: BindingId | null;
}

/** A place where a variable is handed to a call, or called. */
export interface CallUse {
  readonly in: FunctionFacts;
  readonly call: CallExpr;
  readonly conditions: readonly Condition[];
}

export interface Written {
  readonly writes: ReadonlyMap<BindingId, readonly Write[]>;
  readonly outcomes: ReadonlyMap<FunctionId, readonly Outcome[]>;
  readonly functions: ReadonlyMap<FunctionId, FunctionPlace>;
  /** Calls of the variable. */
  readonly called: ReadonlyMap<BindingId, readonly CallUse[]>;
  /** Calls that the variable is an argument of, with its position. */
  readonly passed: ReadonlyMap<BindingId, readonly (CallUse & { readonly index: number })[]>;
  /** Variables that hold a part of another one's value, so that a change of theirs is one of its. */
  readonly parts: ReadonlyMap<BindingId, readonly { readonly id: BindingId; readonly path: Path }[]>;
}

const KNOWN = new WeakMap<FileFacts, Written>();

/** Reads a file. */
export function writtenIn(file: FileFacts): Written {
  let known = KNOWN.get(file);
  if (known === undefined) KNOWN.set(file, (known = new Reader().read(file)));
  return known;
}

interface Place {
  readonly fn: FunctionFacts;
  readonly conditions: readonly Condition[];
  /** True in a native loop or a labelled block, which `break` and `continue` leave. */
  readonly jumps: boolean;
}

class Reader implements Written {
  readonly writes = new Map<BindingId, Write[]>();
  readonly outcomes = new Map<FunctionId, Outcome[]>();
  readonly functions = new Map<FunctionId, FunctionPlace>();
  readonly called = new Map<BindingId, CallUse[]>();
  readonly passed = new Map<BindingId, (CallUse & { readonly index: number })[]>();
  readonly parts = new Map<BindingId, { readonly id: BindingId; readonly path: Path }[]>();

  read(file: FileFacts): Written {
    for (const fn of file.functions) {
      const place: Place = { fn, conditions: [], jumps: false };
      for (const param of fn.params) this.exprsOf(param.pattern, place);
      this.block(fn.body, place, fn.span[1]);
    }
    return this;
  }

  private block(stmts: readonly Stmt[], place: Place, end: number): void {
    let now = place;
    for (const stmt of stmts) {
      this.stmt(stmt, now);
      const exits = exitsIn(stmt);
      if (exits.none) continue;
      const leavesFunction = !exits.jumps;
      const past: Condition = { c: "past", stmt, leavesFunction, region: [stmt.span[1], end] };
      now = { ...now, conditions: [...now.conditions, past] };
    }
  }

  private under(place: Place, condition: Condition, jumps = place.jumps): Place {
    return { ...place, conditions: [...place.conditions, condition], jumps };
  }

  private stmt(stmt: Stmt, place: Place): void {
    switch (stmt.s) {
      case "expr":
        return this.expr(stmt.expr, place);
      case "declare":
        for (const { pattern, init } of stmt.items) {
          this.exprsOf(pattern, place);
          if (init === null) {
            if (stmt.kind !== "var") this.give(pattern, UNDEFINED_VALUE, "=", stmt.span, place);
            continue;
          }
          const named = pattern.p === "binding" && init.k === "function" ? pattern.id : null;
          this.expr(init, place, null, named);
          this.give(pattern, init, "=", stmt.span, place);
        }
        return;
      case "function":
        this.functions.set(stmt.id, {
          in: place.fn,
          conditions: [],
          call: null,
          binding: stmt.binding,
        });
        return;
      case "class":
      case "break":
      case "continue":
        return;
      case "return":
      case "throw":
        if (stmt.value) this.expr(stmt.value, place);
        this.outcome({ how: stmt.s, value: stmt.value, conditions: place.conditions }, place);
        return;
      case "if":
        this.expr(stmt.test, place);
        this.block(
          stmt.then,
          this.under(place, branch(stmt.test, 0, regionOf(stmt.then, stmt.span))),
          stmt.span[1],
        );
        this.block(
          stmt.else,
          this.under(place, branch(stmt.test, 1, regionOf(stmt.else, stmt.span))),
          stmt.span[1],
        );
        return;
      case "switch":
        this.expr(stmt.value, place);
        stmt.cases.forEach((one, at) => {
          if (one.test) this.expr(one.test, place);
          const region = regionOf(one.body, stmt.span);
          const here: Condition = { c: "switch", value: stmt.value, cases: stmt.cases, at, region };
          this.block(one.body, this.under(place, here, true), stmt.span[1]);
        });
        return;
      case "loop": {
        for (const one of stmt.init) this.stmt(one, place);
        const inside = this.under(place, { c: "loop", stmt, region: stmt.span }, true);
        if (stmt.iterable) this.expr(stmt.iterable, place);
        if (stmt.test) this.expr(stmt.test, inside);
        if (stmt.target && stmt.iterable) this.items(stmt.target, stmt.iterable, stmt, inside, []);
        this.block(stmt.body, inside, stmt.span[1]);
        if (stmt.update) this.expr(stmt.update, inside);
        return;
      }
      case "try": {
        const error = (region: Span): Condition => ({ c: "error", block: stmt.block, region });
        const inBlock = stmt.handler ? this.under(place, error(regionOf(stmt.block, stmt.span))) : place;
        this.block(stmt.block, inBlock, stmt.span[1]);
        if (stmt.handler) {
          const inHandler = this.under(place, error(regionOf(stmt.handler, stmt.span)));
          if (stmt.param) {
            this.exprsOf(stmt.param, inHandler);
            for (const { id } of bindingsOf(stmt.param, []))
              this.write(id, { w: "caught", block: stmt.block }, stmt.param.span, inHandler);
          }
          this.block(stmt.handler, inHandler, stmt.span[1]);
        }
        this.block(stmt.finalizer ?? [], place, stmt.span[1]);
        return;
      }
      case "block":
        this.block(stmt.body, stmt.label === null ? place : { ...place, jumps: true }, stmt.span[1]);
    }
  }

  /** `given` = the call that the expression is an argument of; `holder` = the variable that it is given to. */
  private expr(
    expr: Expr,
    place: Place,
    given: CallExpr | null = null,
    holder: BindingId | null = null,
  ): void {
    switch (expr.k) {
      case "function":
        this.functions.set(expr.id, {
          in: place.fn,
          conditions: place.conditions,
          call: given,
          binding: holder,
        });
        return;
      case "object":
        for (const prop of expr.props) {
          if (prop.computed) this.expr(prop.computed, place);
          this.expr(prop.value, place, given);
        }
        return;
      case "conditional":
        this.expr(expr.test, place);
        this.expr(expr.then, this.under(place, branch(expr.test, 0, expr.then.span)));
        this.expr(expr.else, this.under(place, branch(expr.test, 1, expr.else.span)));
        return;
      case "logical":
        this.expr(expr.left, place);
        this.expr(
          expr.right,
          this.under(place, branch(expr.left, expr.op === "&&" ? 0 : 1, expr.right.span)),
        );
        return;
      case "call":
        this.call(expr, place);
        return;
      case "assign":
        this.exprsOf(expr.target, place);
        this.expr(expr.value, place);
        this.give(expr.target, expr.value, expr.op, expr.span, place);
        return;
      case "unary":
        this.expr(expr.operand, place);
        if (expr.op === "delete") this.change(expr.operand, expr, place);
        return;
      case "yield":
        if (expr.operand) this.expr(expr.operand, place);
        this.outcome({ how: "yield", value: expr.operand, conditions: place.conditions }, place);
        return;
      default:
        for (const child of childrenOf(expr)) if (!("p" in child)) this.expr(child, place);
    }
  }

  private call(call: CallExpr, place: Place): void {
    this.expr(call.callee, place);
    const use: CallUse = { in: place.fn, call, conditions: place.conditions };
    call.args.forEach((arg, index) => {
      this.expr(arg.value, place, call);
      for (const { id } of rootsOf(arg.value, [])) push(this.passed, id, { ...use, index });
    });
    if (call.callee.k === "name" && call.callee.ref.to === "binding")
      push(this.called, call.callee.ref.id, use);
    if (call.callee.k === "member" && MUTATORS.has(call.callee.property ?? ""))
      this.change(call.callee.object, call, place);
    const changed = changedArgument(call);
    if (changed) this.change(changed, call, place);
  }

  private exprsOf(pattern: Pattern, place: Place): void {
    for (const expr of exprsIn(pattern)) this.expr(expr, place);
  }

  private give(pattern: Pattern, value: Expr, op: string, span: Span, place: Place): void {
    for (const { id, path } of bindingsOf(pattern, [])) {
      const defaults = defaultsIn(pattern, path);
      this.write(id, { w: "value", value, path, op, defaults }, span, place);
      if (op === "=") this.part(id, value, path);
    }
    for (const target of targetsOf(pattern)) {
      if (target.k !== "member") continue;
      // `a.b = value` changes `a`; what is behind `value` can be changed through it.
      this.change(
        target,
        { k: "assign", op, target: { p: "target", expr: target, span }, value, span },
        place,
      );
      for (const { id } of rootsOf(value, []))
        for (const { id: holder } of rootsOf(target, [])) push(this.parts, id, { id: holder, path: ["*"] });
    }
  }

  private items(pattern: Pattern, of: Expr, stmt: LoopStmt, place: Place, path: Path): void {
    this.exprsOf(pattern, place);
    for (const { id, path: inner } of bindingsOf(pattern, path)) {
      const defaults = defaultsIn(pattern, inner);
      this.write(id, { w: "item", of, form: stmt.form, path: inner, defaults }, pattern.span, place);
      this.part(id, of, ["*", ...inner]);
    }
  }

  private part(id: BindingId, value: Expr, path: Path): void {
    for (const root of rootsOf(value, path)) push(this.parts, root.id, { id, path: root.path });
  }

  private change(target: Expr, by: Expr, place: Place): void {
    for (const { id, path } of rootsOf(target, [])) this.write(id, { w: "change", by, path }, by.span, place);
  }

  private write(id: BindingId, how: Write["how"], span: Span, place: Place): void {
    push(this.writes, id, { in: place.fn, span, conditions: place.conditions, how });
  }

  private outcome(outcome: Outcome, place: Place): void {
    push(this.outcomes, place.fn.id, outcome);
  }
}

const branch = (test: Expr, arm: 0 | 1, region: Span): Condition => ({ c: "if", test, arm, region });

const UNDEFINED_VALUE: Expr = {
  k: "name",
  name: "undefined",
  ref: { to: "global", name: "undefined" },
  span: [0, 0],
};

function regionOf(stmts: readonly Stmt[], around: Span): Span {
  const first = stmts[0];
  const last = stmts.at(-1);
  return first === undefined || last === undefined ? [around[1], around[1]] : [first.span[0], last.span[1]];
}

/** Variables that a pattern binds, each with the way from the value to it. */
export function bindingsOf(
  pattern: Pattern,
  path: Path,
): readonly { readonly id: BindingId; readonly path: Path }[] {
  switch (pattern.p) {
    case "binding":
      return [{ id: pattern.id, path }];
    case "target":
      return pattern.expr.k === "name" && pattern.expr.ref.to === "binding"
        ? [{ id: pattern.expr.ref.id, path }]
        : [];
    case "object":
      return [
        ...pattern.props.flatMap((prop) => bindingsOf(prop.value, [...path, prop.key ?? "*"])),
        ...(pattern.rest ? bindingsOf(pattern.rest, [...path, "*"]) : []),
      ];
    case "array":
      return [
        ...pattern.items.flatMap((item, index) => (item ? bindingsOf(item, [...path, String(index)]) : [])),
        ...(pattern.rest ? bindingsOf(pattern.rest, [...path, "*"]) : []),
      ];
    case "default":
      return bindingsOf(pattern.pattern, [...path, DEFAULT]);
  }
}

/** Mark in a path: a default stands in when there is nothing. */
const DEFAULT = "??";

/** The expressions that can stand in for a part of a value that is missing on the way to a variable. */
export function defaultsIn(pattern: Pattern, path: Path): readonly Expr[] {
  return path.includes(DEFAULT) ? exprsIn(pattern) : [];
}

/** The way to a part without the marks of defaults. */
export const plainPath = (path: Path): Path =>
  path.includes(DEFAULT) ? path.filter((step) => step !== DEFAULT) : path;

/** Expressions that are evaluated in a pattern: defaults and computed keys. */
function exprsIn(pattern: Pattern): Expr[] {
  switch (pattern.p) {
    case "binding":
    case "target":
      return [];
    case "object":
      return [
        ...pattern.props.flatMap((prop) => [
          ...(prop.computed ? [prop.computed] : []),
          ...exprsIn(prop.value),
        ]),
        ...(pattern.rest ? exprsIn(pattern.rest) : []),
      ];
    case "array":
      return [...pattern.items, pattern.rest].flatMap((item) => (item ? exprsIn(item) : []));
    case "default":
      return [...exprsIn(pattern.pattern), pattern.value];
  }
}

function targetsOf(pattern: Pattern): Expr[] {
  switch (pattern.p) {
    case "binding":
      return [];
    case "target":
      return [pattern.expr];
    case "object":
      return [...pattern.props.map((prop) => prop.value), ...(pattern.rest ? [pattern.rest] : [])].flatMap(
        targetsOf,
      );
    case "array":
      return [...pattern.items, pattern.rest].flatMap((item) => (item ? targetsOf(item) : []));
    case "default":
      return targetsOf(pattern.pattern);
  }
}

/** Variables that hold (a part of) what an expression gives, not a copy of it. */
function rootsOf(expr: Expr, path: Path): readonly { readonly id: BindingId; readonly path: Path }[] {
  switch (expr.k) {
    case "name":
      return expr.ref.to === "binding" ? [{ id: expr.ref.id, path }] : [];
    case "member":
      return rootsOf(expr.object, [expr.property ?? "*", ...path]);
    case "cast":
    case "await":
      return rootsOf(expr.operand, path);
    case "conditional":
      return [...rootsOf(expr.then, path), ...rootsOf(expr.else, path)];
    case "logical":
      return [...rootsOf(expr.left, path), ...rootsOf(expr.right, path)];
    case "array":
      return expr.items.flatMap((item) => rootsOf(item.value, ["*"]));
    case "object":
      return expr.props.flatMap((prop) => rootsOf(prop.value, ["*"]));
    case "call":
      // `list.find(…)` and `map.get(…)` give parts of what they are called on.
      return expr.callee.k === "member" ? rootsOf(expr.callee.object, ["*"]) : [];
    default:
      return [];
  }
}

interface Exits {
  readonly none: boolean;
  /** True when a `break` or `continue` is among them. */
  readonly jumps: boolean;
}

const EXITS = new WeakMap<Stmt, Exits>();

/** The exits in a statement that lead out of it; functions in it are not entered. */
function exitsIn(stmt: Stmt): Exits {
  let known = EXITS.get(stmt);
  if (known === undefined) EXITS.set(stmt, (known = findExits(stmt)));
  return known;
}

function findExits(stmt: Stmt): Exits {
  switch (stmt.s) {
    case "return":
    case "throw":
      return { none: false, jumps: false };
    case "break":
    case "continue":
      return { none: false, jumps: true };
    default: {
      const inner = blocksOfStmt(stmt).flat().map(exitsIn);
      const own = stmt.s === "loop" || stmt.s === "switch";
      return {
        none: inner.every((one) => one.none || (own && one.jumps)),
        jumps: !own && inner.some((one) => one.jumps),
      };
    }
  }
}

/** The expressions that decide which exits of a statement are taken. */
export function testsOfExits(stmt: Stmt): Expr[] {
  const exits = exitsIn(stmt);
  if (exits.none && stmt.s !== "loop" && stmt.s !== "switch") return [];
  const inner = blocksOfStmt(stmt).flat().flatMap(testsOfExits);
  switch (stmt.s) {
    case "if":
      return [stmt.test, ...inner];
    case "switch":
      return [stmt.value, ...stmt.cases.flatMap((one) => (one.test ? [one.test] : [])), ...inner];
    case "loop":
      return [stmt.test, stmt.iterable].flatMap((expr) => (expr ? [expr] : [])).concat(inner);
    case "try":
      return [...expressionsOf(stmt.block), ...inner];
    default:
      return inner;
  }
}

/** The expressions that statements evaluate, each whole, without what functions in them do. */
export function expressionsOf(stmts: readonly Stmt[]): Expr[] {
  return stmts.flatMap((stmt): Expr[] => {
    const inner = stmt.s === "loop" ? expressionsOf(stmt.body) : blocksOfStmt(stmt).flatMap(expressionsOf);
    switch (stmt.s) {
      case "expr":
        return [stmt.expr];
      case "declare":
        return stmt.items.flatMap((item) => (item.init ? [item.init] : []));
      case "return":
        return stmt.value ? [stmt.value] : [];
      case "throw":
        return [stmt.value];
      case "if":
        return [stmt.test, ...inner];
      case "switch":
        return [stmt.value, ...stmt.cases.flatMap((one) => (one.test ? [one.test] : [])), ...inner];
      case "loop":
        return [
          ...expressionsOf(stmt.init),
          ...[stmt.iterable, stmt.test, stmt.update].flatMap((expr) => (expr ? [expr] : [])),
          ...inner,
        ];
      default:
        return inner;
    }
  });
}
