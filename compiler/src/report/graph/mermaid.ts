import { toFlow, type Cluster, type FlowNode } from "./flow.js";
import { oneLine } from "./one-line.js";
import type { WorkflowGraph } from "./item.js";

const SHAPES: Readonly<Record<FlowNode["shape"], readonly [string, string]>> = {
  entry: ["[", "]"],
  scope: ["[[", "]]"],
  choice: ["{", "}"],
  repeat: ["{{", "}}"],
  exit: ["([", "])"],
  call: ["[/", "/]"],
  start: ["([", "])"],
  end: ["((", "))"],
};

/** A Mermaid flowchart, as GitHub and GitLab draw it inside a `mermaid` block. */
export function renderMermaid(graphs: readonly WorkflowGraph[]): string {
  const lines = ["flowchart TD"];
  graphs.forEach((graph, index) => {
    const flow = toFlow(graph, `w${index}_`);
    drawCluster(flow.root, graphs.length > 1, "  ", lines);
    for (const edge of flow.edges) {
      const arrow = edge.back ? "-.->" : "-->";
      lines.push(
        `  ${edge.from} ${arrow}${edge.label === null ? "" : `|${quote([edge.label])}|`} ${edge.to}`,
      );
    }
  });
  lines.push("  classDef added stroke:#1a7f37,stroke-width:3px,fill:#dafbe1,color:#1f2328");
  lines.push(
    "  classDef removed stroke:#cf222e,stroke-width:3px,stroke-dasharray:5 4,fill:#ffebe9,color:#1f2328",
  );
  return `${lines.join("\n")}\n`;
}

function drawCluster(cluster: Cluster, framed: boolean, indent: string, lines: string[]): void {
  const inner = framed ? `${indent}  ` : indent;
  if (framed) lines.push(`${indent}subgraph ${cluster.id}[${quote([cluster.title])}]`);
  for (const node of cluster.nodes) {
    const [open, close] = SHAPES[node.shape];
    lines.push(
      `${inner}${node.id}${open}${quote(node.lines)}${close}${node.mark === "same" ? "" : `:::${node.mark}`}`,
    );
  }
  for (const child of cluster.clusters) drawCluster(child, true, inner, lines);
  if (framed) lines.push(`${indent}end`);
}

/** Text as Mermaid shows it literally: its entities are written `#34;`. */
function quote(parts: readonly string[]): string {
  const escaped = parts.map((part) =>
    oneLine(part).replace(/[#"<>`&\\]/g, (character) => `#${character.charCodeAt(0)};`),
  );
  return `"${escaped.join("<br/>")}"`;
}
