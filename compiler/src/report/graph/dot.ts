import { toFlow, type Cluster, type FlowNode } from "./flow.js";
import { oneLine } from "./one-line.js";
import type { Mark, WorkflowGraph } from "./item.js";

const SHAPES: Readonly<Record<FlowNode["shape"], string>> = {
  entry: "box",
  scope: "component",
  choice: "diamond",
  repeat: "hexagon",
  exit: "oval",
  call: "cds",
  start: "oval",
  end: "doublecircle",
};

const COLORS: Readonly<Record<Mark, string>> = {
  same: "",
  added: ', color="#1a7f37", fillcolor="#dafbe1", style="filled,bold"',
  removed: ', color="#cf222e", fillcolor="#ffebe9", style="filled,dashed"',
};

/** A Graphviz digraph. */
export function renderDot(graphs: readonly WorkflowGraph[]): string {
  const lines = [
    "digraph workflows {",
    '  node [fontname="sans-serif", fontsize=11];',
    '  edge [fontname="sans-serif", fontsize=10];',
  ];
  graphs.forEach((graph, index) => {
    const flow = toFlow(graph, `w${index}_`);
    drawCluster(flow.root, "  ", lines);
    for (const edge of flow.edges) {
      const label = edge.label === null ? "" : `label=${quote([edge.label])}`;
      const options = [label, ...(edge.back ? ["style=dashed", "constraint=false"] : [])]
        .filter(Boolean)
        .join(", ");
      lines.push(`  ${edge.from} -> ${edge.to}${options === "" ? "" : ` [${options}]`};`);
    }
  });
  return `${[...lines, "}"].join("\n")}\n`;
}

function drawCluster(cluster: Cluster, indent: string, lines: string[]): void {
  lines.push(`${indent}subgraph cluster_${cluster.id} {`, `${indent}  label=${quote([cluster.title])};`);
  for (const node of cluster.nodes) {
    lines.push(
      `${indent}  ${node.id} [label=${quote(node.lines)}, shape=${SHAPES[node.shape]}${COLORS[node.mark]}];`,
    );
  }
  for (const child of cluster.clusters) drawCluster(child, `${indent}  `, lines);
  lines.push(`${indent}}`);
}

function quote(parts: readonly string[]): string {
  const escaped = parts.map((part) => oneLine(part).replace(/[\\"]/g, "\\$&"));
  return `"${escaped.join("\\n")}"`;
}
