import type { RenderOptions } from "../check-report.js";
import { renderJson } from "../json.js";
import type { DiffView } from "./diff-report.js";
import { renderDiffGithub } from "./github.js";
import { renderDiffMarkdown } from "./markdown.js";
import { renderDiffPretty } from "./pretty.js";
import { renderDiffSarif } from "./sarif.js";

export type { DiffReport, DiffView, ShownChange } from "./diff-report.js";

/** The formats of `stepproof diff`, each a pure function to the whole text of stdout. */
export const DIFF_FORMATS = {
  pretty: renderDiffPretty,
  json: (view) => renderJson(view.report),
  github: renderDiffGithub,
  sarif: renderDiffSarif,
  markdown: renderDiffMarkdown,
} as const satisfies Record<string, (view: DiffView, options: RenderOptions) => string>;

export type DiffFormat = keyof typeof DIFF_FORMATS;
