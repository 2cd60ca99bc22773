import type { BindingFacts, NameExpr, Ref, Span } from "../../types.js";
import type { Act } from "../act.js";
import { emitEffect } from "./effects.js";
import { exported, isEngine } from "./exported.js";
import type { HeapObject } from "../values/heap.js";
import { isDataClass, lookupKnown } from "../values/knowns.js";
import type { Mutation } from "../mutations.js";
import { NO_PROMISE } from "../act.js";
import type { Run } from "./run.js";
import { Shared } from "./shared.js";
import {
  constant,
  DATA,
  UNDEFINED,
  UNKNOWN,
  recorded,
  valueOf,
  withEffect,
  withSourceOf,
  type Atom,
  type Value,
} from "../values/value.js";

/** What a name stands for at this place, told of when it is shared or came from an effect. */
export function readName(run: Run, expr: NameExpr): Value {
  const { ref } = expr;
  if (ref.to === "binding") {
    const found = run.solver.variable(run.act, ref.id);
    if (!found) return UNKNOWN;
    const value = run.read(found.cell);
    noteContext(run, value);
    return found.owner === run.act ? value : noteForeign(run, expr, ref.id, found.owner, value);
  }
  const value = resolve(run, ref);
  for (const atom of value.atoms)
    if (atom.a === "known") {
      const row = lookupKnown(run, atom, { form: "read" });
      if (row && row.effect !== "pure")
        return withEffect(
          value,
          emitEffect(run, { effect: row.effect, what: expr.name, why: row.why }, expr.span, {
            use: NO_PROMISE,
          }),
        );
    }
  return value;
}

/** What a reference stands for, wherever it is read. */
export function resolve(run: Run, ref: Ref): Value {
  switch (ref.to) {
    case "binding": {
      const found = run.solver.variable(run.act, ref.id);
      return found ? run.read(found.cell) : UNKNOWN;
    }
    case "namespace":
      return valueOf({ a: "namespace", key: `n:${ref.file}`, file: ref.file });
    case "global":
      return resolveGlobal(ref.name, run.file);
    case "external":
      return exported(run, ref.module, ref.name, run.file);
  }
}

function resolveGlobal(name: string, from: string): Value {
  if (name === "undefined") return UNDEFINED;
  if (name === "NaN" || name === "Infinity") return DATA;
  if (name === "__filename" || name === "__dirname") return constant(name);
  return valueOf({ a: "known", key: `k:${name}`, path: name, from });
}

/** Notes that this activation handles a workflow's context, or an object that is made around one: `new Steps(ctx)`. */
export function noteContext(run: Run, value: Value): void {
  if (run.act.handles) return;
  for (const atom of value.atoms) {
    const isOne =
      atom.a === "object" && atom.obj.kind === "instance" ? holdsContext(run, atom.obj) : isContext(atom);
    if (isOne) run.act.handles = true;
  }
}

const isContext = (atom: Atom): boolean => atom.a === "context" && atom.scope.kind !== "actor";

function holdsContext(run: Run, object: HeapObject): boolean {
  if (!object.mayCarry) return false;
  for (const cell of object.fields.values()) if (run.read(cell).atoms.some(isContext)) return true;
  return false;
}

/** A variable of another activation is read: is it process-local state, or computed at load? */
function noteForeign(run: Run, expr: NameExpr, id: string, owner: Act, value: Value): Value {
  if (run.act.zone !== "workflow" || owner.zone !== "outside") return value;
  const binding = run.solver.program.binding(id);
  if (!binding) return value;
  noteComputedAtLoad(run, owner, value, { span: expr.span, text: expr.name });
  noteShared(run, binding, owner, "read", expr.span, value);
  if (
    !mayBeState(binding, "read") ||
    isPackageObject(binding, value) ||
    !run.solver.mutations.of(id, harmlessMethods(value))
  )
    return value;
  const place = run.place(expr.span);
  return withSourceOf(
    value,
    recorded({ key: `shared:${id}`, place, method: "shared", path: [], ephemeral: false }),
  );
}

