import type { RowGroup } from "./rows.js";
import { PACKAGES } from "./packages/index.js";
import { PLATFORM } from "./platform/index.js";

export { expandRows, type RowGroup } from "./rows.js";
export { createCatalogue, type Catalogue } from "./catalogue.js";
export { CatalogueDeclarationError, type Declarations } from "./declared.js";

/** All rows that come with the checker. */
export const BUILT_IN_ROWS: readonly RowGroup[] = [...PLATFORM, ...PACKAGES];
