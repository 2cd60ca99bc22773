import type { Analysis, EntryOperation } from "../../2-solve/types.js";
import type { Fix } from "../../types.js";
import { exprsOfBody } from "../facts-walk.js";
import { contextInScope } from "./context-in-scope.js";

/** `ctx.step(…)` in a loop's body → `loopCtx.step(…)`: the entry is refused as it is, so no history has it. */
export function useInnerContext(analysis: Analysis, operation: EntryOperation): Fix | null {
  const { place, activation } = operation;
  const inner = contextInScope(analysis, activation, activation.scope);
  if (inner === null) return null;
  for (const expr of exprsOfBody(activation.function.body)) {
    if (expr.k !== "name" || expr.span[0] !== place.span[0] || expr.name !== operation.context.text) continue;
    return {
      title: `Use \`${inner.name}\`, the context of this scope`,
      safe: true,
      edits: [{ file: place.file, span: expr.span, text: inner.name }],
    };
  }
  return null;
}
