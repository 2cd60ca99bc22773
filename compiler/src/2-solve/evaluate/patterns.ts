import type { ParamFacts, Pattern } from "../../types.js";
import { contextFromAnnotation } from "./annotations.js";
import { assignTo } from "./assign.js";
import { elementAt, elementOf } from "../values/elements.js";
import { evaluate } from "./expressions.js";
import { readMember } from "./members.js";
import { noteContext } from "./names.js";
import type { Run } from "./run.js";
import {
  constantsOf,
  derived,
  join,
  only,
  UNDEFINED,
  UNKNOWN,
  valueOf,
  withVaries,
  type Value,
} from "../values/value.js";

/** Binds a parameter; an annotation tells of a context where the argument does not. */
export function bindParam(run: Run, param: ParamFacts, index: number, value: Value): void {
  let bound = param.rest ? asArray(run, param.pattern.span, value) : value;
  const missing = index >= run.act.argCount;
  if (param.pattern.p === "default" && !missing && !mayBeUndefined(value)) {
    bind(run, param.pattern.pattern, bound, "declare");
    return;
  }
  if (param.annotation) bound = contextFromAnnotation(run, param.annotation, bound, param.pattern.span);
  bind(run, param.pattern, bound, "declare");
}

const mayBeUndefined = (value: Value): boolean =>
  value.isBottom || value.atoms.some((atom) => atom.a === "const" && atom.value === undefined);

function asArray(run: Run, span: readonly [number, number], items: Value): Value {
  const array = run.solver.object(run.act, run.place(span), "array", null, "rest");
  run.write(array.rest, items);
  return valueOf({ a: "object", key: `o:${array.id}`, obj: array });
}

/** Gives the variables of a pattern their values. */
export function bind(run: Run, pattern: Pattern, value: Value, how: "declare" | "assign"): void {
  switch (pattern.p) {
    case "binding": {
      noteContext(run, value);
      if (how === "assign") return assignTo(run, pattern, value);
      const binding = run.solver.program.binding(pattern.id);
      const typed = binding?.annotation
        ? contextFromAnnotation(run, binding.annotation, value, pattern.span)
        : value;
      run.solver.declaredIn.set(pattern.id, run.loops);
      run.write(run.act.variable(pattern.id), typed);
      return;
    }
    case "target":
      return assignTo(run, pattern, value);
    case "object": {
      const taken: string[] = [];
      for (const prop of pattern.props) {
        const computed = prop.computed ? evaluate(run, prop.computed) : null;
        const key = prop.key ?? (computed ? String(constantsOf(computed)?.[0] ?? "") || null : null);
        if (key !== null) taken.push(key);
        const part =
          key === null
            ? elementOf(run, value)
            : readMember(run, value, key, { span: prop.value.span, text: key });
        const given =
          key !== null && prop.value.p === "default" && isWritten(value, key) && !mayBeUndefined(part);
        bind(run, given && prop.value.p === "default" ? prop.value.pattern : prop.value, part, how);
      }
      if (pattern.rest) bind(run, pattern.rest, restOf(run, pattern.rest.span, value, taken), how);
      return;
    }
    case "array":
      pattern.items.forEach((item, index) => {
        if (item) bind(run, item, elementAt(run, value, index), how);
      });
      if (pattern.rest) bind(run, pattern.rest, asArray(run, pattern.rest.span, elementOf(run, value)), how);
      return;
    case "default": {
      let bound = value;
      const sure = !value.open && !value.data && !mayBeUndefined(value);
      const recorded = value.atoms.every((atom) => atom.a === "recorded");
      if (!sure || (recorded && value.atoms.length > 0)) {
        const given = only(value, (atom) => !(atom.a === "const" && atom.value === undefined));
        let standIn: Value = UNDEFINED;
        const arm = run.nested(() => void (standIn = evaluate(run, pattern.value)));
        for (const node of arm) run.push(node);
        bound = given.isBottom ? standIn : join(given, standIn);
      }
      return bind(run, pattern.pattern, bound, how);
    }
  }
}

/** The object was written with that property, as in `f({ id })`: like an argument that is given. */
const isWritten = (value: Value, key: string): boolean =>
  value.atoms.length > 0 &&
  !value.open &&
  !value.data &&
  value.atoms.every((atom) => atom.a === "object" && atom.obj.fields.has(key));

function restOf(run: Run, span: readonly [number, number], value: Value, taken: readonly string[]): Value {
  const rest = run.solver.object(run.act, run.place(span), "object", null, "rest");
  let known = false;
  for (const atom of value.atoms)
    if (atom.a === "object") {
      known = true;
      for (const [name, cell] of atom.obj.fields)
        if (!taken.includes(name)) run.write(rest.field(name), run.read(cell));
      run.write(rest.rest, run.read(atom.obj.rest));
    } else if (atom.a === "context") {
      // `const { queue, ...rest } = ctx`: the rest is still the context.
      return valueOf(atom);
    }
  if (!known) run.write(rest.rest, value.open ? UNKNOWN : derived(value));
  return withVaries(valueOf({ a: "object", key: `o:${rest.id}`, obj: rest }), value.varies);
}
