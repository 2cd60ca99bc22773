import type { RowGroup } from "../rows.js";
import { CLOCK } from "./clock.js";
import { COLLECTIONS } from "./collections.js";
import { HOST_ROWS } from "./host.js";
import { IO } from "./io.js";
import { LOCALE_ROWS } from "./locale.js";
import { PURE } from "./pure.js";
import { RANDOM_ROWS } from "./random.js";
import { TIMERS } from "./timers.js";

/** What ES, DOM, Node, Bun, Deno and Workers do. */
export const PLATFORM: readonly RowGroup[] = [
  ...CLOCK,
  ...RANDOM_ROWS,
  ...TIMERS,
  ...IO,
  ...LOCALE_ROWS,
  ...HOST_ROWS,
  ...COLLECTIONS,
  ...PURE,
];
