import type { Act } from "../act.js";

/** Activations during which an entry is recorded, by themselves or by what they call. */
export function activationsWithEntries(acts: readonly Act[]): ReadonlySet<Act> {
  const callers = new Map<Act, Act[]>();
  for (const act of acts)
    for (const edge of act.calls)
      if (edge.kind === "call") {
        const known = callers.get(edge.to);
        if (known) known.push(act);
        else callers.set(edge.to, [act]);
      }
  const found = new Set<Act>();
  const work = acts.filter((act) => act.operations.some((op) => op.kind === "entry"));
  for (let act = work.pop(); act; act = work.pop()) {
    if (found.has(act)) continue;
    found.add(act);
    work.push(...(callers.get(act) ?? []));
  }
  return found;
}
