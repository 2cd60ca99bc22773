import type { BindingFacts, Expr, Pattern } from "../../types.js";
import type { Act } from "../act.js";
import { NO_PROMISE } from "../act.js";
import { evaluate } from "./expressions.js";
import { capturedIn } from "./captured.js";
import { chainOf } from "../values/chains.js";
import { contextMember } from "../entries/contexts.js";
import { emitEffect } from "./effects.js";
import type { HeapObject } from "../values/heap.js";
import { infoOf } from "../values/infos.js";
import { lookupKnown } from "../values/knowns.js";
import { evaluateMember } from "./members.js";
import { noteShared, readName } from "./names.js";
import { bind } from "./patterns.js";
import { printExpr } from "../values/print.js";
import type { Run } from "./run.js";
import { constantsOf, UNKNOWN, valueOf, withSourceOf, withVaries, type Value } from "../values/value.js";

/** Assigns to the target of an assignment, and tells what that changes. */
export function assignTo(run: Run, target: Pattern, value: Value): void {
  switch (target.p) {
    case "binding":
      return assignVariable(run, target.id, target.span, value);
    case "target":
      return assignExpr(run, target.expr, value);
    default:
      return bind(run, target, value, "assign");
  }
}

function assignExpr(run: Run, target: Expr, value: Value): void {
  if (target.k === "name" && target.ref.to === "binding")
    return assignVariable(run, target.ref.id, target.span, value);
  if (target.k === "cast") return assignExpr(run, target.operand, value);
  if (target.k === "member") return assignMember(run, target, value);
  evaluate(run, target);
}

function assignVariable(run: Run, id: string, span: readonly [number, number], value: Value): void {
  const found = run.solver.variable(run.act, id);
  const binding = run.solver.program.binding(id);
  if (!found || !binding) return;
  noteEscape(run, value, binding.name, span, found.owner !== run.act);
  if (found.owner !== run.act) noteWrite(run, binding, found.owner, "assign", span);
  const declared = run.solver.declaredIn.get(id) ?? [];
  const loops = found.owner === run.act ? run.loops.filter((loop) => !declared.includes(loop)) : run.loops;
  run.write(found.cell, withVaries(withSourceOf(value, run.control), loops));
}

/** A variable (or an object in it) of another activation is changed. */
function noteWrite(
  run: Run,
  binding: BindingFacts,
  owner: Act,
  how: "assign" | "property" | "method",
  span: readonly [number, number],
): void {
  if (owner.zone === "outside") {
    noteShared(run, binding, owner, "write", span, null);
    return;
  }
  run.record({
    kind: "write",
    ...run.base(run.place(span)),
    name: binding.name,
    how,
    owner: { function: owner.function.id, zone: owner.zone, scope: owner.scope },
    declared: { file: binding.file, span: binding.span },
  });
}

export function noteEscape(
  run: Run,
  value: Value,
  into: string,
  span: readonly [number, number],
  outlives: boolean,
): void {
  if (!outlives) return;
  for (const atom of value.atoms)
    if (atom.a === "context" && atom.api.length === 0 && atom.scope.kind !== "actor")
      run.record({
        kind: "escape",
        ...run.base(run.place(span)),
        context: { scope: atom.scope, text: atom.text },
        how: "stored",
        into,
      });
  for (const { scope, text } of capturedIn(run, value))
    if (scope.kind !== "actor")
      run.record({
        kind: "escape",
        ...run.base(run.place(span)),
        context: { scope, text },
        how: "captured",
        into,
      });
}

