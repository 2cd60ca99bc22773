import type { Rule } from "../../2-solve/types.js";
import { reportAt, wayOf } from "../report-at.js";

/** Calls that could not be followed; shown under `--strict` only. */
export const noUnknownCalls: Rule = (analysis, report) => {
  for (const unknown of analysis.unknownCallees)
    reportAt(analysis, unknown.operation, report, (route) => ({
      rule: "no-unknown-calls",
      message: `\`${unknown.text}\` can't be read at build time${wayOf(route)}: ${
        unknown.why === "package"
          ? "its package is not installed and not in the catalogue"
          : "what is called depends on run-time data"
      }`,
      help: "Call it inside a step, or declare it in `stepproof.config` (`pure` or `effectful`) once you have looked at it.",
    }));
};
