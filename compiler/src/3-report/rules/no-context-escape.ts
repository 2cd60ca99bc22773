import type { EscapeOperation, Rule } from "../../2-solve/types.js";
import { reportAt } from "../report-at.js";

/** A context stored, returned or captured beyond its scope. */
export const noContextEscape: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "escape") continue;
    const { context } = operation;
    reportAt(analysis, operation, report, () => ({
      rule: "no-context-escape",
      message: `${subjectOf(context)} ${WAY[operation.how](operation.into)}: it is dead once that scope has ended`,
      help:
        context.scope.kind === "step"
          ? "Return the data that is needed from the step, and use a new step for later work."
          : "Use a context only inside the callback that it was given to; return data, not the context.",
    }));
  }
};

/** A parameter has no text of its own. */
function subjectOf({ text, scope }: EscapeOperation["context"]): string {
  return text === "" ? `The context of ${scope.label}` : `\`${text}\`, the context of ${scope.label},`;
}

const WAY: Readonly<Record<EscapeOperation["how"], (into: string) => string>> = {
  stored: (into) => `is stored in \`${into}\``,
  returned: () => "leaves its callback with what is returned",
  captured: (into) => `is kept by a function that is stored in \`${into}\``,
};
