import type { CallExpr, Expr, FunctionId, Place, Span } from "../../types.js";
import { NO_PROMISE, type Act } from "../act.js";
import { callByName, callInstance } from "../values/called-values.js";
import { callBuiltin } from "./builtins.js";
import { evaluateChain, type MemberSite } from "./members.js";
import { carries, circumstancesKey, tellsConstants } from "./circumstances.js";
import { callSuper, construct, superMember } from "./construct.js";
import { callContext } from "../entries/entries.js";
import { callOwnFactory } from "../entries/definitions.js";
import { emitEffect } from "./effects.js";
import { elementOf } from "../values/elements.js";
import { evaluate } from "./expressions.js";
import { infoOf } from "../values/infos.js";
import { callKnown, callMember } from "../values/knowns.js";
import { loopsOfBoth } from "../values/loops.js";
import { printExpr } from "../values/print.js";
import type { Run } from "./run.js";
import type { CallOperation, PromiseUse, ValueInfo, Zone } from "../types.js";
import {
  BOTTOM,
  derived,
  join,
  joinAll,
  promise,
  settled,
  UNKNOWN,
  valueOf,
  onlyAtoms,
  withoutConstants,
  withSourceOf,
  type Atom,
  type PromiseOrigin,
  type Value,
} from "../values/value.js";

export interface Argument {
  readonly value: Value;
  readonly expr: Expr | null;
  readonly spread: boolean;
}

/** One call in the text, as the callee sees it. */
export interface CallSite {
  /** The whole call. */
  readonly span: Span;
  /** What findings point at: the callee, or the whole of a `new`. */
  readonly place: Span;
  /** The callee as written. */
  readonly text: string;
  readonly form: CallOperation["form"];
  readonly args: readonly Argument[];
  readonly self: Value;
  /** Who runs a callback in place: `sort`. */
  readonly by: string | null;
  /** The callee's expression, when there is one. */
  readonly callee: Expr | null;
  readonly expr: CallExpr | null;
  /** Of a callback: the call that it was given to. */
  readonly outer?: CallExpr | null;
  /** Loops in which the callee is another value each turn. */
  readonly varies: readonly string[];
}

/** Evaluates callee and arguments, then calls whatever the callee can be. */
export function evaluateCall(run: Run, expr: CallExpr): Value {
  const { callee } = expr;
  let self: Value = BOTTOM;
  let target: Value;
  if (callee.k === "member") {
    const found = evaluateChain(run, callee, true);
    self = callee.object.k === "super" ? evaluate(run, callee.object) : found.self;
    target = callee.object.k === "super" ? superMember(run, callee.property ?? "") : found.value;
  } else if (callee.k === "super") {
    return callSuper(run, expr);
  } else target = evaluate(run, callee);
  const site = { ...siteOf(run, expr, self), varies: target.varies };
  const value = dispatch(run, target, site);
  if (expr.optional && target.atoms.some((atom) => atom.a === "const")) return join(value, target);
  return value;
}

export function siteOf(run: Run, expr: CallExpr, self: Value): CallSite {
  const args = expr.args.map((arg) => {
    const naming = run.naming;
    run.naming = null;
    const value = evaluate(run, arg.value);
    run.at = arg.value.span;
    run.naming = naming;
    return { value, expr: arg.value, spread: arg.spread };
  });
  const whole = expr.form === "new" || expr.form === "tag" || expr.span[0] > expr.callee.span[0];
  return {
    span: expr.span,
    place: whole ? expr.span : [expr.span[0], expr.callee.span[1]],
    text: printExpr(run, expr.callee),
    form: expr.form,
    args,
    self,
    by: null,
    callee: expr.callee,
    expr,
    varies: [],
  };
}

