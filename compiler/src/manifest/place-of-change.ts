import type { Change } from "../../../runtime/src/manifest/diff-types.js";
import { keysOf, patternText } from "../../../runtime/src/manifest/names.js";
import type { Analysis, SkeletonBlock, SkeletonEntry, WorkflowAnalysis } from "../2-solve/types.js";
import { positionAt } from "../3-report/position.js";
import { relativeTo } from "../3-report/relative.js";
import type { Place } from "../types.js";

/**
 * Where in the sources of the new version the author has to look: the entry before which the remedy goes,
 * else the entry itself, else the nearest scope around it that is still there, else the workflow.
 * @param cwd absolute with `/`.
 * @returns file relative to `cwd` and line from 1; `null` when the workflow is not in the sources.
 */
export function placeOfChange(
  change: Change,
  workflow: string,
  analysis: Analysis,
  cwd: string,
): { file: string; line: number } | null {
  const found = analysis.workflows.find((one) => one.name === workflow);
  if (!found) return null;
  const wanted = change.remedy?.place;
  const paths = [
    ...(wanted ? [wanted.entry === null ? wanted.scope : [...wanted.scope, wanted.entry]] : []),
    ...change.path.map((_, index) => change.path.slice(0, change.path.length - index)),
  ];
  const place = paths.map((path) => placeOfPath(found, path)).find((one) => one !== null) ?? found.place;
  const facts = analysis.files.get(place.file);
  return facts
    ? { file: relativeTo(cwd, place.file), line: positionAt(facts.lineStarts, place.span[0]).line }
    : null;
}

/** The place of the entry that a path of names (branch names included) leads to. */
function placeOfPath(workflow: WorkflowAnalysis, path: readonly string[]): Place | null {
  if (path.length === 0) return null;
  const { body, functions } = workflow.skeleton;
  return (
    [body, ...Object.values(functions)].map((block) => find(block, path)).find((one) => one !== null) ?? null
  );
}

function find(block: SkeletonBlock, path: readonly string[]): Place | null {
  for (const node of block) {
    const place = node.kind === "entry" ? findInEntry(node, path) : find(insideOf(node), path);
    if (place !== null) return place;
  }
  return null;
}

function findInEntry(entry: SkeletonEntry, path: readonly string[]): Place | null {
  const [name, ...rest] = path;
  if (name === undefined || (patternText(entry.name) !== name && !keysOf(entry.name).includes(name)))
    return null;
  if (rest.length === 0) return entry.op.place;
  for (const { name: branch, body } of entry.bodies) {
    const inner = branch === null ? rest : patternText(branch) === rest[0] ? rest.slice(1) : null;
    if (inner === null) continue;
    const place = inner.length === 0 ? entry.op.place : find(body, inner);
    if (place !== null) return place;
  }
  return null;
}

/** What a node that is no entry holds; its own names are not part of a path. */
function insideOf(node: Exclude<SkeletonBlock[number], SkeletonEntry>): SkeletonBlock {
  switch (node.kind) {
    case "choice":
      return node.arms.flat();
    case "repeat":
    case "inline":
      return node.body;
    case "exit":
    case "call":
      return [];
  }
}
