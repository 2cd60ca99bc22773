import type { GraphItem, GraphLane, Mark, WorkflowGraph } from "./item.js";

/**
 * The picture as SVG: time runs down, alternatives and branches stand side by side in the box that holds
 * them. The tree of the manifest is the layout, so no drawing tool is needed.
 */

const CHARACTER = 7.3;
const LINE = 18;
const PAD = 10;
const GAP = 10;

const COLORS: Readonly<Record<Mark, { readonly stroke: string; readonly fill: string }>> = {
  same: { stroke: "#57606a", fill: "#ffffff" },
  added: { stroke: "#1a7f37", fill: "#dafbe1" },
  removed: { stroke: "#cf222e", fill: "#ffebe9" },
};

/** A box that knows its size in px; `draw` gives its elements for a top left corner. */
interface Box {
  readonly width: number;
  readonly height: number;
  readonly draw: (x: number, y: number, width: number) => string;
}

export function renderSvg(graphs: readonly WorkflowGraph[]): string {
  const page = column(graphs.map(workflowBox), 2 * GAP);
  const width = Math.ceil(page.width + 2 * GAP);
  const height = Math.ceil(page.height + 2 * GAP);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12" role="img">`,
    `<title>${escape(graphs.map((graph) => graph.name).join(", "))}</title>`,
    page.draw(GAP, GAP, page.width),
    "</svg>",
    "",
  ].join("\n");
}

function workflowBox(graph: WorkflowGraph): Box {
  return frame([graph.name, graph.file], graph.mark, [column(graph.items.map(itemBox), GAP)], "none", true);
}

function itemBox(item: GraphItem): Box {
  const text = item.note === null ? [item.title] : [item.title, item.note];
  const dash = item.shape === "choice" || item.shape === "repeat" ? "5 4" : "none";
  return frame(text, item.mark, item.lanes.map(laneBox), dash, item.lanes.length > 0);
}

function laneBox(lane: GraphLane): Box {
  const body = column(lane.items.map(itemBox), GAP);
  return lane.label === null ? body : column([textBox([lane.label], "#57606a"), body], 4);
}

/** A frame with its text on top and its lanes side by side below. */
function frame(
  text: readonly string[],
  mark: Mark,
  lanes: readonly Box[],
  dash: string,
  holds: boolean,
): Box {
  const head = textBox(text, "#1f2328");
  const inner = holds ? column([head, row(lanes)], 6) : head;
  const { stroke, fill } = COLORS[mark];
  return {
    width: inner.width + 2 * PAD,
    height: inner.height + 2 * PAD - 4,
    draw: (x, y, width) =>
      `<rect x="${x}" y="${y}" width="${width}" height="${inner.height + 2 * PAD - 4}" rx="5" fill="${holds && mark === "same" ? "#f6f8fa" : fill}" stroke="${stroke}" stroke-dasharray="${mark === "removed" ? "6 4" : dash}"/>\n` +
      inner.draw(x + PAD, y + PAD - 2, width - 2 * PAD),
  };
}

function textBox(lines: readonly string[], color: string): Box {
  const longest = Math.max(...lines.map((line) => line.length));
  return {
    width: longest * CHARACTER,
    height: lines.length * LINE,
    draw: (x, y) =>
      lines
        .map(
          (line, index) =>
            `<text x="${x}" y="${y + index * LINE + 13}" fill="${index === 0 ? color : "#57606a"}">${escape(line)}</text>`,
        )
        .join("\n"),
  };
}

function column(boxes: readonly Box[], gap: number): Box {
  return {
    width: Math.max(0, ...boxes.map((box) => box.width)),
    height: boxes.reduce((sum, box) => sum + box.height, 0) + gap * Math.max(0, boxes.length - 1),
    draw: (x, y, width) => {
      let top = y;
      return boxes
        .map((box) => {
          const drawn = box.draw(x, top, width);
          top += box.height + gap;
          return drawn;
        })
        .join("\n");
    },
  };
}

function row(boxes: readonly Box[]): Box {
  return {
    width: boxes.reduce((sum, box) => sum + box.width, 0) + GAP * Math.max(0, boxes.length - 1),
    height: Math.max(0, ...boxes.map((box) => box.height)),
    draw: (x, y) => {
      let left = x;
      return boxes
        .map((box) => {
          const drawn = box.draw(left, y, box.width);
          left += box.width + GAP;
          return drawn;
        })
        .join("\n");
    },
  };
}

/** Text inside XML: markup is written as references, control characters (which XML can't hold) as a blank. */
export function escape(text: string): string {
  return Array.from(text, (character) => {
    if (character < " ") return " ";
    return "&<>\"'".includes(character) ? `&#${character.charCodeAt(0)};` : character;
  }).join("");
}
