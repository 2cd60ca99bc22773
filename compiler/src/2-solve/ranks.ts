import type { Act } from "./act.js";

/**
 * Ranks activations so that each stands before those that it calls, as far as they do not call it back. Ones that are
 * made later stand behind all of these.
 * @param acts in the order in which they were made.
 */
export function rankByCalls(acts: readonly Act[]): void {
  const seen = new Set<Act>();
  let rank = acts.length;
  for (let from = acts.length - 1; from >= 0; from -= 1) {
    const root = acts[from];
    if (!root || seen.has(root)) continue;
    seen.add(root);
    // What is called is ranked before the caller is left; a call chain can be longer than the stack.
    const way = [{ act: root, next: 0 }];
    for (let at = way.at(-1); at; at = way.at(-1)) {
      const edge = at.act.calls[at.next];
      at.next += 1;
      if (!edge) {
        at.act.rank = rank -= 1;
        way.pop();
      } else if (!seen.has(edge.to)) {
        seen.add(edge.to);
        way.push({ act: edge.to, next: 0 });
      }
    }
  }
}
