import { renderDot } from "./dot.js";
import { renderHtml } from "./html.js";
import type { WorkflowGraph } from "./item.js";
import { renderMermaid } from "./mermaid.js";
import { renderSvg } from "./svg.js";

export { buildGraphs } from "./build.js";
export type { WorkflowGraph } from "./item.js";

/** The formats of `stepproof graph`, each a pure function to the whole text. */
export const GRAPH_FORMATS = {
  mermaid: renderMermaid,
  dot: renderDot,
  svg: renderSvg,
  html: renderHtml,
} as const satisfies Record<string, (graphs: readonly WorkflowGraph[]) => string>;

export type GraphFormat = keyof typeof GRAPH_FORMATS;
