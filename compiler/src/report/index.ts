import type { CheckReport, RenderOptions } from "./check-report.js";
import { renderGithub } from "./github.js";
import { renderJson } from "./json.js";
import { renderPretty } from "./pretty.js";
import { renderSarif } from "./sarif.js";

export type { CheckReport, RenderOptions } from "./check-report.js";

/** The formats of `stepproof check`, each a pure function to the whole text of stdout. */
export const CHECK_FORMATS = {
  pretty: renderPretty,
  json: (report) => renderJson(report),
  github: renderGithub,
  sarif: renderSarif,
} as const satisfies Record<string, (report: CheckReport, options: RenderOptions) => string>;

export type CheckFormat = keyof typeof CHECK_FORMATS;
