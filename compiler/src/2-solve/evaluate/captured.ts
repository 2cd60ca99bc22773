import { contextsIn } from "../values/infos.js";
import type { Run } from "./run.js";
import type { Scope } from "../types.js";
import type { Atom, Value } from "../values/value.js";
import { visitStmts } from "../visit.js";

/** A context that a function uses though it is not handed to it. */
export interface Captured {
  readonly scope: Scope;
  /** The variable that holds it. */
  readonly text: string;
}

/** Contexts that the functions in a value use from around them: `() => step.state.n` holds `step`. */
export function capturedIn(run: Run, value: Value): readonly Captured[] {
  return value.atoms.flatMap((atom) => (atom.a === "closure" ? capturedBy(run, atom) : []));
}

function capturedBy(run: Run, { fn, env }: Extract<Atom, { a: "closure" }>): readonly Captured[] {
  const found = new Map<string, Captured>();
  if (env === null) return [];
  visitStmts(fn.body, (expr) => {
    if (expr.k !== "name" || expr.ref.to !== "binding") return;
    const binding = run.solver.program.binding(expr.ref.id);
    if (!binding || binding.owner === fn.id) return;
    const held = run.solver.variable(env, binding.id);
    if (!held || held.owner.function.owner === null) return;
    for (const scope of contextsIn(run.read(held.cell), 0))
      if (!found.has(scope.id)) found.set(scope.id, { scope, text: binding.name });
  });
  return [...found.values()];
}
