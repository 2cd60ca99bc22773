import type { CatalogueRow } from "../../types.js";

/** What well-known packages do. */
export const PACKAGES: readonly CatalogueRow[] = [];
