import type { Rule } from "../../2-solve/types.js";
import { logWithContext } from "../fixes/index.js";
import { fixAt, reportAt, wayOf } from "../report-at.js";

/** Printing from workflow code: the line comes again on every replay. */
export const noConsole: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "effect" || operation.zone !== "workflow") continue;
    if (operation.effect !== "console") continue;
    reportAt(analysis, operation, report, (route) => ({
      rule: "no-console",
      message: `\`${operation.what}\` prints again on every replay${route.through.length > 0 ? `: reached${wayOf(route)}` : ""}`,
      help: "Log through the context (`ctx.log.info(…)`), which stays silent while history is replayed, or log inside a step.",
      ...fixAt(route, () => logWithContext(analysis, operation)),
    }));
  }
};
