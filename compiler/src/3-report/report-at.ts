import type { Activation, Finding, Operation, Analysis, Route } from "../2-solve/types.js";
import type { Fix } from "../types.js";
import type { RuleSlug } from "./rules.js";

/** What a rule says of one place; the way there is added from the route. */
export interface Remark extends Pick<Finding, "message" | "help" | "severity" | "fix"> {
  readonly rule: RuleSlug;
}

/**
 * Reports an operation once per line of the author's own workflow code that leads to it.
 * @param isOwn in which activations it may be placed, see {@link Analysis.routesTo}.
 * @param remark says the finding for one way; `route.through` names the functions between.
 */
export function reportAt(
  analysis: Analysis,
  operation: Operation,
  report: (finding: Finding) => void,
  remark: (route: Route) => Remark,
  isOwn?: (activation: Activation) => boolean,
): void {
  for (const route of analysis.routesTo(operation, isOwn))
    report({
      ...remark(route),
      place: route.place,
      chain: route.chain,
      otherWays: route.otherWays,
    });
}

/** A fix where the author's line is the one that does it, not a call that leads to it. */
export function fixAt(route: Route, make: () => Fix | null): { readonly fix?: Fix } {
  const fix = route.through.length === 0 ? make() : null;
  return fix === null ? {} : { fix };
}

/** `workflow "triage"`, or what stands for it when no workflow of the program calls the code. */
export function workflowOf(route: Route): string {
  return route.workflow ? `workflow \`${route.workflow.name}\`` : "workflow code";
}

/** ` through \`chooseReviewer\` → \`pick\``; empty when the author's line does it itself. */
export function wayOf(route: Route): string {
  if (route.through.length === 0) return "";
  const named = route.through.filter((name) => name !== NAMELESS);
  return named.length === 0
    ? " through a function without a name"
    : ` through ${named.map((name) => `\`${name}\``).join(" → ")}`;
}

/** As `FunctionFacts.name` has it. */
const NAMELESS = "(anonymous)";
