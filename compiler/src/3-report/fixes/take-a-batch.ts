import type { EntryOperation } from "../../2-solve/types.js";
import type { Fix } from "../../types.js";
import { bare, statementsIn, within } from "../facts-walk.js";

/**
 * `const m = await ctx.queue.next(…)` → `const [m] = await ctx.queue.nextBatch(…)`. A suggestion: what follows has to
 * ask whether there is a message now.
 */
export function takeABatch(operation: EntryOperation): Fix | null {
  const { file, span } = operation.place;
  for (const stmt of statementsIn(operation.activation.function.body)) {
    if (!within(span, stmt.span)) continue;
    if (stmt.s === "expr" && isCallAt(stmt.expr, span))
      return { title: "Use `nextBatch`", safe: false, edits: [batch(operation)] };
    if (stmt.s !== "declare") continue;
    const item = stmt.items.find((one) => one.init !== null && isCallAt(one.init, span));
    // A pattern with an annotation goes on to say the message's type: leave that to people.
    if (item?.pattern.p !== "binding") continue;
    const [start, end] = item.pattern.span;
    return {
      title: "Use `nextBatch` and take its first message",
      safe: false,
      edits: [
        { file, span: [start, start], text: "[" },
        { file, span: [end, end], text: "]" },
        batch(operation),
      ],
    };
  }
  return null;
}

function batch({ place: { file, span } }: EntryOperation): Fix["edits"][number] {
  return { file, span: [span[1], span[1]], text: "Batch" };
}

function isCallAt(expr: Parameters<typeof bare>[0], span: readonly [number, number]): boolean {
  const call = bare(expr);
  return (
    call.k === "call" &&
    call.span[0] === span[0] &&
    call.callee.span[1] === span[1] &&
    call.callee.k === "member" &&
    call.callee.property === "next"
  );
}
