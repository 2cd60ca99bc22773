import type { RenderOptions } from "../check-report.js";
import { renderJson } from "../json.js";
import type { PreflightReport } from "./preflight-report.js";
import { renderPreflightPretty } from "./pretty.js";

export type { PreflightReport } from "./preflight-report.js";

/** The formats of `stepproof preflight`, each a pure function to the whole text of stdout. */
export const PREFLIGHT_FORMATS = {
  pretty: renderPreflightPretty,
  json: renderJson,
} as const satisfies Record<string, (report: PreflightReport, options: RenderOptions) => string>;

export type PreflightFormat = keyof typeof PREFLIGHT_FORMATS;
