import type { CatalogueUse, MemberExpr, Span } from "../../types.js";
import type { Act } from "../act.js";
import { NO_PROMISE } from "../act.js";
import { BUILTIN_METHODS } from "./builtin-names.js";
import { callGetter } from "./calls.js";
import { chainOf } from "../values/chains.js";
import { findMember } from "./classes.js";
import { contextMember } from "../entries/contexts.js";
import { emitEffect } from "./effects.js";
import { elementAt, elementOf, part } from "../values/elements.js";
import type { HeapObject } from "../values/heap.js";
import { evaluate } from "./expressions.js";
import { exportOf, exported } from "./exported.js";
import { contextFromAnnotation } from "./annotations.js";
import { knownText, lookupKnown } from "../values/knowns.js";
import { noteComputedAtLoad, noteContext } from "./names.js";
import { printExpr } from "../values/print.js";
import type { Run } from "./run.js";
import type { Constant } from "../types.js";
import {
  BOTTOM,
  constantsOf,
  DATA,
  derived,
  isShortName,
  join,
  only,
  recorded,
  UNDEFINED,
  UNKNOWN,
  valueOf,
  withEffect,
  withSourceOf,
  withVaries,
  type Atom,
  type Value,
} from "../values/value.js";

export interface MemberSite {
  readonly span: Span;
  /** As written, for messages. */
  readonly text: string;
  /** Further names read from the member, when known. */
  readonly next?: string | null;
}

/** `a.b.c` */
export function evaluateMember(run: Run, expr: MemberExpr): Value {
  return evaluateChain(run, expr).value;
}

/**
 * A chain of members, with the object that its last member belongs to (`this` of a method call).
 * Members of contexts are taken as a whole: `step.state.items.push` is one access.
 */
export function evaluateChain(
  run: Run,
  expr: MemberExpr,
  called = false,
): { readonly self: Value; readonly value: Value } {
  const { root, steps } = chainOf(expr);
  let value = evaluate(run, root);
  noteContext(run, value);
  let self: Value = BOTTOM;
  let fromContext: Value = BOTTOM;
  steps.forEach((step, index) => {
    const computed = step.computed ? evaluate(run, step.computed) : null;
    for (const atom of value.atoms) {
      if (atom.a !== "context") continue;
      const path = steps.slice(index).map((each) => each.property ?? "*");
      const found = contextMember(run, atom, path, {
        span: expr.span,
        text: printExpr(run, index === 0 ? root : (steps[index - 1] ?? root)),
        mode: called ? "callee" : "read",
        args: [],
      });
      if (found) fromContext = join(fromContext, found);
    }
    self = value;
    const others = value.atoms.some((atom) => atom.a === "context")
      ? only(value, (atom) => atom.a !== "context")
      : value;
    if (others !== value && others.atoms.length === 0 && !others.open && !others.data) {
      value = BOTTOM;
      return;
    }
    const names = step.property !== null ? [step.property] : computed ? namesIn(computed) : null;
    const next = steps[index + 1]?.property ?? null;
    const isLast = index === steps.length - 1;
    if (names && names.length <= 4 && names.length > 0)
      value = names
        .map((name) =>
          readMember(run, others, String(name), {
            span: step.span,
            text: printExpr(run, step),
            next: isLast && called ? "()" : next,
          }),
        )
        .reduce(join);
    else value = withSourceOf(elementOf(run, others), computed ?? BOTTOM);
  });
  const result = join(value, fromContext);
  noteContext(run, result);
  return { self, value: result };
}

/** Names that a computed member can have: constants, and well-known symbols. */
function namesIn(computed: Value): readonly Constant[] | null {
  const [atom, ...more] = computed.atoms;
  if (atom?.a === "known" && atom.path.startsWith("Symbol.") && more.length === 0) return [`[${atom.path}]`];
  return computed.varies.length > 0 ? null : constantsOf(computed);
}

/** A member of a value. */
export function readMember(run: Run, value: Value, name: string, site: MemberSite): Value {
  let out: Value = BOTTOM;
  for (const atom of value.atoms) out = join(out, memberOfAtom(run, atom, name, site));
  if (value.data) out = join(out, derived(value));
  if (value.open) out = join(out, UNKNOWN);
  if ((value.data || value.open) && BUILTIN_METHODS.has(name))
    out = join(out, valueOf({ a: "method", key: `m:${name}:${value.key}`, name, self: value }));
  const sourced = withSourceOf(
    out,
    value.atoms.every((atom) => ["object", "context", "recorded"].includes(atom.a)) ? BOTTOM : value,
  );
  // Another object in each turn has another field in each turn.
  return withVaries(sourced, value.varies);
}