/** Calls whatever a value can be; values that can't be called are left out. */
export function dispatch(run: Run, target: Value, site: CallSite): Value {
  let out: Value = BOTTOM;
  const functions = target.atoms.filter((atom) => atom.a === "closure");
  const classes = target.atoms.filter((atom) => atom.a === "class");
  if (functions.length > 0) out = join(out, callClosures(run, functions, site));
  for (const atom of classes) out = join(out, construct(run, atom, site));
  let called = functions.length + classes.length > 0;
  for (const atom of target.atoms) {
    switch (atom.a) {
      case "context":
        out = join(out, callContext(run, atom, site));
        called = true;
        break;
      case "known":
        out = join(out, callKnown(run, atom, site));
        called = true;
        break;
      case "member":
        out = join(out, callMember(run, atom, site));
        called = true;
        break;
      case "method":
        out = join(
          out,
          callByName(run, site) ?? callNamesake(run, site, target) ?? callBuiltin(run, atom, site, target),
        );
        called = true;
        break;
      case "instance": {
        const given = callInstance(run, atom, site);
        if (!given) break;
        out = join(out, given);
        called = true;
        break;
      }
      case "namespace":
      case "object":
      case "recorded":
      case "const":
      case "pattern":
      case "promise":
      case "outcome":
      case "closure":
      case "class":
        break;
    }
  }
  if (called && !target.open) return out;
  const declared = called ? null : (callByName(run, site) ?? callDeclared(run, site, target));
  if (declared) return join(out, declared);
  if (called) return join(out, UNKNOWN);
  if (target.isBottom) return BOTTOM;
  if (!target.open && target.atoms.some((atom) => atom.a !== "const")) return derived(target);
  if (isComputed(target)) {
    const results = runCallbacks(run, site, "all");
    return withStarted(derived(target, ...site.args.map((arg) => arg.value)), results);
  }
  return join(out, callUnknown(run, site, "dynamic"));
}

/** A part of what a pure call gave: `Order.parse` of `const Order = z.object({ … })`. */
const isComputed = (target: Value): boolean =>
  target.data && !target.open && target.atoms.length === 0 && target.effects.length === 0;

/** What the type checker knows of a member that values do not tell. */
function callDeclared(run: Run, site: CallSite, target: Value): Value | null {
  const callee = site.callee;
  if (callee?.k !== "member" || !target.open) return null;
  const { decl } = callee;
  if (!decl) return null;
  if (decl.in === "external")
    return callMember(
      run,
      {
        a: "member",
        key: "",
        of: `${decl.module}#${decl.type}`,
        name: decl.member,
        from: run.file,
        self: site.self,
      },
      site,
    );
  const closures = decl.functions.flatMap((id) => {
    const fn = run.solver.program.fn(id);
    const env = fn && envOf(run, fn.owner);
    return fn && env
      ? [{ a: "closure" as const, key: `f:${id}:${env.n}`, fn, env, self: site.self, bound: [] }]
      : [];
  });
  return closures.length > 0 ? callClosures(run, closures, site) : null;
}

/**
 * `orders.find(id)`, `clock.at()` on something that nothing is known of: a class of the program may have a method
 * by a name that lists have. Asked in workflow code only, where it is the calls that matter, and not of data that
 * was recorded or fetched, since asking is dear.
 */
function callNamesake(run: Run, site: CallSite, target: Value): Value | null {
  const { self, callee } = site;
  if (run.act.zone !== "workflow" || callee?.k !== "member" || !self.open) return null;
  if (self.from.length > 0 || self.effects.length > 0) return null;
  return callee.decl?.in === "program" ? callDeclared(run, site, target) : null;
}

/** The module activation that a function of the program belongs to. */
function envOf(run: Run, owner: FunctionId | null): Act | null {
  let fn = owner === null ? null : run.solver.program.fn(owner);
  while (fn && fn.owner !== null) fn = run.solver.program.fn(fn.owner);
  return fn && run.solver.module(fn.file);
}

