import type { RemedyEdit } from "../../../runtime/src/manifest/index.js";
import { CONSTRUCTS } from "./constructs/index.js";
import { branchName } from "./constructs/branches.js";
import { leavesAlways, resolve } from "./resolve.js";
import { NO_NAME, unnamed, type Block, type Kind, type Statement } from "./tree.js";

/** Kinds of entry that a program can declare removed. */
const DECLARABLE: ReadonlySet<string> = new Set(["step", "sleep", "message"]);

/** The program with the edits of a remedy in it; `null` when the tree has no way to write one of them. */
export function mended(program: Block, edits: readonly RemedyEdit[]): Block | null {
  let block: Block | null = program;
  for (const edit of edits) {
    if (block === null) return null;
    block = inScope(block, edit.scope, (scope) => change(scope, edit));
  }
  return block === null ? null : resolve(block);
}

type Change = (scope: Block) => Block | null;

/** Changes the scope at `path` (names of entries, and of branches) once. */
function inScope(block: Block, path: readonly string[], change: Change): Block | null {
  const [name, ...rest] = path;
  if (name === undefined) return change(block);
  let done = false;
  const visit = (inner: Block): Block =>
    inner.map((one): Statement => {
      if (done) return one;
      if (CONSTRUCTS[one.kind].scopes) {
        if (one.name.base !== name || one.name.turns.length > 0 || one.name.byData) return one;
        const branches = one.kind === "join" || one.kind === "race";
        const index = branches ? one.blocks.findIndex((_, at) => branchName(at) === rest[0]) : 0;
        const made = inScope(one.blocks[index] ?? [], branches ? rest.slice(1) : rest, change);
        if (made === null) return one;
        done = true;
        return { ...one, blocks: one.blocks.map((old, at) => (at === index ? made : old)) } as Statement;
      }
      return { ...one, blocks: one.blocks.map(visit) } as Statement;
    });
  const out = visit(block);
  return done ? out : null;
}

function change(scope: Block, edit: RemedyEdit): Block | null {
  switch (edit.do) {
    case "insert-removed": {
      if (!DECLARABLE.has(edit.was) || edit.name.includes("${")) return null;
      const declared = named("removed", edit.name, { was: edit.was });
      return inserted(scope, declared, edit);
    }
    case "rename":
      return around(scope, edit.from, (one) => [
        { ...one, name: { ...one.name, base: edit.to } } as Statement,
      ]);
    case "gate":
      return around(scope, edit.entry, (one) => [
        { ...unnamed("gate", {}, { blocks: [[one], []] }), name: { ...NO_NAME, base: edit.gate } },
      ]);
    case "set-removed-kind": {
      if (!DECLARABLE.has(edit.was)) return null;
      return around(scope, edit.name, () => [named("removed", edit.name, { was: edit.was })]);
    }
    case "move-removed": {
      let moved: Statement | null = null;
      const without = around(scope, edit.name, (one) => {
        moved = one;
        return [];
      });
      if (without === null || moved === null) return null;
      const declared: Statement = moved;
      return inserted(without, declared, edit);
    }
  }
}

function inserted(
  scope: Block,
  declared: Statement,
  { position, entry }: Extract<RemedyEdit, { do: "insert-removed" | "move-removed" }>,
): Block | null {
  if (entry !== null) {
    let betweenGateAndArms = false;
    const made = around(scope, entry, (one) => {
      betweenGateAndArms ||= position === "behind" && one.kind === "gate";
      return position === "behind" ? [one, declared] : [declared, one];
    });
    // A gate and the choice by its version are one statement of the tree.
    return betweenGateAndArms ? null : made;
  }
  if (position === "at the start") return [declared, ...scope];
  const last = scope.at(-1);
  const leaves = last?.kind === "leave";
  if (last !== undefined && !leaves && leavesAlways(last)) return null; // both ways of it end the scope
  return leaves ? [...scope.slice(0, -1), declared, ...scope.slice(-1)] : [...scope, declared];
}

function named(kind: Kind, base: string, details: object): Statement {
  return { ...unnamed(kind, details as never), name: { ...NO_NAME, base } } as Statement;
}

/** Replaces the entry of that name wherever it stands in the scope. `null` when it does not. */
function around(scope: Block, name: string, replace: (one: Statement) => Block): Block | null {
  let found = false;
  const visit = (block: Block): Block =>
    block.flatMap((one): Block => {
      if (one.name.base === name && one.name.turns.length === 0 && !one.name.byData) {
        found = true;
        return replace(one);
      }
      if (CONSTRUCTS[one.kind].scopes) return [one];
      return [{ ...one, blocks: one.blocks.map(visit) } as Statement];
    });
  const out = visit(scope);
  return found ? out : null;
}
