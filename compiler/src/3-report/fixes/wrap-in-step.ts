import type { Analysis, EffectOperation } from "../../2-solve/types.js";
import type { Expr, Fix } from "../../types.js";
import { bare, statementsIn, within } from "../facts-walk.js";
import { contextInScope } from "./context-in-scope.js";
import { newEntryName } from "./new-entry-name.js";

/**
 * Puts an effect of its own line into a step: `await fetch(url)` as a statement, `const at = Date.now()` as a
 * declaration. A suggestion, since it adds an entry to the history.
 */
export function wrapInStep(analysis: Analysis, operation: EffectOperation): Fix | null {
  const { activation, place } = operation;
  const { function: fn } = activation;
  const context = contextInScope(analysis, activation, activation.scope);
  if (context === null || !fn.async || operation.computedAt !== null) return null;
  for (const stmt of statementsIn(fn.body)) {
    if (!within(place.span, stmt.span)) continue;
    const value = stmt.s === "expr" ? stmt.expr : stmt.s === "declare" ? (stmt.items[0]?.init ?? null) : null;
    if (value === null || (stmt.s === "declare" && stmt.items.length !== 1) || !isAt(value, place.span))
      continue;
    const name = newEntryName(analysis, nameOf(operation));
    const body = value.k === "await" ? value.operand : value;
    // What nobody reads need not be recorded.
    const [open, close] =
      stmt.s === "declare" ? ["", ""] : [operation.use.how === "none" ? "{ " : "{ await ", "; }"];
    return {
      title: `Put it in a step "${name}"`,
      safe: false,
      edits: [
        {
          file: place.file,
          span: [value.span[0], body.span[0]],
          text: `await ${context.name}.step(${JSON.stringify(name)}, async () => ${open}`,
        },
        { file: place.file, span: [body.span[1], value.span[1]], text: `${close})` },
      ],
    };
  }
  return null;
}

/** The effect is the whole value, awaited or not. */
function isAt(value: Expr, span: readonly [number, number]): boolean {
  const effect = bare(value);
  if (effect.span[0] !== span[0]) return false;
  return effect.span[1] === span[1] || (effect.k === "call" && effect.callee.span[1] === span[1]);
}

/** `crypto.randomUUID()` → `random-uuid`, `new Date()` → `date`. */
function nameOf({ what }: EffectOperation): string {
  const last =
    what
      .replace(/^new /, "")
      .replace(/[^\w.].*$/, "")
      .split(".")
      .at(-1) ?? "";
  const dashed = last
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .replace(/_/g, "-")
    .toLowerCase();
  return dashed === "" ? "effect" : dashed;
}
