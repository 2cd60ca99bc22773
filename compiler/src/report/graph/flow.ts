import type { GraphItem, Mark, WorkflowGraph } from "./item.js";

/** The picture as nodes and arrows, for drawing tools that lay it out themselves. */
export interface Flow {
  readonly root: Cluster;
  readonly edges: readonly FlowEdge[];
}

export interface Cluster {
  readonly id: string;
  readonly title: string;
  readonly mark: Mark;
  readonly nodes: readonly FlowNode[];
  readonly clusters: readonly Cluster[];
}

export interface FlowNode {
  readonly id: string;
  readonly shape: GraphItem["shape"] | "start" | "end";
  readonly lines: readonly string[];
  readonly mark: Mark;
}

export interface FlowEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string | null;
  /** Back to the head of a loop. */
  readonly back: boolean;
}

/** An arrow that still looks for its end. */
interface Loose {
  readonly from: string;
  readonly label: string | null;
}

interface Draft {
  readonly nodes: FlowNode[];
  readonly clusters: Cluster[];
}

/**
 * Nodes, clusters and arrows of one workflow.
 * @param prefix put before every id, so that several workflows fit into one picture.
 */
export function toFlow(graph: WorkflowGraph, prefix: string): Flow {
  const edges: FlowEdge[] = [];
  const draft: Draft = { nodes: [], clusters: [] };
  const start = `${prefix}start`;
  const end = `${prefix}end`;
  draft.nodes.push({ id: start, shape: "start", lines: [graph.name], mark: graph.mark });

  const connect = (loose: readonly Loose[], to: string, back = false): void => {
    for (const one of loose) edges.push({ from: one.from, to, label: one.label, back });
  };
  const place = (items: readonly GraphItem[], incoming: readonly Loose[], into: Draft): readonly Loose[] =>
    items.reduce<readonly Loose[]>((loose, item) => placeItem(item, loose, into), incoming);

  const placeItem = (item: GraphItem, incoming: readonly Loose[], into: Draft): readonly Loose[] => {
    const id = prefix + item.id;
    const node: FlowNode = {
      id,
      shape: item.shape,
      lines: item.note === null ? [item.title] : [item.title, item.note],
      mark: item.mark,
    };
    if (item.lanes.length === 0) {
      into.nodes.push(node);
      connect(incoming, id);
      if (item.shape !== "exit") return [{ from: id, label: null }];
      if (item.title === "return") edges.push({ from: id, to: end, label: null, back: false });
      return [];
    }
    // A choice stands in the flow itself; scopes and loops get a frame of their own around head and body.
    const inner: Draft = item.shape === "choice" ? into : { nodes: [], clusters: [] };
    inner.nodes.push(node);
    connect(incoming, id);
    const ends = item.lanes.flatMap((lane) => place(lane.items, [{ from: id, label: lane.label }], inner));
    if (inner !== into) into.clusters.push({ id: `${id}_box`, title: item.title, mark: item.mark, ...inner });
    const turns = item.shape === "repeat" || item.title.startsWith("loop ");
    if (!turns) return ends;
    connect(ends, id, true);
    return [{ from: id, label: "done" }];
  };

  connect(place(graph.items, [{ from: start, label: null }], draft), end);
  draft.nodes.push({ id: end, shape: "end", lines: ["end"], mark: graph.mark });
  return { root: { id: `${prefix}workflow`, title: graph.name, mark: graph.mark, ...draft }, edges };
}
