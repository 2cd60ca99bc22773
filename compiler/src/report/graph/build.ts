import type {
  Block,
  Manifest,
  ManifestNode,
  WorkflowManifest,
} from "../../../../runtime/src/manifest/format.js";
import { describeNode } from "./describe.js";
import type { GraphItem, Mark, WorkflowGraph } from "./item.js";

/**
 * The pictures of a manifest, by workflow.
 * @param old an older manifest: what came since is marked `added`, what is gone `removed` and kept in its place.
 * @param only name of the one workflow to draw; `null` = all.
 */
export function buildGraphs(now: Manifest, old: Manifest | null, only: string | null): WorkflowGraph[] {
  const names = [...new Set([...Object.keys(now.workflows), ...Object.keys(old?.workflows ?? {})])].sort();
  return names
    .filter((name) => only === null || name === only)
    .flatMap((name) => graphsOf(now.workflows[name], old?.workflows[name], old !== null));
}

function graphsOf(
  now: WorkflowManifest | undefined,
  old: WorkflowManifest | undefined,
  compared: boolean,
): WorkflowGraph[] {
  const shown = now ?? old;
  if (!shown) return [];
  const mark: Mark = !compared || (now && old) ? "same" : now ? "added" : "removed";
  const number = counter();
  const before = compared ? (old?.body ?? []) : null;
  const main = {
    name: shown.name,
    file: shown.file,
    mark,
    items: mergeBlocks(now?.body ?? [], before, number),
  };
  const functions = Object.keys({ ...old?.functions, ...now?.functions }).sort();
  const others = functions.map((name) => ({
    name: `${shown.name}: ${name}`,
    file: shown.file,
    mark,
    items: mergeBlocks(now?.functions[name] ?? [], compared ? (old?.functions[name] ?? []) : null, number),
  }));
  return [main, ...others];
}

type Counter = () => string;

function counter(): Counter {
  let last = 0;
  return () => `n${(last += 1)}`;
}

/** Both versions of a block as one list: equal nodes are met by the longest common subsequence of their titles. */
function mergeBlocks(now: Block, old: Block | null, number: Counter): GraphItem[] {
  if (old === null) return now.map((node) => toItem(node, null, "same", number));
  const items: GraphItem[] = [];
  let i = 0;
  let j = 0;
  const lengths = commonLengths(now, old);
  while (i < now.length || j < old.length) {
    const a = now[i];
    const b = old[j];
    if (a && b && titleOf(a) === titleOf(b)) {
      items.push(toItem(a, b, "same", number));
      i += 1;
      j += 1;
    } else if (b && (!a || (lengths[i]?.[j + 1] ?? 0) >= (lengths[i + 1]?.[j] ?? 0))) {
      items.push(toItem(b, null, "removed", number));
      j += 1;
    } else if (a) {
      items.push(toItem(a, null, "added", number));
      i += 1;
    }
  }
  return items;
}

function titleOf(node: ManifestNode): string {
  return `${node.kind} ${describeNode(node).title}`;
}

/** `lengths[i][j]`: common subsequence of the rest from `i` in `now` and from `j` in `old`. */
function commonLengths(now: Block, old: Block): number[][] {
  const titles = old.map(titleOf);
  const lengths: number[][] = Array.from({ length: now.length + 1 }, () =>
    new Array<number>(old.length + 1).fill(0),
  );
  for (let i = now.length - 1; i >= 0; i -= 1) {
    const node = now[i];
    const row = lengths[i];
    if (!node || !row) continue;
    const title = titleOf(node);
    for (let j = old.length - 1; j >= 0; j -= 1) {
      row[j] =
        title === titles[j]
          ? (lengths[i + 1]?.[j + 1] ?? 0) + 1
          : Math.max(lengths[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}

/** A node as an item; with its older self, the lanes are compared, else everything inside has its own mark. */
function toItem(node: ManifestNode, older: ManifestNode | null, mark: Mark, number: Counter): GraphItem {
  const { shape, title, note, lanes } = describeNode(node);
  const id = number();
  const inside = lanesOf(node);
  const olderLanes = older ? describeNode(older).lanes : [];
  const olderInside = older ? lanesOf(older) : [];
  const merged = inside.map((block, index) => {
    const at = mark === "same" && older ? olderLanes.indexOf(lanes[index] ?? null) : -1;
    const items = older
      ? mergeBlocks(block, olderInside[at] ?? [], number)
      : block.map((inner) => toItem(inner, null, mark, number));
    return { label: lanes[index] ?? null, items };
  });
  const gone = older
    ? olderInside.flatMap((block, index) => {
        const label = olderLanes[index] ?? null;
        return lanes.includes(label)
          ? []
          : [{ label, items: block.map((inner) => toItem(inner, null, "removed", number)) }];
      })
    : [];
  return { id, shape, title, note, mark, lanes: [...merged, ...gone] };
}

/** The blocks inside a node, in the order of `Description.lanes`. */
function lanesOf(node: ManifestNode): readonly Block[] {
  switch (node.kind) {
    case "loop":
    case "try":
    case "repeat":
    case "inline":
      return [node.body];
    case "join":
    case "race":
      return node.branches.map((branch) => branch.body);
    case "choice":
      return node.arms;
    default:
      return [];
  }
}
