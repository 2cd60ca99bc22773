import type { CatalogueRow } from "../../types.js";
import { CLOCK } from "./clock.js";
import { RANDOM_ROWS } from "./random.js";

/** What ES, DOM, Node, Bun, Deno and Workers do. */
export const PLATFORM: readonly CatalogueRow[] = [...CLOCK, ...RANDOM_ROWS];