/** A callee that could be anything: its callbacks may run, its result is unknown. */
export function callUnknown(run: Run, site: CallSite, why: "package" | "dynamic"): Value {
  const origin = run.origin("unknown", site.span);
  const listens = site.callee?.k === "member" && LISTENING.has(site.callee.property ?? "");
  const later = listens ? laterCallbacks(run, site) : [];
  const results = listens ? [] : runCallbacks(run, site, "all");
  for (const arg of site.args) sinkPassed(run, arg.value, site.span);
  if (site.form === "getter" || site.form === "coercion") return UNKNOWN;
  emitEffect(
    run,
    { effect: "unknown", what: `${site.form === "new" ? "new " : ""}${site.text}()`, why },
    site.place,
    { use: { origin: origin.key }, args: infosOf(run, site), later },
  );
  return withStarted(UNKNOWN, results);
}

/** Hands a promise, or a list of them, to code that is not followed: it may well wait for them. */
export function sinkPassed(run: Run, value: Value, span: Span): void {
  run.sink(value, "pass", span);
  if (value.atoms.some((atom) => atom.a === "object" && atom.obj.kind !== "instance"))
    run.sink(elementOf(run, value), "pass", span);
}

/** Methods that keep what they are given, whoever has them. */
const LISTENING: ReadonlySet<string> = new Set([
  "on",
  "once",
  "addListener",
  "prependListener",
  "addEventListener",
  "subscribe",
]);

/** Functions handed to a timer or an emitter: they run later, in the same zone. */
export function laterCallbacks(run: Run, site: CallSite): Act[] {
  const before = run.calls.length;
  run.nested(() => void runCallbacks(run, site, "all"));
  const edges = run.calls.splice(before);
  for (const edge of edges) run.calls.push({ ...edge, kind: "later" });
  return edges.map((edge) => edge.to);
}

/**
 * What a call of foreign code gives, with the promises of the functions that it was given: `traced("x", () =>
 * ctx.step(…))` hands on what its callback gives, so whoever awaits the call awaits them.
 */
export const withStarted = (value: Value, results: readonly Value[]): Value =>
  joinAll([value, ...results.flatMap((result) => promisesIn(result).map(valueOf))]);

const promisesIn = (value: Value): readonly Atom[] => value.atoms.filter((atom) => atom.a === "promise");

export const infosOf = (run: Run, site: CallSite): ValueInfo[] =>
  site.args.map((arg) => infoOf(run, arg.expr, arg.value));

/** Runs function arguments in place, with nothing known of what they get. */
export function runCallbacks(
  run: Run,
  site: CallSite,
  which: readonly number[] | "all",
  given: readonly Value[] = [],
): Value[] {
  const results: Value[] = [];
  site.args.forEach((arg, index) => {
    if (which !== "all" && !which.includes(index)) return;
    if (mayBeCalled(arg.value)) results.push(callCallback(run, arg, given, site, site.text));
    // `{ onItem: () => … }`
    for (const atom of arg.value.atoms)
      if (which === "all" && atom.a === "object" && atom.obj.kind === "object" && atom.obj.owner === run.act)
        for (const cell of atom.obj.fields.values()) {
          const value = run.read(cell);
          if (value.atoms.some((each) => each.a === "closure"))
            callCallback(run, { value, expr: arg.expr, spread: false }, given, site, site.text);
        }
  });
  return results;
}

/** Runs one function argument in place. */
export function callCallback(
  run: Run,
  arg: Argument,
  given: readonly Value[],
  site: CallSite,
  by: string,
): Value {
  const target = arg.value;
  if (!isCallable(target)) return UNKNOWN;
  const span = arg.expr?.span ?? site.span;
  return dispatch(run, onlyAtoms(target), {
    span,
    place: span,
    text: arg.expr ? printExpr(run, arg.expr) : site.text,
    form: "callback",
    args: (given.length > 0 ? given : [UNKNOWN, UNKNOWN, UNKNOWN]).map((value) => ({
      value,
      expr: null,
      spread: false,
    })),
    self: UNKNOWN,
    by,
    callee: null,
    expr: null,
    outer: site.expr,
    varies: target.varies,
  });
}

