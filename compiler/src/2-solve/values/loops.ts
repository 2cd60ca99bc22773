/** Stands in a list of loops for all of them: a value that differs in more loops than are listed. */
export const EVERY_LOOP = "*";
const MOST = 8;

/** The loops of both lists, sorted, `a` itself when `b` adds none; of more than can be listed, `EVERY_LOOP`. */
export function loopsOfBoth(a: readonly string[], b: readonly string[]): readonly string[] {
  if (b.length === 0 || a === b || a.includes(EVERY_LOOP)) return a;
  if (a.length === 0) return b;
  if (b.every((loop) => a.includes(loop))) return a;
  const all = [...new Set([...a, ...b])].sort();
  return all.length > MOST || all.includes(EVERY_LOOP) ? [EVERY_LOOP] : all;
}

/** Whether something that differs in `loops` takes another value in each turn of `loop`. */
export const differsIn = (loops: readonly string[], loop: string): boolean =>
  loops.includes(loop) || loops.includes(EVERY_LOOP);
