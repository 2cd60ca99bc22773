import { apiText } from "../../2-solve/entries/entry-text.js";
import type { Rule } from "../../2-solve/types.js";
import { reportInside, engineOf } from "./report-inside.js";

/**
 * Actor APIs in a rollback handler, where the engine does not hand them out. Variables that a step assigned
 * are told where the step assigns them (`no-captured-mutation`).
 */
export const rollbackContext: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "access" || operation.zone !== "rollback") continue;
    reportInside(analysis, operation, operation.place, report, (route) =>
      operation.api in engineOf(route).contexts.rollback
        ? null
        : {
            rule: "rollback-context",
            message: `\`${apiText(operation)}\` is not there in a rollback handler: it gets a rollback context and the step's output, no actor API`,
            help: "Put what the rollback needs into the step's output, and undo the effect with a direct call to the outside.",
          },
    );
  }
};
