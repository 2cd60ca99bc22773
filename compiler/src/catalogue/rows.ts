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

/** Rows that cover whole packages. */
export function packages(
  effect: CatalogueRow["effect"],
  why: string,
  names: string,
  further: Further = {},
): readonly CatalogueRow[] {
  return names
    .trim()
    .split(/\s+/)
    .flatMap((name) => rows(`${name}#`, effect, why, "*", further));
}

/** Packages that work on their arguments only; functions given to them are called. */
export function purePackages(names: string): readonly CatalogueRow[] {
  return packages("pure", "it works on its arguments only", names, { calls: "all" });
}

/**
 * Packages that are clients of something outside: making the client is harmless, everything called on it is
 * the effect.
 *
 * @param makers functions that give a client, besides `new`
 */
export function clients(
  effect: CatalogueRow["effect"],
  why: string,
  names: string,
  makers = "",
  further: Further = {},
): readonly CatalogueRow[] {
  return names
    .trim()
    .split(/\s+/)
    .flatMap((name) => [
      ...rows(`${name}#`, effect, why, "*", { async: true, ...further }),
      ...rows(`${name}#`, "pure", "a client that is made does nothing yet", "*", { when: { form: "new" } }),
      ...(makers === ""
        ? []
        : rows(`${name}#`, "pure", "a client that is made does nothing yet", makers, {
            returns: `${name}#Client`,
          })),
    ]);
}