const CALLABLE: ReadonlySet<Atom["a"]> = new Set([
  "closure",
  "class",
  "context",
  "known",
  "member",
  "method",
]);

const isCallable = (value: Value): boolean => value.atoms.some((atom) => CALLABLE.has(atom.a));
const mayBeCalled = (value: Value): boolean => value.open || isCallable(value);

type Closure = Extract<Atom, { a: "closure" }>;

/** Calls functions of the program: one operation, one activation each. */
export function callClosures(run: Run, closures: readonly Closure[], site: CallSite): Value {
  const origin = run.origin("call", site.span, site.form === "call" ? "" : site.form);
  const targets: Act[] = [];
  let value: Value = BOTTOM;
  for (const closure of closures) {
    const { fn } = closure;
    const defined = callOwnFactory(run, fn, site);
    if (defined) {
      value = join(value, defined);
      continue;
    }
    if (declaredPure(run, closure)) {
      value = join(value, derived(...site.args.map((arg) => arg.value)));
      continue;
    }
    const act = enterClosure(run, closure, site);
    targets.push(act);
    let result = run.read(act.result);
    if (fn.generator) {
      const items = run.solver.object(run.act, run.place(site.span), "array", null, `gen${act.n}`);
      run.write(items.rest, run.read(act.yielded));
      result = valueOf({ a: "object", key: `o:${items.id}`, obj: items });
    }
    if (fn.async && !fn.generator) {
      value = join(value, promise(origin, settled(result)));
    } else value = join(value, reOrigin(result, origin));
  }
  const own = value.atoms.some((atom) => atom.a === "promise" && atom.origin.key === origin.key);
  if (targets.length > 0)
    recordCall(run, targets, site, own ? origin.key : null, calleeVaries(run, site, closures));
  return value;
}

/** Promises that a function hands on are from here on the call's own. */
function reOrigin(value: Value, origin: PromiseOrigin): Value {
  if (!value.atoms.some((atom) => atom.a === "promise")) return value;
  let out: Value = joinAll([BOTTOM, ...value.atoms.filter((atom) => atom.a !== "promise").map(valueOf)]);
  if (value.data || value.open) out = join(out, value.open ? UNKNOWN : derived(value));
  for (const atom of value.atoms)
    if (atom.a === "promise") {
      const kind = ["foreign", "effect", "unknown"].includes(atom.origin.kind)
        ? atom.origin.kind
        : origin.kind;
      out = join(out, promise({ ...origin, kind }, atom.value));
    }
  return withSourceOf(out, value);
}

function declaredPure(run: Run, closure: Closure): boolean {
  if (closure.fn.declared === "pure") return true;
  return run.solver.declaredAs(closure.fn) === "pure";
}

export function enterClosure(run: Run, closure: Closure, site: CallSite): Act {
  const self = closure.self ?? (site.form === "new" || site.callee?.k === "member" ? site.self : BOTTOM);
  const args = [...closure.bound, ...plainArgs(site)];
  const spread = spreadOf(run, site);
  const carrying =
    carriesEnv(closure.env) ||
    [self, ...args, ...(spread ? [spread] : [])].some((value) => carries(value, 3));
  const key = circumstancesKey(run, closure.fn, run.act.phase, self, args, spread, carrying);
  const plain = tellsConstants(run, closure.fn, run.act.phase, carrying) ? args : args.map(withoutConstants);
  const act = run.solver.activation(
    { fn: closure.fn, env: closure.env, phase: run.act.phase, scope: carrying ? run.act.scope : null },
    key,
  );
  run.solver.enter(act, run.act, self, plain, spread);
  const declared = closure.fn.declared === "effectful" || run.solver.declaredAs(closure.fn) === "effectful";
  if (declared)
    emitEffect(
      run,
      { effect: "declared", what: `${site.text}()`, why: "it is declared effectful" },
      site.place,
      { use: { how: "none" } },
    );
  return act;
}

