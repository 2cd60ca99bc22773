import type { ClassFacts, Stmt, FunctionFacts } from "../../types.js";
import { bindParam } from "./patterns.js";
import { evaluate } from "./expressions.js";
import type { Run } from "./run.js";
import { execute } from "./statements.js";
import { derived, join, UNDEFINED } from "../values/value.js";
import { Solver } from "../solver.js";
import { settled } from "../values/value.js";

/** Runs an activation's body once: parameters, then statements. */
export function runBody(run: Run): void {
  const { act } = run;
  const fn = act.function;
  const cls = INITS.get(fn);
  if (cls) {
    initialiseFields(run, cls);
    return;
  }
  act.handles = [run.read(act.self)].some((value) => value.atoms.some((atom) => atom.a === "context"));
  fn.params.forEach((param, index) => {
    const value = param.rest
      ? Solver.rest(act, index, (cell) => run.read(cell))
      : join(run.read(act.arg(index)), run.read(act.spread));
    bindParam(run, param, index, value);
  });
  const own = fn.classId === null ? null : run.solver.program.cls(fn.classId);
  if (own?.constructorId === fn.id && own.extends === null) initialiseFields(run, own);
  const falls = execute(run, fn.body);
  if (falls && !fn.generator) run.write(act.result, UNDEFINED);
  if (fn.generator) run.write(act.result, derived(settled(run.read(act.yielded))));
}

/** Field initialisers of a class, as a function of their own: made once per class. */
const INITS = new WeakMap<object, ClassFacts>();
const INIT_OF = new WeakMap<ClassFacts, FunctionFacts>();

/** The function that stands for a class's field initialisers. */
export function initFunction(cls: ClassFacts, owner: FunctionFacts): FunctionFacts {
  let fn = INIT_OF.get(cls);
  if (!fn) {
    fn = {
      id: `${cls.id}#fields`,
      name: `new ${cls.name}`,
      file: cls.file,
      span: cls.span,
      nameSpan: cls.span,
      async: false,
      generator: false,
      arrow: false,
      params: [],
      body: [] as readonly Stmt[],
      owner: owner.id,
      classId: cls.id,
      declared: null,
      returnType: null,
      glance: { assigns: true, methods: new Set(), typedCalls: true, classes: true },
      withInner: [],
    };
    INIT_OF.set(cls, fn);
    INITS.set(fn, cls);
  }
  return fn;
}

/** Runs the field initialisers of a class, in its constructor or in what stands for it. */
export function initialiseFields(run: Run, cls: ClassFacts): void {
  const self = run.read(run.act.self);
  for (const member of cls.members) {
    if (member.static || member.kind !== "field") continue;
    const value = member.value ? evaluate(run, member.value) : null;
    for (const atom of self.atoms)
      if (atom.a === "object" && value) run.write(atom.obj.field(member.name), value);
  }
}
