import type { Analysis, EntryOperation } from "../../2-solve/types.js";
import type { CallExpr, Expr, Fix, Pattern } from "../../types.js";
import { bare, exprsIn, exprsOfBody, statementsIn, within } from "../facts-walk.js";
import { newEntryName } from "./new-entry-name.js";

/**
 * `const [a, b] = await Promise.all([ctx.step(…), ctx.step(…)])` → `const { a, b } = await ctx.join(…)`, each item a
 * branch with a context of its own. Only where the items are entries on one context and nothing else in them uses
 * it. The engine refuses the second entry as it is, so no history has them.
 */
export function joinInstead(analysis: Analysis, operation: EntryOperation): Fix | null {
  const { use, activation, place } = operation;
  if (use.how !== "combined" || use.by !== "Promise.all" || use.place.file !== place.file) return null;
  for (const stmt of statementsIn(activation.function.body)) {
    if (!within(use.place.span, stmt.span)) continue;
    const item = stmt.s === "declare" && stmt.items.length === 1 ? stmt.items[0] : undefined;
    const value = stmt.s === "expr" ? stmt.expr : (item?.init ?? null);
    const call = value?.k === "await" ? bare(value) : null;
    if (call?.k !== "call" || call.callee.k !== "member" || call.callee.property !== "all") continue;
    return edits(analysis, place.file, call, item?.pattern ?? null);
  }
  return null;
}

function edits(analysis: Analysis, file: string, call: CallExpr, pattern: Pattern | null): Fix | null {
  const list = call.args[0]?.value;
  if (call.args.length !== 1 || list?.k !== "array" || list.items.length === 0) return null;
  const entries = list.items.map((one) => (one.spread ? null : entryCall(one.value)));
  const [context] = entries.map((one) => one?.root.name);
  if (context === undefined || entries.some((one) => one?.root.name !== context)) return null;
  const names =
    pattern === null ? entries.map((_, index) => `branch${index + 1}`) : namesIn(analysis, file, pattern);
  if (names?.length !== entries.length || names.includes("branch")) return null;
  const name = newEntryName(analysis, names.join("-and-"));
  const last = list.span[1] - 1;
  const out: { file: string; span: readonly [number, number]; text: string }[] = [
    {
      file,
      span: [call.callee.span[0], list.span[0] + 1],
      text: `${context}.join(${JSON.stringify(name)}, {`,
    },
  ];
  if (pattern?.p === "array")
    out.push(
      { file, span: [pattern.span[0], pattern.span[0] + 1], text: "{ " },
      { file, span: [pattern.span[1] - 1, pattern.span[1]], text: " }" },
    );
  for (const [index, entry] of entries.entries()) {
    if (!entry || usesBeside(analysis, entry, context)) return null;
    const [start, end] = entry.call.span;
    out.push(
      {
        file,
        span: [start, entry.root.span[1]],
        text: `${names[index] ?? ""}: { run: async (branch) => branch`,
      },
      // Where the list ends right behind its last item, both are one edit.
      end === last ? { file, span: [end, end + 1], text: " }}" } : { file, span: [end, end], text: " }" },
    );
  }
  if (!out.some(({ span }) => span[1] === last + 1)) out.push({ file, span: [last, last + 1], text: "}" });
  return { title: "Use `join`", safe: true, edits: out };
}

interface EntryCall {
  readonly call: CallExpr;
  readonly root: Extract<Expr, { k: "name" }>;
}

/** `ctx.step(…)`, `ctx.queue.next(…)` */
function entryCall(expr: Expr): EntryCall | null {
  if (expr.k !== "call" || expr.callee.k !== "member") return null;
  let at: Expr = expr.callee;
  while (at.k === "member") at = at.object;
  return at.k === "name" && at.span[0] === expr.span[0] ? { call: expr, root: at } : null;
}

/** Whether the item uses the context for something else, or a name `branch` of its own. */
function usesBeside(analysis: Analysis, { call }: EntryCall, context: string): boolean {
  const uses = (exprs: readonly Expr[]): boolean =>
    exprs.some(
      (expr) =>
        (expr.k === "name" && (expr.name === context || expr.name === "branch")) ||
        (expr.k === "function" && uses(exprsOfBody(analysis.functionOf(expr.id)?.body ?? []))),
    );
  return call.args.some(({ value }) => uses(exprsIn(value)));
}

/** `[a, b]`: simple variables only. */
function namesIn(analysis: Analysis, file: string, pattern: Pattern): readonly string[] | null {
  if (pattern.p !== "array" || pattern.rest !== null) return null;
  const names = pattern.items.map((item) =>
    item?.p === "binding"
      ? (analysis.files.get(file)?.bindings.find((one) => one.id === item.id)?.name ?? null)
      : null,
  );
  return names.every((name): name is string => name !== null) ? names : null;
}