/** `const jobs = new Queue()`: what its methods do is the catalogue's to say, `jobs.add()` is no change of a set. */
const isPackageObject = (binding: BindingFacts, value: Value | null): boolean =>
  binding.kind === "const" &&
  value !== null &&
  value.atoms.length > 0 &&
  value.atoms.every((atom) => atom.a === "instance" && !atom.of.startsWith("#") && atom.of.includes("#"));

/**
 * Calls of `set`, `delete` and the like that do not change the data of what a variable holds: of a client, a function
 * or a promise none does, and an object of the program has methods of its own, which are looked into.
 */
function harmlessMethods(value: Value | null): ReadonlySet<Mutation["how"]> {
  if (value === null || value.data || value.atoms.length === 0) return NO_METHODS;
  if (value.atoms.every((atom) => FOREIGN.has(atom.a))) return ALL_METHODS;
  return value.atoms.every((atom) => FOREIGN.has(atom.a) || hasOwnMethods(atom)) ? OWN_METHODS : NO_METHODS;
}
const FOREIGN: ReadonlySet<Atom["a"]> = new Set([
  "instance",
  "member",
  "known",
  "closure",
  "class",
  "promise",
]);
const NO_METHODS: ReadonlySet<Mutation["how"]> = new Set();
const OWN_METHODS: ReadonlySet<Mutation["how"]> = new Set(["method"]);
const ALL_METHODS: ReadonlySet<Mutation["how"]> = new Set(["method", "inner method"]);

/** An object literal, or an object of a class that is no collection of the platform. */
const hasOwnMethods = (atom: Atom): boolean =>
  atom.a === "object" &&
  (atom.obj.kind === "object" || (atom.obj.kind === "instance" && atom.obj.base.value.isBottom));

const mayBeState = (binding: BindingFacts, mode: "read" | "write"): boolean =>
  mode === "write" || !["function", "class", "namespace", "enum", "param"].includes(binding.kind);

/** A constant that was computed from an effect when the process started differs between processes. */
export function noteComputedAtLoad(
  run: Run,
  owner: Act,
  value: Value,
  site: { readonly span: Span; readonly text: string },
): void {
  const [effect] = value.effects;
  if (!effect || run.act.zone !== "workflow" || owner.phase !== "load" || !holdsData(value)) return;
  emitEffect(
    run,
    {
      effect: effect.effect,
      what: site.text,
      why: `it was computed from \`${effect.what}\` when the process started`,
    },
    site.span,
    { computedAt: effect.place, use: NO_PROMISE },
  );
}

/**
 * Objects that merely were made with an effect at hand are no data; what is read off one is:
 * `response.status`. A date, a formatter, an address of the platform is data as a whole.
 */
const holdsData = (value: Value): boolean =>
  value.data ||
  value.open ||
  value.atoms.every(
    (atom) =>
      atom.a === "const" ||
      atom.a === "pattern" ||
      atom.a === "member" ||
      (atom.a === "instance" && isDataClass(atom.of)),
  );

/**
 * Notes a read or write of state that outlives one run. Whether the thing ever changes is decided when
 * all files are read; see `Solver.finish`.
 */
export function noteShared(
  run: Run,
  binding: BindingFacts,
  owner: Act,
  mode: "read" | "write",
  span: readonly [number, number],
  value: Value | null,
): void {
  if (run.act.zone === "outside" || isEngine(run, value)) return;
  if (!mayBeState(binding, mode) || (mode === "read" && isPackageObject(binding, value))) return;
  const harmless = harmlessMethods(mode === "read" ? value : null);
  run.operations.push(
    new Shared(
      run,
      span,
      binding.name,
      mode,
      owner.function.owner !== null
        ? "enclosing"
        : mode === "read" && binding.kind === "const"
          ? "object"
          : "variable",
      { file: binding.file, span: binding.span },
      ({ mutations, onlyAtLoad }) => mutations.of(binding.id, harmless, onlyAtLoad)?.place ?? null,
    ),
  );
}
