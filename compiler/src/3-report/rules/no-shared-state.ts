import type { Rule, SharedOperation } from "../../2-solve/types.js";
import { reportAt, wayOf, workflowOf } from "../report-at.js";

/** Mutable state of the process, read or written while the workflow runs. */
export const noSharedState: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "shared" || operation.zone !== "workflow") continue;
    reportAt(analysis, operation, report, (route) => ({
      rule: "no-shared-state",
      message:
        operation.mode === "read"
          ? `\`${operation.name}\` is ${KIND[operation.what]} that changes while the process runs: ${workflowOf(route)} reads it${wayOf(route)}, and a replay sees another value`
          : `\`${operation.name}\` is ${KIND[operation.what]}: ${workflowOf(route)} changes it${wayOf(route)}, again on every replay, and another process never sees it`,
      help:
        operation.mode === "read"
          ? `Read \`${operation.name}\` in a step and use what the step returns, or make it a constant.`
          : `Keep it in \`step.state\`, or return it from a step; a local variable of the workflow is fine too.`,
    }));
  }
};

const KIND: Readonly<Record<SharedOperation["what"], string>> = {
  variable: "a module variable",
  object: "an object of the module",
  static: "a static field",
  enclosing: "a variable of the function around the workflow",
};
