import type { WorkflowGraph } from "./item.js";
import { escape, renderSvg } from "./svg.js";

/** A page that stands alone: every workflow with its picture, no script, nothing loaded from elsewhere. */
export function renderHtml(graphs: readonly WorkflowGraph[]): string {
  const links = graphs
    .map((graph, index) => `<li><a href="#w${index}">${escape(graph.name)}</a></li>`)
    .join("");
  const parts = graphs.map(
    (graph, index) =>
      `<section id="w${index}"><h2>${escape(graph.name)}</h2><p>${escape(graph.file)}</p>${renderSvg([graph])}</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Workflows</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #1f2328; background: #fff }
section { margin: 2rem 0; overflow-x: auto }
h2 { margin-bottom: 0 } p { margin-top: 0; color: #57606a }
.added { color: #1a7f37 } .removed { color: #cf222e }
</style>
</head>
<body>
<h1>Workflows</h1>
<p>Time runs down; branches and alternatives stand side by side. <span class="added">Green</span>: new. <span class="removed">Red</span>: gone.</p>
<ul>${links}</ul>
${parts.join("\n")}
</body>
</html>
`;
}