const carriesEnv = (env: Act | null): boolean => {
  for (let act = env; act; act = act.env) if (act.scope) return true;
  return false;
};

function plainArgs(site: CallSite): Value[] {
  const out: Value[] = [];
  for (const arg of site.args) {
    if (arg.spread) break;
    out.push(arg.value);
  }
  return out;
}

function spreadOf(run: Run, site: CallSite): Value | null {
  const from = site.args.findIndex((arg) => arg.spread);
  if (from < 0) return null;
  return joinAll(site.args.slice(from).map((arg) => (arg.spread ? elementOf(run, arg.value) : arg.value)));
}

/**
 * Loops in each turn of which another function is called: `for (const stage of stages) await stage(ctx)`. One
 * method of several objects counts as several, and so does one closure made for each item of a list.
 */
function calleeVaries(run: Run, site: CallSite, closures: readonly Closure[]): readonly string[] {
  const perItem = closures.some(({ env }) => env !== null && env !== run.act && env.function.owner !== null);
  if (closures.length < 2 && !perItem) return [];
  return loopsOfBoth(site.varies, site.callee?.k === "member" ? site.self.varies : []);
}

function recordCall(
  run: Run,
  targets: readonly Act[],
  site: CallSite,
  origin: string | null,
  varies: readonly string[],
): void {
  const op = run.record(new Call(run, targets, site, origin, varies));
  const { place } = op;
  const within = run.place(site.span);
  for (const to of targets) run.calls.push({ to, place, within, label: labelOf(site), op, kind: "call" });
}

/** A call of functions of the program; there are so many that what rules ask of it is worked out when they do. */
class Call implements CallOperation {
  readonly kind = "call";
  readonly place: Place;
  readonly activation: Act;
  readonly tryDepth: number;
  readonly loops: readonly string[];
  #args: readonly ValueInfo[] | null = null;
  constructor(
    private readonly run: Run,
    readonly targets: readonly Act[],
    private readonly site: CallSite,
    private readonly origin: string | null,
    readonly varies: readonly string[],
  ) {
    this.place = run.place(site.place);
    this.activation = run.act;
    this.tryDepth = run.tryDepth;
    this.loops = run.loops;
  }
  get zone(): Zone {
    return this.activation.zone;
  }
  get call(): CallExpr | null {
    return this.site.expr ?? this.site.outer ?? null;
  }
  get callee(): ValueInfo | null {
    return this.site.expr === null ? null : infoOf(this.run, this.site.expr.callee, BOTTOM);
  }
  get text(): string {
    return this.site.text;
  }
  get form(): CallOperation["form"] {
    return this.site.form;
  }
  get by(): string | null {
    return this.site.by;
  }
  get args(): readonly ValueInfo[] {
    return (this.#args ??= infosOf(this.run, this.site));
  }
  get use(): PromiseUse {
    return this.origin === null ? NO_PROMISE : this.run.solver.useOf(this.origin);
  }
}

function labelOf(site: CallSite): string {
  if (site.form === "new") return `makes new ${site.text}()`;
  if (site.form === "getter") return `reads ${site.text}`;
  if (site.form === "callback") return site.by === null ? "runs a callback" : `${site.by}() runs a callback`;
  if (site.form === "coercion") return `turns ${site.text} into text`;
  if (site.form === "iterator") return `iterates over ${site.text}`;
  return `calls ${site.text}()`;
}

/** A getter runs when it is read. */
export function callGetter(run: Run, id: FunctionId, env: Act, self: Value, site: MemberSite): Value {
  const fn = run.solver.program.fn(id);
  if (!fn) return UNKNOWN;
  return callClosures(run, [{ a: "closure", key: `f:${id}:${env.n}`, fn, env, self, bound: [] }], {
    span: site.span,
    place: site.span,
    text: site.text,
    form: "getter",
    args: [],
    self,
    by: null,
    callee: null,
    expr: null,
    varies: [],
  });
}