function assignMember(run: Run, target: Extract<Expr, { k: "member" }>, value: Value): void {
  const chain = chainOf(target);
  const root = evaluate(run, chain.root);
  // `step.state.a.b = 1` is one write of an actor API.
  if (chain.steps.length > 0 && chain.steps.every((step) => step.property !== null)) {
    const path = chain.steps.map((step) => step.property ?? "");
    let handled = false;
    for (const atom of root.atoms)
      if (atom.a === "context")
        handled =
          contextMember(run, atom, path, {
            span: target.span,
            text: printExpr(run, chain.root),
            mode: "write",
            args: [infoOf(run, target, value)],
          }) !== null || handled;
    if (handled) return;
  }
  const inner: Expr = target.object;
  const object = inner === chain.root ? root : evaluate(run, inner);
  const computed = target.computed ? evaluate(run, target.computed) : null;
  const keys =
    target.property !== null
      ? [target.property]
      : computed
        ? (constantsOf(computed)?.map(String) ?? null)
        : null;
  noteMutation(run, object, inner, target.span, "property");
  for (const atom of object.atoms) {
    if (atom.a === "object") {
      noteEscape(run, value, printExpr(run, target), target.span, outlives(run, atom.obj));
      const [key] = keys ?? [];
      const setter = key === undefined ? undefined : atom.obj.accessors.get(key)?.set;
      if (setter) {
        run.solver.callSetter(run, setter, valueOf(atom), value, target.span);
        continue;
      }
      const stored = withSourceOf(value, run.control);
      if (keys) for (const each of keys) run.write(atom.obj.field(each), stored);
      else run.write(atom.obj.rest, computed ? withVaries(stored, computed.varies) : stored);
    }
    if (atom.a === "class") {
      noteEscape(run, value, printExpr(run, target), target.span, atom.env !== run.act);
      const statics = run.solver.staticsOf(atom.cls, atom.env);
      if (keys) for (const each of keys) run.write(statics.field(each), value);
    }
    if (atom.a === "known" && keys?.[0] !== undefined) {
      const row = lookupKnown(
        run,
        { ...atom, path: `${atom.path}${atom.path.endsWith("#") ? "" : "."}${keys[0]}` },
        { form: "write" },
      );
      if (row && row.effect !== "pure")
        emitEffect(run, { effect: row.effect, what: printExpr(run, target), why: row.why }, target.span, {
          use: NO_PROMISE,
          writes: true,
        });
    }
  }
}

export const outlives = (run: Run, object: HeapObject): boolean =>
  object.owner !== run.act && (object.owner.zone !== run.act.zone || object.owner.scope !== run.act.scope);

/** An object is changed in place: tells whose it is. */
export function noteMutation(
  run: Run,
  object: Value,
  expr: Expr,
  span: readonly [number, number],
  how: "property" | "method",
): void {
  for (const atom of object.atoms) {
    if (atom.a === "recorded" && atom.site.method !== "input" && atom.site.method !== "shared")
      run.record({
        kind: "recorded-write",
        ...run.base(run.place(span)),
        entry: { place: atom.site.place, method: atom.site.method, path: atom.site.path },
        text: printExpr(run, expr),
      });
    if (atom.a === "class")
      noteObject(run, atom.env, atom.cls.name, span, how, "static", run.solver.staticsOf(atom.cls, atom.env));
    if (atom.a === "object" && atom.obj.owner !== run.act && !isOwnInstance(run, atom.obj))
      noteObject(
        run,
        atom.obj.owner,
        rootName(expr),
        span,
        how,
        atom.obj.id.startsWith("static:") ? "static" : "object",
        atom.obj,
      );
  }
}

/** `this.x = …` in the constructor (or a method of an object made in the same run of code). */
const isOwnInstance = (run: Run, object: HeapObject): boolean =>
  object.kind === "instance" &&
  object.owner.zone === run.act.zone &&
  object.owner.phase === run.act.phase &&
  run.act.phase === "load";

function noteObject(
  run: Run,
  owner: Act,
  name: string,
  span: readonly [number, number],
  how: "property" | "method",
  what: "object" | "static",
  object: HeapObject,
): void {
  const place = run.place(span);
  if (run.act.phase !== "load" && owner.zone === "outside") run.solver.noteChanged(object, place);
  if (owner === run.act || run.act.zone === "outside") return;
  if (owner.zone === "outside") {
    run.operations.push({
      kind: "shared",
      ...run.base(place),
      name,
      mode: "write",
      what,
      declared: object.place,
      changedAt: place,
    });
    return;
  }
  run.record({
    kind: "write",
    ...run.base(place),
    name,
    how,
    owner: { function: owner.function.id, zone: owner.zone, scope: owner.scope },
    declared: object.place,
  });
}

function rootName(expr: Expr): string {
  if (expr.k === "name") return expr.name;
  if (expr.k === "this") return "this";
  if (expr.k === "member")
    return rootName(expr.object) === "this" ? `this.${expr.property ?? "*"}` : rootName(expr.object);
  return "object";
}

/** Reads the target of `x += …`, or deletes it. */
export function readTarget(run: Run, target: Expr, how: "update" | "delete"): Value {
  if (target.k === "name") return readName(run, target);
  if (target.k !== "member") return evaluate(run, target);
  if (how === "delete") {
    const object = evaluate(run, target.object);
    noteMutation(run, object, target.object, target.span, "property");
    return UNKNOWN;
  }
  const chain = chainOf(target);
  if (chain.root.k === "name" || chain.root.k === "this") {
    const root = evaluate(run, chain.root);
    if (root.atoms.some((atom) => atom.a === "context")) return UNKNOWN;
  }
  return evaluateMember(run, target);
}
