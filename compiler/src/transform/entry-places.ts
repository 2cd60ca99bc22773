import type { NamePattern, SkeletonBlock, WorkflowAnalysis } from "../2-solve/types.js";
import { positionAt } from "../3-report/position.js";
import { relativeTo } from "../3-report/relative.js";
import type { FileFacts, Place } from "../types.js";

/** Where an entry is written, as the runtime reads it (`runtime/src/manifest/entry-places.ts`). */
export interface EntryPlace {
  /** Names from the root, branches included, iterations left out. */
  readonly path: readonly NamePattern[];
  /** `src/triage.ts:12:9`, relative to the project; line and column from 1. */
  readonly at: string;
}

/**
 * The places of a workflow's entries, for the runtime's errors of use. Not part of the manifest, which must not
 * change when code moves.
 * @param root absolute with `/`: files are named relative to it.
 */
export function entryPlaces(
  workflow: WorkflowAnalysis,
  files: ReadonlyMap<string, FileFacts>,
  root: string,
): EntryPlace[] {
  const found = new Map<string, EntryPlace>();
  const { body, functions } = workflow.skeleton;
  collect(body, [], new Set());
  return [...found.values()];

  function collect(block: SkeletonBlock, scope: readonly NamePattern[], calls: ReadonlySet<string>): void {
    for (const node of block) {
      switch (node.kind) {
        case "entry": {
          const path = [...scope, node.name];
          add(path, node.op.place);
          for (const inner of node.bodies)
            collect(inner.body, inner.name === null ? path : [...path, inner.name], new Set());
          break;
        }
        case "choice":
          for (const arm of node.arms) collect(arm, scope, calls);
          break;
        case "repeat":
        case "inline":
          collect(node.body, scope, calls);
          break;
        case "call": {
          // A function that calls itself records in the scope that it is called in, however deep.
          const called = functions[node.to];
          if (called !== undefined && !calls.has(node.to))
            collect(called, scope, new Set([...calls, node.to]));
          break;
        }
        case "exit":
          break;
      }
    }
  }

  function add(path: readonly NamePattern[], place: Place): void {
    const facts = files.get(place.file);
    if (!facts) return;
    const { line, column } = positionAt(facts.lineStarts, place.span[0]);
    const entry: EntryPlace = { path, at: `${relativeTo(root, place.file)}:${line}:${column}` };
    found.set(JSON.stringify(entry), entry);
  }
}
