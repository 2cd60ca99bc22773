import type { CatalogueRow } from "../types.js";

/**
 * Rows that differ in what they speak of only. There are thousands of names; kept together, they cost nothing
 * until one is asked for.
 */
export interface RowGroup {
  /** As `CatalogueRow.of`. */
  readonly names: readonly string[];
  readonly row: Omit<CatalogueRow, "of">;
}

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
): readonly RowGroup[] {
  return [{ names: listed(names).map((name) => prefix + name), row: { effect, why, ...further } }];
}

/** Rows of things that give the same for the same and do nothing else. */
export function pure(prefix: string, names: string, further: Further = {}): readonly RowGroup[] {
  return rows(prefix, "pure", "it depends on its receiver and arguments only", names, further);
}

/** Rows that cover whole packages. */
export function packages(
  effect: CatalogueRow["effect"],
  why: string,
  names: string,
  further: Further = {},
): readonly RowGroup[] {
  return [{ names: wholly(names), row: { effect, why, ...further } }];
}

/** Packages that work on their arguments only; functions given to them are called. */
export function purePackages(names: string): readonly RowGroup[] {
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
): readonly RowGroup[] {
  const harmless = "a client that is made does nothing yet";
  return [
    ...packages(effect, why, names, { async: true, ...further }),
    ...packages("pure", harmless, names, { when: { form: "new" } }),
    ...(makers === ""
      ? []
      : listed(names).flatMap((name) =>
          rows(`${name}#`, "pure", harmless, makers, { returns: `${name}#Client` }),
        )),
  ];
}

/** Every row by itself. */
export function expandRows(groups: readonly RowGroup[]): readonly CatalogueRow[] {
  return groups.flatMap(({ names, row }) => names.map((of) => ({ of, ...row })));
}

const listed = (names: string): readonly string[] => names.trim().split(/\s+/);
const wholly = (names: string): readonly string[] => listed(names).map((name) => `${name}#*`);
