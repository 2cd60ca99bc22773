import { isPackageFile } from "../../2-solve/program.js";
import type {
  Activation,
  Analysis,
  Operation,
  Rule,
  TraceBlock,
  TraceNode,
  TryTrace,
} from "../../2-solve/types.js";
import type { Expr, Place, Stmt } from "../../types.js";
import { bare, exprsOfBody, returnsOf, statementsIn, within } from "../facts-walk.js";
import { isLogged, onlyLogs } from "../only-logs.js";
import { reachedFrom, stepSites, type StepSite } from "../step-sites.js";
import { reportInside } from "./report-inside.js";

/** A `catch` in a step that only logs: the step is recorded as a success. */
export const stepSwallowsError: Rule = (analysis, report) => {
  for (const site of stepSites(analysis)) {
    for (const { activation, through } of reachedFrom(site.bodies)) {
      if (isPackageFile(activation.function.file)) continue;
      for (const { place, what } of swallowed(analysis, activation)) {
        const anchor = activation.own ? firstOf(activation, site) : through;
        const part = activation.own ? place : (through?.place ?? place);
        reportInside(analysis, anchor ?? site.entry, part, report, () =>
          // What the author's line only leads to is told at that line.
          ({
            rule: "step-swallows-error",
            message: `${what}: ${site.label} is recorded as a success, so nothing is retried and nothing rolled back${activation.own ? "" : ` (in \`${activation.function.name}\`)`}`,
            help: "Rethrow the error after logging it, or return what happened as data (`{ ok: false }`) and act on it in the workflow.",
          }),
        );
      }
    }
  }
};

/** Any operation of the function stands for it on the way from the workflow. */
function firstOf(activation: Activation, site: StepSite): Operation {
  return activation.operations[0] ?? site.entry;
}

interface Swallow {
  readonly place: Place;
  readonly what: string;
}

function swallowed(analysis: Analysis, activation: Activation): readonly Swallow[] {
  const { file, body } = activation.function;
  const tries = [...triesIn(activation.trace)];
  const found: Swallow[] = [];
  for (const stmt of statementsIn(body)) {
    if (stmt.s !== "try" || !stmt.handler || !stmt.handlerSpan) continue;
    const trace = tries.find(
      (one) => within(one.place.span, stmt.span) && within(stmt.block[0]?.span ?? stmt.span, one.place.span),
    );
    if (!trace || !operationsIn(trace.block).some(canFail)) continue;
    if (onlyLogs(stmt.handler) && !tellsOtherwise(stmt, body))
      found.push({
        place: { file, span: headOf(stmt.handlerSpan) },
        what:
          stmt.handler.length === 0
            ? "This empty `catch` drops the error"
            : "This `catch` only logs the error",
      });
  }
  for (const expr of exprsOfBody(body)) {
    const handler = rejectionHandler(expr);
    if (handler && isStatement(expr, body) && isLogged(analysis, handler))
      found.push({
        place: { file, span: expr.span },
        what: "This rejection handler does no more than log the error",
      });
  }
  return found;
}

/** `catch (error)` without its block would be best; the facts have the whole clause, whose first line it is. */
function headOf(span: Place["span"]): Place["span"] {
  return [span[0], Math.min(span[0] + "catch".length, span[1])];
}

/** The outcome shows in another way: a variable set in the `try`, a result returned from it. */
function tellsOtherwise(stmt: Extract<Stmt, { s: "try" }>, body: readonly Stmt[]): boolean {
  if (returnsOf(stmt.block).length > 0) return true;
  for (const expr of exprsOfBody(stmt.block)) {
    if (expr.k !== "assign" || expr.target.p !== "binding") continue;
    const { id } = expr.target;
    const reads = [...exprsOfBody(body)].some(
      (one) =>
        one.k === "name" && one.ref.to === "binding" && one.ref.id === id && one.span[0] > stmt.span[1],
    );
    if (reads) return true;
  }
  return false;
}

/** `work().catch(handler)` and `work().then(next, handler)` */
function rejectionHandler(expr: Expr): Expr | null {
  if (expr.k !== "call" || expr.callee.k !== "member") return null;
  if (expr.callee.property === "catch") return expr.args[0]?.value ?? null;
  return expr.callee.property === "then" ? (expr.args[1]?.value ?? null) : null;
}

/** Nothing is made of its value. */
function isStatement(expr: Expr, body: readonly Stmt[]): boolean {
  return [...statementsIn(body)].some((stmt) => stmt.s === "expr" && bare(stmt.expr) === expr);
}

function canFail(operation: Operation): boolean {
  if (operation.kind === "effect")
    return ![
      "console",
      "metrics",
      "clock",
      "random",
      "id",
      "environment",
      "host",
      "locale",
      "stack",
    ].includes(operation.effect);
  if (operation.kind === "access")
    return operation.api === "client" || operation.api === "db" || operation.api === "kv";
  return (
    operation.kind === "call" &&
    reachedFrom(operation.targets).some(({ activation }) =>
      activation.operations.some((one) => one.kind !== "call" && canFail(one)),
    )
  );
}

function* triesIn(block: TraceBlock): Generator<TryTrace> {
  for (const node of block) {
    if (node.t === "try") yield node;
    for (const inner of blocksOf(node)) yield* triesIn(inner);
  }
}

function operationsIn(block: TraceBlock): readonly Operation[] {
  return block.flatMap((node) => (node.t === "op" ? [node.op] : blocksOf(node).flatMap(operationsIn)));
}

function blocksOf(node: TraceNode): readonly TraceBlock[] {
  switch (node.t) {
    case "choice":
      return node.arms;
    case "repeat":
    case "block":
      return [node.body];
    case "try":
      return [node.block, node.handler?.body ?? [], node.finalizer?.body ?? []];
    case "op":
    case "exit":
      return [];
  }
}
