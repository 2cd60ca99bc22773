import type { CatalogueRow } from "../types.js";
import { expandRows, type RowGroup } from "./rows.js";

/** One package (or scope, `@aws-sdk/*`, or built-in module) and the effects that its rows speak of. */
export interface CoveredPackage {
  readonly name: string;
  /** Without `pure`, sorted; empty = harmless. */
  readonly effects: readonly CatalogueRow["effect"][];
}

/** The packages that the rows speak of, sorted by name; subpaths count as their package. */
export function coveredPackages(groups: readonly RowGroup[]): readonly CoveredPackage[] {
  const found = new Map<string, Set<CatalogueRow["effect"]>>();
  for (const row of expandRows(groups)) {
    const name = packageName(row.of);
    if (name === null) continue;
    const effects = found.get(name) ?? new Set();
    if (row.effect !== "pure") effects.add(row.effect);
    found.set(name, effects);
  }
  return [...found]
    .map(([name, effects]) => ({ name, effects: [...effects].sort() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The list of `docs/catalogue.md`: packages by what they do. */
export function coveredMarkdown(groups: readonly RowGroup[]): string {
  const byEffect = new Map<string, string[]>();
  for (const { name, effects } of coveredPackages(groups)) {
    const group = effects.length === 0 ? "pure" : effects.join(", ");
    byEffect.set(group, [...(byEffect.get(group) ?? []), `\`${name}\``]);
  }
  return [...byEffect]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, names]) => `**${group}**: ${names.join(", ")}`)
    .join("\n\n");
}

function packageName(of: string): string | null {
  if (!of.includes("#")) return null;
  const parts = of.slice(0, of.indexOf("#")).split("/");
  return of.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? null);
}
