import type { EntryOperation } from "./types.js";

/** How the call is written, without its arguments: `ctx.step`, `loopCtx.queue.nextBatch`. */
export function entryText({ context, entry, method }: EntryOperation): string {
  return `${context.text}.${entry === "message" ? "queue." : ""}${method}`;
}
