import type { EntryOperation, Rule } from "../../2-solve/types.js";
import { reportAt } from "../report-at.js";

/** Names that differ between runs, or that can't be read at build time. */
export const stableEntryNames: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "entry" || operation.zone !== "workflow") continue;
    const [effect] = operation.name.effects;
    if (effect)
      reportAt(analysis, operation, report, () => ({
        rule: "stable-entry-names",
        message: `The name of this ${kindOf(operation)} comes from \`${effect.what}\`, so a replay looks for another name than the recorded one`,
        help: "Build the name from constants and recorded data: take the value in a step of its own and use what that step returns.",
      }));
    else if (operation.names.length === 0 && operation.name.source === "unknown")
      reportAt(analysis, operation, report, () => ({
        rule: "stable-entry-names",
        severity: "warning",
        message: `The name of this ${kindOf(operation)}, \`${operation.name.text}\`, can't be read at build time`,
        help: "Use a literal, a template with constant parts (`item-${id}`), or data that a step recorded.",
      }));
  }
};

function kindOf(operation: EntryOperation): string {
  return operation.entry === "message" ? "queue wait" : operation.entry.replace("_", " ");
}