function memberOfAtom(run: Run, atom: Atom, name: string, site: MemberSite): Value {
  switch (atom.a) {
    case "const":
    case "pattern":
    case "promise":
    case "closure":
    case "method":
      if (BUILTIN_METHODS.has(name) || atom.a === "promise")
        return valueOf({ a: "method", key: `m:${name}:${atom.key}`, name, self: valueOf(atom) });
      return atom.a === "closure" || atom.a === "method" ? UNKNOWN : memberOfText(run, atom, name, site);
    case "outcome":
      return name === "value" || name === "state" ? atom.value : DATA;
    case "context":
      return (
        contextMember(run, atom, [name], { span: site.span, text: atom.text, mode: "read", args: [] }) ??
        UNKNOWN
      );
    case "recorded":
      return memberOfRecorded(run, atom, name, site);
    case "namespace":
      return exportOf(run, atom.file, name) ?? UNKNOWN;
    case "known":
      return memberOfKnown(run, atom, name, site);
    case "instance":
      return memberOfInstance(run, atom, name, site);
    case "member":
      if (!isShortName(atom.name)) return derived(atom.self);
      return valueOf({
        ...atom,
        key: `${atom.key}.${name}`,
        name: `${atom.name}.${name}`,
      });
    case "class":
      return memberOfClass(run, atom, name, site);
    case "object":
      return memberOfObject(run, atom, name, site);
  }
}

/** A text or number has what its type has, and nothing else. */
function memberOfText(run: Run, atom: Atom, name: string, site: MemberSite): Value {
  const of = typeOfText(atom);
  const known = (use: CatalogueUse): boolean =>
    lookupKnown(run, { path: `${of}.${name}`, instance: true }, use) !== null;
  if (!known({ form: "read" }) && !known({ form: "call", args: null })) return derived(valueOf(atom));
  return memberOfInstance(run, { a: "instance", key: "", of, from: run.file }, name, site);
}

const typeOfText = (atom: Atom): string =>
  atom.a === "const" && typeof atom.value === "number" ? "Number" : "String";

function memberOfRecorded(
  run: Run,
  atom: Extract<Atom, { a: "recorded" }>,
  name: string,
  site: MemberSite,
): Value {
  const isMessage = atom.site.method === "next" || atom.site.method === "nextBatch";
  if (BUILTIN_METHODS.has(name) || (isMessage && name === "complete"))
    return valueOf({ a: "method", key: `m:${name}:${atom.key}`, name, self: valueOf(atom) });
  const inner = part(atom.site, name);
  const { method } = atom.site;
  if (method !== "input" && method !== "shared")
    run.operations.push({
      kind: "recorded-read",
      ...run.base(run.place(site.span)),
      entry: {
        place: inner.place,
        method,
        path: inner.path,
      },
    });
  return recorded(inner);
}

function memberOfKnown(run: Run, atom: Extract<Atom, { a: "known" }>, name: string, site: MemberSite): Value {
  if (["globalThis", "window", "self", "global"].includes(atom.path) && !name.includes("["))
    return valueOf({ ...atom, key: `k:${name}`, path: name });
  const namespace = atom.path.endsWith("#*");
  const path = namespace ? `${atom.path.slice(0, -1)}${name}` : `${atom.path}.${name}`;
  if (namespace) {
    const module = atom.path.slice(0, -2);
    const value = exported(run, module, name, atom.from);
    if (!value.atoms.some((each) => each.a === "known")) return value;
  }
  if (!isShortName(path.slice(path.indexOf("#") + 1))) return UNKNOWN;
  const next: Value = valueOf({ ...atom, key: `k:${path}`, path });
  const row = lookupKnown(run, { ...atom, path }, { form: "read" });
  if (!row || row.effect === "pure") {
    if (BUILTIN_METHODS.has(name) && ["call", "apply", "bind"].includes(name))
      return valueOf({ a: "method", key: `m:${name}:${atom.key}`, name, self: valueOf(atom) });
    return next;
  }
  // `process.env.HOME` is told once, by its longest name.
  if (site.next && site.next !== "()") {
    const deeper = lookupKnown(run, { ...atom, path: `${path}.${site.next}` }, { form: "read" });
    if (deeper && deeper.effect !== "pure") return next;
  }
  const what = knownText(path, site.text);
  const source = emitEffect(run, { effect: row.effect, what, why: row.why }, site.span, { use: NO_PROMISE });
  return withEffect(DATA, source);
}

