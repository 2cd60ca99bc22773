import { apiText } from "../../2-solve/entries/entry-text.js";
import { fileOf } from "../../2-solve/program.js";
import type { Activation, Analysis, AccessOperation, EffectOperation, Rule } from "../../2-solve/types.js";
import type { Expr, FunctionFacts } from "../../types.js";
import { declarationOf } from "../declarations.js";
import { bare, dotted, exprsOfBody, within } from "../facts-walk.js";
import { reportAt } from "../report-at.js";
import { reachedFrom } from "../step-sites.js";

/** A timer's or listener's callback that uses the context of a step which is over by then. */
export const noLateStepContext: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "effect" || (operation.zone !== "step" && operation.zone !== "rollback")) continue;
    if (operation.later.length === 0 || isWaitedFor(operation) || endsWithinStep(analysis, operation))
      continue;
    for (const { access, callback } of usesIn(operation.later)) {
      if (isResolver(analysis, callback.function)) continue;
      reportAt(analysis, access, report, () => ({
        rule: "no-late-step-context",
        message: `\`${apiText(access)}\` is used in a callback of \`${operation.what}\`: it runs when ${access.context.scope.label} is over and its context is dead`,
        help: "Wait for the callback inside the step (`await new Promise(…)`), or let it send a queue message to the actor and use a new step for what follows.",
      }));
    }
  }
};

/** `await pipeline(source, async function* (chunks) { … })`: its callbacks are over when it is. */
function isWaitedFor({ use }: EffectOperation): boolean {
  return (
    use.how === "awaited" ||
    use.how === "returned" ||
    use.how === "combined" ||
    (use.how === "stored" && use.awaitedAt !== null)
  );
}

function* usesIn(later: readonly Activation[]): Generator<{ access: AccessOperation; callback: Activation }> {
  for (const callback of later)
    for (const { activation } of reachedFrom([callback]))
      for (const operation of activation.operations)
        if (operation.kind === "access" && operation.context.scope.kind === "step")
          yield { access: operation, callback };
}

/**
 * `new Promise((resolve) => setTimeout(() => { …; resolve(); }))`: whoever awaits the promise waits for the
 * callback. Told by the callback using a parameter of the function around it.
 */
function isResolver(analysis: Analysis, callback: FunctionFacts): boolean {
  const owner = callback.owner === null ? null : analysis.functionOf(callback.owner);
  const resolvers = new Set(
    owner && isExecutor(analysis, owner)
      ? owner.params.flatMap(({ pattern }) => (pattern.p === "binding" ? [pattern.id] : []))
      : [],
  );
  for (const expr of exprsOfBody(callback.body)) {
    if (expr.k !== "name" || expr.ref.to !== "binding") continue;
    if (resolvers.has(expr.ref.id) || isWithResolvers(analysis, expr.ref.id)) return true;
  }
  return false;
}

/** `const { promise, resolve } = Promise.withResolvers()` */
function isWithResolvers(analysis: Analysis, id: string): boolean {
  const declared = declarationOf(analysis, id);
  if (declared?.is !== "value" || declared.init.k !== "call") return false;
  return dotted(declared.init.callee)?.join(".") === "Promise.withResolvers";
}

/** The argument of `new Promise(…)`. */
function isExecutor(analysis: Analysis, fn: FunctionFacts): boolean {
  const owner = fn.owner === null ? null : analysis.functionOf(fn.owner);
  if (!owner) return false;
  for (const expr of exprsOfBody(owner.body)) {
    if (expr.k !== "call" || expr.form !== "new") continue;
    const [first] = expr.args;
    if (first?.value.k === "function" && first.value.id === fn.id)
      return expr.callee.k === "name" && expr.callee.name === "Promise";
  }
  return false;
}

/** A timer that the same function clears, or a listener on something that the step itself made. */
function endsWithinStep(analysis: Analysis, operation: EffectOperation): boolean {
  const { function: fn } = operation.activation;
  const call = callAt(fn, operation);
  if (!call) return false;
  if (operation.effect === "timer") return isCleared(analysis, fn, call);
  const receiver = call.callee.k === "member" ? rootOf(call.callee.object) : null;
  if (receiver?.k !== "name" || receiver.ref.to !== "binding") return false;
  const declared = declarationOf(analysis, receiver.ref.id);
  // What is not known may be a stream that whoever handed it in waits for.
  if (operation.effect === "unknown" && !declared) return true;
  return (
    declared?.is === "value" &&
    within(declared.init.span, fn.span) &&
    fileOf(receiver.ref.id) === fn.file &&
    fn.owner !== null
  );
}

type Call = Extract<Expr, { k: "call" }>;

function callAt(fn: FunctionFacts, operation: EffectOperation): Call | null {
  const [start, end] = operation.place.span;
  for (const expr of exprsOfBody(fn.body))
    if (expr.k === "call" && expr.span[0] === start && (expr.span[1] === end || expr.callee.span[1] === end))
      return expr;
  return null;
}

function rootOf(expr: Expr): Expr {
  const inner = bare(expr);
  return inner.k === "member" ? rootOf(inner.object) : inner;
}

/** `const timer = setInterval(…)` … `clearInterval(timer)` */
function isCleared(analysis: Analysis, fn: FunctionFacts, call: Call): boolean {
  const exprs = exprsOfBody(fn.body);
  const holds = (id: string): boolean => {
    const declared = declarationOf(analysis, id);
    if (declared?.is === "value" && bare(declared.init) === call) return true;
    return exprs.some(
      (expr) =>
        expr.k === "assign" &&
        "p" in expr.target &&
        expr.target.p === "binding" &&
        expr.target.id === id &&
        bare(expr.value) === call,
    );
  };
  return exprs.some((expr) => {
    if (expr.k !== "call" || expr.span[0] <= call.span[1] || expr.args.length !== 1) return false;
    if (!/^clear(?:Timeout|Interval|Immediate)$/.test(dotted(expr.callee)?.at(-1) ?? "")) return false;
    const timer = bare(expr.args[0]?.value ?? expr);
    return timer.k !== "name" || (timer.ref.to === "binding" && holds(timer.ref.id));
  });
}
