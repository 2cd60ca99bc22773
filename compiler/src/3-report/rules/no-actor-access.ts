import { apiText } from "../../2-solve/entries/entry-text.js";
import type { Rule } from "../../2-solve/types.js";
import { reportAt, wayOf } from "../report-at.js";

/** Data, which is read; the others act. */
const LIVE: ReadonlySet<string> = new Set(["state", "vars", "db", "kv", "conns"]);

/** Actor APIs outside of a step: through a workflow's context, or through a step's that outlived its step. */
export const noActorAccess: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "access" || operation.zone !== "workflow") continue;
    const { context, api } = operation;
    const late = context.scope.kind === "step" || context.scope.kind === "rollback";
    reportAt(analysis, operation, report, (route) => ({
      rule: "no-actor-access",
      message: late
        ? `\`${apiText({ context, api })}\` is used after its ${context.scope.kind} has ended${wayOf(route)}`
        : `\`${apiText({ context, api })}\` is only valid inside a step: ${LIVE.has(api) ? "a replay finds other values in it" : "a replay would do it again"}${route.through.length > 0 ? `; reached${wayOf(route)}` : ""}`,
      help: `Use it in a step and return what you need: \`const value = await ctx.step(name, async (step) => step.${api}…)\`.`,
    }));
  }
};
