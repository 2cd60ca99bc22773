import { isPackageFile } from "../../2-solve/program.js";
import { apiText } from "../../2-solve/entries/entry-text.js";
import type {
  Activation,
  Analysis,
  CallOperation,
  AccessOperation,
  EffectOperation,
  Operation,
  Rule,
} from "../../2-solve/types.js";
import type { Expr, Fix } from "../../types.js";
import { declarationOf } from "../declarations.js";
import { bare, statementsIn, within } from "../facts-walk.js";
import { reportAt, wayOf } from "../report-at.js";

/** Work that a step or a rollback handler starts and does not wait for. */
export const awaitInStep: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.zone !== "step" && operation.zone !== "rollback") continue;
    if (!startsWork(operation) || !(isLeft(operation) || isDroppedRemoteCall(analysis, operation))) continue;
    // What a package starts in its own time is its business.
    if (isPackageFile(operation.activation.function.file)) continue;
    const { scope } = operation.activation;
    const label = scope?.kind === "step" || scope?.kind === "rollback" ? scope.label : "the step";
    reportAt(analysis, operation, report, (route) => {
      const fix = route.through.length === 0 ? awaitFix(operation) : null;
      return {
        rule: "await-in-step",
        message: `\`${nameOf(operation)}\`${wayOf(route)} is started and not awaited: ${label} is recorded as done while it still runs, and its failure is lost`,
        help: isCallback(operation)
          ? "Use `for … of` with `await`, or `await Promise.all(items.map(async …))`."
          : "Put `await` in front of it, or return it.",
        ...(fix ? { fix } : {}),
      };
    });
  }
};

type Work = EffectOperation | AccessOperation | CallOperation;

function startsWork(operation: Operation): operation is Work {
  if (operation.kind === "access") return operation.mode === "call" && GIVES_PROMISE.has(operation.api);
  return (operation.kind === "effect" || operation.kind === "call") && !isKept(operation);
}

/** Actor APIs whose calls are promises. */
const GIVES_PROMISE: ReadonlySet<string> = new Set(["queue.send", "db", "kv", "schedule", "cron"]);

/** Given to `waitUntil` or `keepAwake`, which keep the actor up until it is done. */
function isKept(operation: EffectOperation | CallOperation): boolean {
  return operation.activation.operations.some(
    (other) =>
      other.kind === "access" &&
      (other.api === "waitUntil" || other.api === "keepAwake") &&
      other.args.some((arg) => within(operation.place.span, arg.place.span)),
  );
}

/** True when nothing ever waits for the promise. */
function isLeft(operation: Work): boolean {
  const { use } = operation;
  if (use.how === "stored") return use.awaitedAt === null && givesPromise(operation);
  if (use.how === "chained") return use.end === "floating" || use.end === "voided";
  return use.how === "floating" || use.how === "voided";
}

/** Of what is kept it must be known that it is a promise at all. */
function givesPromise(operation: Work): boolean {
  if (operation.kind === "effect") return operation.effect !== "unknown";
  if (operation.kind === "access") return false;
  const all = operation.targets.length > 0 && operation.targets.every((target) => isPromising(target));
  if (operation.form === "callback") return all && (LISTS.has(operation.by ?? "") || isDropped(operation));
  return all && operation.form === "call";
}

/** What gives a list of what its callback gives: nobody awaits the promises in it. */
const LISTS: ReadonlySet<string> = new Set(["map", "flatMap", "Array.from"]);

/** An async function, or one that hands on the promise of another: `(to) => send(to)`. */
function isPromising(activation: Activation, depth = 0): boolean {
  if (activation.function.async) return true;
  return (
    depth < 3 &&
    activation.operations.some((one) => {
      if (one.kind === "effect") return one.use.how === "returned" && one.effect !== "unknown";
      return (
        one.kind === "call" &&
        one.use.how === "returned" &&
        one.targets.some((target) => isPromising(target, depth + 1))
      );
    })
  );
}

/** `step.client().worker.getOrCreate([id]).run()` as a statement: a call of another actor's action. */
function isDroppedRemoteCall(analysis: Analysis, operation: Work): boolean {
  if (operation.kind !== "effect" || operation.effect !== "unknown") return false;
  for (const stmt of statementsIn(operation.activation.function.body))
    if (stmt.s === "expr" && stmt.expr.k === "call" && stmt.expr.span[0] === operation.place.span[0])
      return isFromClient(analysis, stmt.expr.callee, 0);
  return false;
}

function isFromClient(analysis: Analysis, expr: Expr, depth: number): boolean {
  if (expr.k === "member") return isFromClient(analysis, expr.object, depth);
  if (expr.k === "call") {
    const { callee } = expr;
    return (callee.k === "member" && callee.property === "client") || isFromClient(analysis, callee, depth);
  }
  if (expr.k !== "name" || expr.ref.to !== "binding" || depth > 4) return false;
  const declared = declarationOf(analysis, expr.ref.id);
  return declared?.is === "value" && isFromClient(analysis, bare(declared.init), depth + 1);
}

/** `list.map(async …)` as a statement: the array of promises is thrown away. */
function isDropped(operation: CallOperation): boolean {
  for (const stmt of statementsIn(operation.activation.function.body)) {
    if (stmt.s !== "expr") continue;
    const call = stmt.expr;
    if (call.k === "call" && call.args.some((arg) => within(operation.place.span, arg.value.span)))
      return true;
  }
  return false;
}

function isCallback(operation: Work): boolean {
  return operation.kind === "call" && operation.form === "callback";
}

function nameOf(operation: Work): string {
  if (operation.kind === "effect") return operation.what;
  if (operation.kind === "access") return `${apiText(operation, operation.path)}()`;
  return operation.form === "callback" ? `${operation.by ?? "forEach"}(async …)` : `${operation.text}()`;
}

/** `await ` in front of a call that stands as a statement of an async function. */
function awaitFix(operation: Work): Fix | null {
  if (operation.use.how !== "floating" || isCallback(operation)) return null;
  if (operation.kind === "access" || !operation.activation.function.async) return null;
  const { file, span } = operation.place;
  return {
    title: "Await it",
    safe: true,
    edits: [{ file, span: [span[0], span[0]], text: "await " }],
  };
}
