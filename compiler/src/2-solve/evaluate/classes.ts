import type { ClassFacts, ClassMember } from "../../types.js";
import type { Act } from "../act.js";
import { evaluate } from "./expressions.js";
import type { Run } from "./run.js";
import { valueOf, type Value } from "../values/value.js";

/** A class as a value; its static fields are set as it is defined. */
export function evaluateClass(run: Run, cls: ClassFacts): Value {
  const value = valueOf({ a: "class", key: `C:${cls.id}:${run.act.n}`, cls, env: run.act });
  if (cls.extends) run.write(run.solver.baseOf(cls, run.act), evaluate(run, cls.extends));
  const statics = run.solver.staticsOf(cls, run.act);
  for (const member of cls.members)
    if (member.static && member.kind === "field" && member.value)
      run.write(statics.field(member.name), evaluate(run, member.value));
  return value;
}

export interface FoundMember {
  readonly member: ClassMember;
  readonly cls: ClassFacts;
  readonly env: Act;
}

/** A member of a class or of what it extends. */
export function findMember(
  run: Run,
  cls: ClassFacts,
  env: Act,
  name: string,
  isStatic: boolean,
): FoundMember | null {
  const seen = new Set<string>();
  let at: { cls: ClassFacts; env: Act } | null = { cls, env };
  while (at && !seen.has(at.cls.id)) {
    const current: { cls: ClassFacts; env: Act } = at;
    seen.add(current.cls.id);
    const member = current.cls.members.find(
      (each) => each.name === name && each.static === isStatic && each.kind !== "set",
    );
    if (member) return { member, cls: current.cls, env: current.env };
    const base = run
      .read(run.solver.baseOf(current.cls, current.env))
      .atoms.find((atom) => atom.a === "class");
    at = base?.a === "class" ? { cls: base.cls, env: base.env } : null;
  }
  return null;
}

/** The class that a class extends, and what is known of a base outside the program. */
export function baseValue(run: Run, cls: ClassFacts, env: Act): Value {
  return run.read(run.solver.baseOf(cls, env));
}
