import type { RemedyEdit } from "./diff-types.js";
import type { Block, BranchManifest, ManifestNode, WorkflowManifest } from "./format.js";
import { isLiteralKey, keysOf, patternText } from "./names.js";
import { isEntry } from "./sites.js";
import type { EntryNode } from "./walk.js";

/**
 * A workflow as it is when the edits of a remedy are made in its code.
 * @returns `null` when one of them can't be made: the entry is not there, or its name is written more than once.
 */
export function editedWorkflow(
  workflow: WorkflowManifest,
  edits: readonly RemedyEdit[],
): WorkflowManifest | null {
  let body: Block | null = workflow.body;
  for (const edit of edits) {
    body = inScope(body, edit.scope, (scope) => editedScope(scope, edit));
    if (body === null) return null;
  }
  return { ...workflow, body };
}

type Change = (scope: Block) => Block | null;

/** Changes the scope at a path of names (of entries, and of branches). */
function inScope(block: Block, path: readonly string[], change: Change): Block | null {
  const [name, ...rest] = path;
  if (name === undefined) return change(block);
  return atEntry(block, name, (node) => {
    if (node.kind === "loop" || node.kind === "try") {
      const body = inScope(node.body, rest, change);
      return body === null ? null : [{ ...node, body }];
    }
    if (node.kind !== "join" && node.kind !== "race") return null;
    const branches = node.branches.map((branch): BranchManifest | null => {
      if (patternText(branch.name) !== rest[0]) return branch;
      const body = inScope(branch.body, rest.slice(1), change);
      return body === null ? null : { ...branch, body };
    });
    const made = branches.filter((branch) => branch !== null);
    return made.length === branches.length ? [{ ...node, branches: made }] : null;
  });
}

/** Replaces the one entry of that name, in whatever arm or native loop of the scope it stands. */
function atEntry(block: Block, name: string, replace: (node: EntryNode) => Block | null): Block | null {
  let found = 0;
  let failed = false;
  const visit = (nodes: Block): Block =>
    nodes.flatMap((node): Block => {
      if (node.kind === "choice") return [{ ...node, arms: node.arms.map(visit) }];
      if (node.kind === "repeat" || node.kind === "inline") return [{ ...node, body: visit(node.body) }];
      if (!isEntry(node) || !isNamed(node, name)) return [node];
      found += 1;
      const made = replace(node);
      failed ||= made === null;
      return made ?? [node];
    });
  const made = visit(block);
  return found === 1 && !failed ? made : null;
}

const isNamed = (node: EntryNode, name: string): boolean =>
  patternText(node.name) === name || keysOf(node.name).some((key) => isLiteralKey(key) && key === name);

function editedScope(scope: Block, edit: RemedyEdit): Block | null {
  switch (edit.do) {
    case "insert-removed":
      return inserted(scope, { kind: "removed", name: [edit.name], was: edit.was }, edit);
    case "rename":
      return atEntry(scope, edit.from, (node) => [{ ...node, name: [edit.to] }]);
    case "gate":
      return atEntry(scope, edit.entry, (node) => gated(node, edit.gate));
    case "set-removed-kind":
      return atEntry(scope, edit.name, (node) =>
        node.kind === "removed" ? [{ ...node, was: edit.was }] : null,
      );
    case "move-removed": {
      const moved: EntryNode[] = [];
      const without = atEntry(scope, edit.name, (node) => {
        moved.push(node);
        return [];
      });
      const [node] = moved;
      return without === null || node === undefined ? null : inserted(without, node, edit);
    }
  }
}

function inserted(
  scope: Block,
  node: ManifestNode,
  { position, entry }: Extract<RemedyEdit, { do: "insert-removed" | "move-removed" }>,
): Block | null {
  switch (position) {
    case "at the start":
      return [node, ...scope];
    case "at the end": {
      const leaves = scope.at(-1)?.kind === "exit";
      return leaves ? [...scope.slice(0, -1), node, ...scope.slice(-1)] : [...scope, node];
    }
    case "before":
      return entry === null ? null : atEntry(scope, entry, (other) => [node, other]);
    case "behind":
      return entry === null ? null : atEntry(scope, entry, (other) => [other, node]);
  }
}

function gated(node: EntryNode, gate: string): Block {
  const arms = [
    { from: 2, to: null },
    { from: 1, to: 1 },
  ];
  return [
    { kind: "version_check", name: [gate], latest: 2 },
    {
      kind: "choice",
      guard: { text: "version >= 2", source: "gate", gate: { name: [gate], arms } },
      arms: [[node], []],
    },
  ];
}
