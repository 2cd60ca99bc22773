import { apiText, entryText } from "../../2-solve/entries/entry-text.js";
import type { AccessOperation, Activation, EntryOperation, Rule, Scope } from "../../2-solve/types.js";
import type { FunctionFacts } from "../../types.js";
import { useInnerContext } from "../fixes/index.js";
import { fixAt, reportAt } from "../report-at.js";

/**
 * Entries called on a context other than the one in charge: an outer one, or a workflow's in a step; and
 * actor APIs asked in a step of a workflow's context or of another step's, where only the step's own context has them.
 */
export const useScopeContext: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind === "access" && isWorkflowContextInStep(operation)) {
      reportAt(analysis, operation, report, () => ({
        rule: "use-scope-context",
        message: `\`${apiText(operation)}\` asks the context of ${operation.context.scope.label} inside ${operation.activation.scope?.label ?? "a step"}: a workflow's context has no actor APIs`,
        help: `Use the context that the step's callback gets: \`ctx.step(name, async (step) => step.${operation.api}…)\`.`,
      }));
      continue;
    }
    if (operation.kind === "access" && isOfAnotherStep(operation)) {
      reportAt(analysis, operation, report, () => ({
        rule: "use-scope-context",
        message: `\`${apiText(operation)}\` asks the context of ${operation.context.scope.label}, which is over, inside ${operation.activation.scope?.label ?? "a step"}`,
        help: "Use the context that this step's own callback gets.",
      }));
      continue;
    }
    if (operation.kind !== "entry") continue;
    const inCharge = operation.activation.scope;
    const used = operation.context.scope;
    const dead = used.kind === "step" || used.kind === "rollback";
    if (!dead && (!inCharge || inCharge.id === used.id)) continue;
    const said = remarkOn(operation, inCharge ?? used, used);
    if (!said) continue;
    // The line to change is the one that hands the context on: in the callback whose context is in charge.
    const callback = inCharge?.callback ? analysis.functionOf(inCharge.callback) : null;
    const isOwn = (activation: Activation): boolean =>
      activation.own && (!callback || isWithin(activation.function, callback));
    const outer = operation.zone === "workflow" && inCharge !== null && encloses(used, inCharge);
    reportAt(
      analysis,
      operation,
      report,
      (route) => ({
        rule: "use-scope-context",
        ...said,
        ...(outer ? fixAt(route, () => useInnerContext(analysis, operation)) : {}),
      }),
      isOwn,
    );
  }
};

function isWorkflowContextInStep(operation: AccessOperation): boolean {
  return operation.zone === "step" && WORKFLOW_CONTEXTS.has(operation.context.scope.kind);
}

/** A step's context that was kept and is asked in another step; not a variable that each step sets anew. */
function isOfAnotherStep({ zone, activation, context, place }: AccessOperation): boolean {
  const inCharge = activation.scope;
  if (zone !== "step" || context.scope.kind !== "step" || inCharge?.kind !== "step") return false;
  if (inCharge.id === context.scope.id) return false;
  return !activation.operations.some(
    (one) =>
      one.kind === "access" && one.place.span[0] === place.span[0] && one.context.scope.id === inCharge.id,
  );
}

const WORKFLOW_CONTEXTS: ReadonlySet<Scope["kind"]> = new Set(["workflow", "loop", "branch", "try"]);

function remarkOn(
  operation: EntryOperation,
  inCharge: Scope,
  used: Scope,
): { message: string; help: string } | null {
  const call = `\`${entryText(operation)}\``;
  if (operation.zone === "step" || operation.zone === "rollback")
    return {
      message: `${call} is called inside ${inCharge.label}: entries can't be recorded while a ${operation.zone} runs`,
      help: `Move it out of the ${operation.zone}, to workflow code.`,
    };
  if (used.kind === "step" || used.kind === "rollback")
    return {
      message: `${call} is called on the context of ${used.label}, which records no entries`,
      help: "Call it on the workflow's context, in workflow code.",
    };
  if (operation.zone !== "workflow") return null;
  const outer = encloses(used, inCharge);
  return {
    message: outer
      ? `${call} uses the context of ${used.label} inside ${inCharge.label}, whose own context is in charge`
      : `${call} uses the context of ${used.label} after that scope has ended`,
    help: outer
      ? "Use the context that the innermost callback gets as its parameter."
      : "Use the context of the scope that you are in; a callback's context ends with it.",
  };
}

const isWithin = (inner: FunctionFacts, outer: FunctionFacts): boolean =>
  inner.file === outer.file && inner.span[0] >= outer.span[0] && inner.span[1] <= outer.span[1];

function encloses(outer: Scope, inner: Scope): boolean {
  for (let scope = inner.parent; scope; scope = scope.parent) if (scope.id === outer.id) return true;
  return false;
}
