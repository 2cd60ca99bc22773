import type { Analysis, EntryOperation, Place } from "../../2-solve/types.js";
import type { Expr, Fix } from "../../types.js";
import { exprsOfBody, statementsIn, within } from "../facts-walk.js";

/**
 * `for (let i = 0; …) await ctx.step("send", …)` → `` `send-${i}` ``. Safe where the loop surely turns twice, since
 * the second turn is refused as it is; else the one entry of the first turn may be in a history under its name.
 *
 * @param loop where the native loop stands
 * @param times how often it turns when the code says so
 */
export function namePerIndex(
  analysis: Analysis,
  operation: EntryOperation,
  loop: Place,
  times: number | null,
): Fix | null {
  const { activation } = operation;
  const file = analysis.files.get(loop.file);
  if (!file || activation.function.file !== loop.file) return null;
  const stmt = [...statementsIn(activation.function.body)].find(
    (one) => one.s === "loop" && one.span[0] === loop.span[0] && one.form === "for",
  );
  if (stmt?.s !== "loop" || !within(operation.place.span, stmt.span)) return null;
  const [first] = stmt.init;
  const pattern = first?.s === "declare" ? first.items[0]?.pattern : undefined;
  const index = pattern?.p === "binding" ? file.bindings.find((one) => one.id === pattern.id) : undefined;
  const hidden = file.bindings.some(
    (one) =>
      one.id !== index?.id &&
      one.name === index?.name &&
      one.owner === index?.owner &&
      within(one.span, stmt.span),
  );
  const name = literalAt(exprsOfBody(activation.function.body), operation.name.place);
  if (!index || hidden || name === null) return null;
  return {
    title: `Name it by the index: \`${name.value}-\${${index.name}}\``,
    safe: times !== null && times > 1,
    edits: [{ file: loop.file, span: name.span, text: `\`${name.value}-\${${index.name}}\`` }],
  };
}

/** The text that stands there, when it needs no escapes in a template. */
function literalAt(
  exprs: readonly Expr[],
  place: Place,
): { readonly value: string; readonly span: Expr["span"] } | null {
  const found = exprs.find((expr) => expr.k === "literal" && expr.span[0] === place.span[0]);
  if (found?.k !== "literal" || typeof found.value !== "string") return null;
  return /[`\\$]/.test(found.value) ? null : { value: found.value, span: found.span };
}
