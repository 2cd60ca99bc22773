import type { Rule, SkeletonBlock, SkeletonEntry } from "../../2-solve/types.js";
import { reportAt } from "../report-at.js";
import { blocksOf } from "./skeleton-blocks.js";

/** A `ctx.loop` whose body neither waits nor can end the loop. */
export const loopMakesProgress: Rule = (analysis, report) => {
  for (const workflow of analysis.workflows) {
    const { functions } = workflow.skeleton;
    for (const entry of loopsIn([workflow.skeleton.body, ...Object.values(functions)])) {
      if (!bodyIsKnown(entry)) continue;
      const bodies = entry.bodies.map((one) => one.body);
      if (canBreak(entry) || bodies.some((body) => waits(body, functions, new Set()) || ends(body))) continue;
      reportAt(analysis, entry.op, report, () => ({
        rule: "loop-makes-progress",
        message:
          "This loop neither waits nor can break: its turns follow each other without a pause, for ever",
        help: "Wait in it (`queue.next`, `sleep`), or end it with `Loop.break(…)`.",
      }));
    }
  }
};

type Functions = Readonly<Record<string, SkeletonBlock>>;

function* loopsIn(blocks: readonly SkeletonBlock[]): Generator<SkeletonEntry> {
  for (const node of blocks.flat()) {
    if (node.kind === "entry" && node.op.method === "loop") yield node;
    yield* loopsIn(blocksOf(node));
  }
}

/** The body is there, and what it returns is not something that could be a `Loop.break` in disguise. */
function bodyIsKnown(entry: SkeletonEntry): boolean {
  const bodies = entry.op.callbacks.flatMap((callback) => callback.activations);
  return (
    bodies.length > 0 &&
    bodies.every(
      ({ returns }) =>
        returns.constants !== null || returns.instances.length > 0 || returns.entries.length > 0,
    )
  );
}

/** `return done ? Loop.break(x) : Loop.continue(y)` is one exit in the skeleton. */
function canBreak(entry: SkeletonEntry): boolean {
  return entry.op.callbacks.some((callback) =>
    callback.activations.some(({ returns }) => returns.instances.includes("Loop.break")),
  );
}

const WAITS: ReadonlySet<SkeletonEntry["op"]["method"]> = new Set([
  "sleep",
  "sleepUntil",
  "next",
  "nextBatch",
]);

function waits(block: SkeletonBlock, functions: Functions, seen: Set<string>): boolean {
  return block.some((node) => {
    if (node.kind === "entry" && WAITS.has(node.op.method)) return true;
    if (node.kind === "call") {
      if (seen.has(node.to)) return false;
      seen.add(node.to);
      return waits(functions[node.to] ?? [], functions, seen);
    }
    return blocksOf(node).some((inner) => waits(inner, functions, seen));
  });
}

/** A `Loop.break`, or a `throw`, of this loop itself; those of scopes inside are theirs. */
function ends(block: SkeletonBlock): boolean {
  return block.some((node) => {
    if (node.kind === "exit") return node.how === "loop_break" || node.how === "throw";
    if (node.kind === "entry") return node.op.method === "try" && node.bodies.some((one) => ends(one.body));
    return blocksOf(node).some(ends);
  });
}
