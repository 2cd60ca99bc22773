import type { CatalogueRow } from "../types.js";

type Further = Omit<CatalogueRow, "of" | "effect" | "why">;

/**
 * Rows that share an effect and its reason.
 *
 * @param prefix what stands before each name: `Math.`, `uuid#`, `pg#Pool.`
 * @param names separated by blanks
 */
export function rows(
  prefix: string,
  effect: CatalogueRow["effect"],
  why: string,
  names: string,
  further: Further = {},
): readonly CatalogueRow[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => ({ of: prefix + name, effect, why, ...further }));
}

/** Rows of things that give the same for the same and do nothing else. */
export function pure(prefix: string, names: string, further: Further = {}): readonly CatalogueRow[] {
  return rows(prefix, "pure", "it depends on its receiver and arguments only", names, further);
}
