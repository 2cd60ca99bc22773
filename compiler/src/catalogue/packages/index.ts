import type { RowGroup } from "../rows.js";
import { AI } from "./ai.js";
import { CLOUD_ROWS } from "./cloud.js";
import { CONFIG } from "./config.js";
import { CONTROL } from "./control.js";
import { DATABASES } from "./databases.js";
import { DATES } from "./dates.js";
import { FILES } from "./files.js";
import { FUNCTIONS } from "./functions.js";
import { HTTP } from "./http.js";
import { IDS } from "./ids.js";
import { LOGGERS } from "./loggers.js";
import { MAIL } from "./mail.js";
import { PAYMENTS } from "./payments.js";
import { QUEUES } from "./queues.js";
import { RANDOMS } from "./random.js";
import { SCHEMAS } from "./schemas.js";

/** What well-known packages do. */
export const PACKAGES: readonly RowGroup[] = [
  ...IDS,
  ...RANDOMS,
  ...DATES,
  ...HTTP,
  ...DATABASES,
  ...QUEUES,
  ...MAIL,
  ...PAYMENTS,
  ...AI,
  ...CLOUD_ROWS,
  ...LOGGERS,
  ...FUNCTIONS,
  ...SCHEMAS,
  ...FILES,
  ...CONTROL,
  ...CONFIG,
];
