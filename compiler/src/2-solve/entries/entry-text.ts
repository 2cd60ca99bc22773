import type { AccessOperation, EntryOperation } from "../types.js";

/** How the call is written, without its arguments: `ctx.step`, `loopCtx.queue.nextBatch`; `step` when destructured. */
export function entryText({ context, entry, method }: EntryOperation): string {
  return memberText(context.text, entry === "message" ? ["queue", method] : [method]);
}

/** How a part of an actor API is written: `step.state.items`; `state.items` when destructured. */
export function apiText(
  { context, api }: Pick<AccessOperation, "context" | "api">,
  path: readonly string[] = [],
): string {
  return memberText(context.text, [...api.split("."), ...path]);
}

/** A context's text may be that of a variable that holds the member itself: `const { state } = step`. */
function memberText(text: string, names: readonly string[]): string {
  const [first = "", ...rest] = names;
  const last = text.slice(text.lastIndexOf(".") + 1);
  return last === first ? [text, ...rest].join(".") : [text, ...names].join(".");
}
