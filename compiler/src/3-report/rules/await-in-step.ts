import type {
  CallOperation,
  AccessOperation,
  EffectOperation,
  Operation,
  Rule,
} from "../../2-solve/types.js";
import type { Fix } from "../../types.js";
import { reportAt, wayOf } from "../report-at.js";

/** Work that a step or a rollback handler starts and does not wait for. */
export const awaitInStep: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.zone !== "step" && operation.zone !== "rollback") continue;
    if (!startsWork(operation) || !isLeft(operation)) continue;
    // What a package starts in its own time is its business.
    if (operation.activation.function.file.includes("/node_modules/")) continue;
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
  return operation.kind === "effect" || operation.kind === "access" || operation.kind === "call";
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
  if (operation.kind === "access" || operation.form !== "call") return false;
  return operation.targets.length > 0 && operation.targets.every((target) => target.function.async);
}

function isCallback(operation: Work): boolean {
  return operation.kind === "call" && operation.form === "callback";
}

function nameOf(operation: Work): string {
  if (operation.kind === "effect") return operation.what;
  if (operation.kind === "access")
    return [operation.context.text, operation.api, ...operation.path].join(".");
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