function memberOfInstance(
  run: Run,
  atom: Extract<Atom, { a: "instance" }>,
  name: string,
  site: MemberSite,
): Value {
  const self = valueOf(atom);
  const row = lookupKnown(run, { ...atom, path: `${atom.of}.${name}`, instance: true }, { form: "read" });
  if (row && row.effect !== "pure")
    return withEffect(
      DATA,
      emitEffect(run, { effect: row.effect, what: site.text, why: row.why }, site.span, { use: NO_PROMISE }),
    );
  return valueOf({ a: "member", key: `i:${atom.of}.${name}`, of: atom.of, name, from: atom.from, self });
}

function memberOfClass(run: Run, atom: Extract<Atom, { a: "class" }>, name: string, site: MemberSite): Value {
  const found = findMember(run, atom.cls, atom.env, name, true);
  const statics = run.solver.staticsOf(found?.cls ?? atom.cls, found?.env ?? atom.env);
  if (found?.member.kind === "method" && found.member.functionId !== null)
    return methodValue(run, found.member.functionId, found.env, valueOf(atom));
  if (found?.member.kind === "get" && found.member.functionId !== null)
    return callGetter(run, found.member.functionId, found.env, valueOf(atom), site);
  run.solver.noteRead(run, statics, `${atom.cls.name}.${name}`, name, site.span, "static");
  const cell = statics.fields.get(name);
  if (cell) return run.read(cell);
  if (["call", "apply", "bind"].includes(name))
    return valueOf({ a: "method", key: `m:${name}:${atom.key}`, name, self: valueOf(atom) });
  return name === "name"
    ? DATA
    : run.read(statics.field(name)).isBottom
      ? UNKNOWN
      : run.read(statics.field(name));
}

/** `limits` of `limits.rounds`; a field of an object with methods by its class: `Mutex.locked`, not `this`. */
function nameOfRead(obj: HeapObject, name: string, site: MemberSite): string {
  const text = site.text.replace(/\.\w+$/, "");
  return text === "this" && obj.cls ? `${obj.cls.name}.${name}` : text;
}

function methodValue(run: Run, id: string, env: Act, self: Value): Value {
  const fn = run.solver.program.fn(id);
  if (!fn) return UNKNOWN;
  return valueOf({ a: "closure", key: `f:${fn.id}:${env.n}:${self.key}`, fn, env, self, bound: [] });
}

function memberOfObject(
  run: Run,
  atom: Extract<Atom, { a: "object" }>,
  name: string,
  site: MemberSite,
): Value {
  const { obj } = atom;
  const self = valueOf(atom);
  if (obj.owner !== run.act)
    run.solver.noteRead(run, obj, nameOfRead(obj, name, site), name, site.span, "object");
  const getter = obj.accessors.get(name)?.get;
  if (getter) return callGetter(run, getter.fn.id, getter.env, self, site);
  const cell = obj.fields.get(name);
  const own = cell ? run.read(cell) : BOTTOM;
  if (obj.cls && obj.clsEnv) {
    const found = findMember(run, obj.cls, obj.clsEnv, name, false);
    if (found?.member.functionId && found.member.kind === "method")
      return join(own, methodValue(run, found.member.functionId, found.env, self));
    if (found?.member.functionId && found.member.kind === "get")
      return join(own, callGetter(run, found.member.functionId, found.env, self, site));
    if (found?.member.kind === "field" && found.member.annotation)
      return contextFromAnnotation(run, found.member.annotation, run.read(obj.field(name)), site.span);
  }
  if (!own.isBottom) {
    noteComputedAtLoad(run, obj.owner, own, site);
    return join(own, run.read(obj.rest));
  }
  if ((obj.kind === "array" || obj.kind === "map") && (BUILTIN_METHODS.has(name) || name === "complete"))
    return valueOf({ a: "method", key: `m:${name}:${atom.key}`, name, self });
  if (obj.kind === "array" && /^\d+$/.test(name)) return elementAt(run, self, Number(name));
  if (name === "length" || name === "size") return derived(elementOf(run, self));
  const base = run.read(obj.base);
  if (!base.isBottom) return readMember(run, base, name, site);
  const rest = run.read(obj.rest);
  if (!rest.isBottom) {
    noteComputedAtLoad(run, obj.owner, rest, site);
    return rest;
  }
  if (BUILTIN_METHODS.has(name)) return valueOf({ a: "method", key: `m:${name}:${atom.key}`, name, self });
  // Read it through a cell, so that the reader runs again when the field is set later.
  const later = run.read(obj.field(name));
  return later.isBottom ? (obj.kind === "instance" ? BOTTOM : UNDEFINED) : later;
}
