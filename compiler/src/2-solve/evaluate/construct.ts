import type { CallExpr } from "../../types.js";
import type { Act } from "../act.js";
import { initFunction, initialiseFields } from "./body.js";
import { callClosures, siteOf, type CallSite } from "./calls.js";
import { baseValue } from "./classes.js";
import { evaluate } from "./expressions.js";
import { callKnown } from "../values/knowns.js";
import { readMember } from "./members.js";
import type { Run } from "./run.js";
import { BOTTOM, join, UNKNOWN, valueOf, withAtoms, type Atom, type Value } from "../values/value.js";

type Closure = Extract<Atom, { a: "closure" }>;
type ClassAtom = Extract<Atom, { a: "class" }>;

/** `new C(…)` of a class of the program. */
export function construct(run: Run, atom: ClassAtom, site: CallSite): Value {
  const { cls } = atom;
  const object = run.solver.object(run.act, run.place(site.span), "instance", cls, cls.id);
  object.clsEnv = atom.env;
  const self = valueOf({ a: "object", key: `o:${object.id}`, obj: object });
  initialise(run, atom, self, site);
  return self;
}

/** Runs field initialisers and constructor of a class on an object, the base's first. */
function initialise(run: Run, atom: ClassAtom, self: Value, site: CallSite): void {
  const { cls, env } = atom;
  const constructor = cls.constructorId === null ? null : run.solver.program.fn(cls.constructorId);
  if (!constructor) initialiseBase(run, atom, self, site);
  const hasFields = cls.members.some((member) => !member.static && member.kind === "field" && member.value);
  const own: Closure[] = [];
  if (hasFields && !constructor)
    own.push({ a: "closure", key: `F:${cls.id}`, fn: initFunction(cls, env.function), env, self, bound: [] });
  if (own.length > 0) callClosures(run, own, { ...site, args: [], form: "new", by: null });
  if (constructor)
    callClosures(run, [{ a: "closure", key: `N:${cls.id}`, fn: constructor, env, self, bound: [] }], {
      ...site,
      form: "new",
    });
}

function initialiseBase(run: Run, atom: ClassAtom, self: Value, site: CallSite): void {
  const base = baseValue(run, atom.cls, atom.env);
  for (const each of base.atoms) {
    if (each.a === "class") initialise(run, each, self, site);
    if (each.a === "known") {
      const value = callKnown(run, each, { ...site, form: "new" });
      for (const object of self.atoms) if (object.a === "object") run.write(object.obj.base, value);
    }
  }
}

/** `super(…)` */
export function callSuper(run: Run, expr: CallExpr): Value {
  const self = evaluate(run, { k: "this", span: expr.span });
  const site = siteOf(run, expr, self);
  const cls = ownClass(run);
  if (cls) {
    initialiseBase(run, cls, self, { ...site, text: "super", form: "new" });
    if (cls.cls.constructorId === run.act.function.id) initialiseFields(run, cls.cls);
  }
  return self;
}

/** The class whose member the present function is. */
function ownClass(run: Run): ClassAtom | null {
  let act: Act | null = run.act;
  while (act && act.function.classId === null) act = act.env;
  const cls = act?.function.classId ? run.solver.program.cls(act.function.classId) : null;
  return cls && act?.env ? { a: "class", key: "", cls, env: act.env } : null;
}

/** What `super.name` stands for in the present function. */
export function superMember(run: Run, name: string): Value {
  const cls = ownClass(run);
  const self = evaluate(run, { k: "this", span: [0, 0] });
  if (!cls) return UNKNOWN;
  let out: Value = BOTTOM;
  for (const atom of baseValue(run, cls.cls, cls.env).atoms) {
    if (atom.a !== "class") continue;
    const stand = run.solver.object(
      run.act,
      { file: atom.cls.file, span: atom.cls.span },
      "instance",
      atom.cls,
      "super",
    );
    stand.clsEnv = atom.env;
    const found = readMember(run, valueOf({ a: "object", key: `o:${stand.id}`, obj: stand }), name, {
      span: [0, 0],
      text: name,
    });
    const bound = found.atoms.map((each) =>
      each.a === "closure" ? { ...each, self, key: `${each.key}:${self.key}` } : each,
    );
    out = join(out, withAtoms(found, bound));
  }
  return out.isBottom ? UNKNOWN : out;
}
