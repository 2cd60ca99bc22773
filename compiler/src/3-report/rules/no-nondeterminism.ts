import type { EffectOperation, Route, Rule } from "../../2-solve/types.js";
import type { EffectKind } from "../../types.js";
import { wrapInStep } from "../fixes/index.js";
import { fixAt, reportAt, wayOf, workflowOf } from "../report-at.js";

/** Values that can differ between two runs: clock, random numbers, the environment … */
export const noNondeterminism: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "effect" || operation.zone !== "workflow") continue;
    const help = operation.computedAt ? IN_A_STEP : REMEDY[operation.effect];
    if (help === undefined) continue;
    reportAt(analysis, operation, report, (route) => ({
      rule: "no-nondeterminism",
      message: messageOf(operation, route),
      help,
      ...fixAt(route, () => wrapInStep(analysis, operation)),
    }));
  }
};

function messageOf(operation: EffectOperation, route: Route): string {
  const what = `\`${operation.what}\``;
  const way =
    route.through.length === 0 ? `in ${workflowOf(route)}` : `${workflowOf(route)} reaches it${wayOf(route)}`;
  if (operation.computedAt) return `${what} differs between processes: ${operation.why}; ${way}`;
  return route.through.length === 0
    ? `${what} ${VERB[operation.effect] ?? "runs"} again on every replay ${way}`
    : `${what} ${VERB[operation.effect] ?? "runs"} again on every replay: ${way}`;
}

const VERB: Partial<Record<EffectKind, string>> = {
  environment: "is read",
  host: "is read",
  locale: "is read",
};

const IN_A_STEP =
  "Take the value in a step, `const value = await ctx.step(name, async () => …)`: it is recorded once.";

/** The kinds of effect that this rule speaks of, with what to do. */
const REMEDY: Partial<Record<EffectKind, string>> = {
  clock:
    'Read the clock in a step, `const now = await ctx.step("now", async () => Date.now())`; to wait, use `ctx.sleep`.',
  random: IN_A_STEP,
  id: 'Make the id in a step, `const id = await ctx.step("new-id", async () => crypto.randomUUID())`: it is recorded once.',
  locale: "Pass the locale and the time zone explicitly, or format inside a step.",
  environment:
    "Read the environment in a step, or pass the value in the workflow's input: a deploy can change it.",
  host: IN_A_STEP,
  stack: "A stack tells of one process: keep the message, or read the stack inside a step.",
};
