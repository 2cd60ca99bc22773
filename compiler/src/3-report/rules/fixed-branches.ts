import type { Rule } from "../../2-solve/types.js";
import { reportAt } from "../report-at.js";

/** The branch set of a join or race must be the same on every run. */
export const fixedBranches: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "entry" || operation.zone !== "workflow") continue;
    if (operation.branchesFixed || !operation.branches) continue;
    const [effect] = operation.branches.effects;
    if (!effect && operation.branches.source !== "unknown") continue;
    reportAt(analysis, operation, report, () => ({
      rule: "fixed-branches",
      ...(effect ? {} : { severity: "warning" as const }),
      message: effect
        ? `The branches of this ${operation.method} depend on \`${effect.what}\`: a replay can meet another set than the recorded one`
        : `The branches of this ${operation.method} are built from \`${operation.branches?.text}\`, which can't be shown to be the same on a replay`,
      help: "Build the set from constants or from what a step returned.",
    }));
  }
};
