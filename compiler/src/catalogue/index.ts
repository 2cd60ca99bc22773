import type { CatalogueRow } from "../types.js";
import { PACKAGES } from "./packages/index.js";
import { PLATFORM } from "./platform/index.js";

export { createCatalogue, type Catalogue } from "./catalogue.js";
export { CatalogueDeclarationError, type Declarations } from "./declared.js";

/** All rows that come with the checker. */
export const BUILT_IN_ROWS: readonly CatalogueRow[] = [...PLATFORM, ...PACKAGES];
