import type { CatalogueRow, CatalogueUse, EffectKind } from "../types.js";
import { normalModule } from "./modules.js";

/** What the user says of packages and globals, by pattern: `acme-store#get*`, `@acme/*#*`, `Date.now`. */
export interface Declarations {
  readonly pure?: readonly string[];
  readonly effectful?: readonly (
    string | { readonly of: string; readonly effect: EffectKind; readonly why?: string }
  )[];
}

/** A declaration that can't be read. */
export class CatalogueDeclarationError extends Error {
  readonly code = "CATALOGUE_DECLARATION";
  constructor(declaration: string) {
    super(
      `"${declaration}" is not a declaration that can be read. Write package#export (for example "acme-store#get*" ` +
        `or "@acme/*#*") or a global ("performance.now"); "*" stands for any text.`,
    );
    this.name = "CatalogueDeclarationError";
  }
}

/**
 * Turns declarations into a lookup by key (`module#name` or a global's path). The longest pattern wins, then
 * `effectful` over `pure`.
 *
 * @throws CatalogueDeclarationError
 */
export function declaredRows(declared: Declarations): {
  readonly row: (key: string, use: CatalogueUse) => CatalogueRow | null;
  readonly speaksOf: (key: string) => boolean;
} {
  const patterns = [
    ...(declared.effectful ?? []).map((each) =>
      typeof each === "string"
        ? pattern({ of: each, effect: "declared", why: "the configuration says that it is effectful" })
        : pattern({
            of: each.of,
            effect: each.effect,
            why: each.why ?? "the configuration says that it is effectful",
          }),
    ),
    ...(declared.pure ?? []).map((of) =>
      pattern({ of, effect: "pure", why: "the configuration says that it is pure" }),
    ),
  ].sort((a, b) => b.row.of.length - a.row.of.length);
  return {
    row: (key, use) => {
      const mere = use.form === "read" || use.form === "write";
      return (
        patterns.find((each) => each.matches.test(key) && !(mere && each.row.effect !== "pure"))?.row ?? null
      );
    },
    speaksOf: (key) => patterns.some((each) => each.matches.test(key)),
  };
}

function pattern(row: CatalogueRow): { readonly matches: RegExp; readonly row: CatalogueRow } {
  const parts = /^(?:([^#]+)#)?([\w$.*]+)$/.exec(row.of);
  if (!parts?.[2]) throw new CatalogueDeclarationError(row.of);
  const text = parts[1] === undefined ? parts[2] : `${normalModule(parts[1])}#${parts[2]}`;
  return { row, matches: new RegExp(`^${text.replace(/[.$+()[\]{}|^?\\]/g, "\\$&").replace(/\*/g, ".*")}$`) };
}
