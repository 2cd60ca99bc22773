import type { EffectOperation, Rule } from "../../2-solve/types.js";
import type { EffectKind } from "../../types.js";
import { wrapInStep } from "../fixes/index.js";
import { fixAt, reportAt, wayOf, workflowOf } from "../report-at.js";

/** Acts on the outside world from workflow code: requests, files, databases, timers, processes … */
export const noSideEffects: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "effect" || operation.zone !== "workflow") continue;
    // What a process fetched when it started is not fetched again; that it differs is `no-nondeterminism`.
    if (operation.computedAt) continue;
    const act = ACTS[operation.effect];
    if (act === undefined) continue;
    reportAt(analysis, operation, report, (route) => ({
      rule: "no-side-effects",
      message: `\`${operation.what}\` ${act} again on every replay${
        route.through.length === 0
          ? ` in ${workflowOf(route)}`
          : `: ${workflowOf(route)} reaches it${wayOf(route)}`
      }`,
      help: remedyOf(operation),
      ...(operation.effect === "timer" ? {} : fixAt(route, () => wrapInStep(analysis, operation))),
    }));
  }
};

/** The kinds of effect that this rule speaks of, as what they do. */
const ACTS: Partial<Record<EffectKind, string>> = {
  network: "goes out to the network",
  file: "goes to the file system",
  database: "goes to the database",
  timer: "starts a timer of this process",
  process: "acts on the process",
  emitter: "emits",
  queue: "sends",
  metrics: "counts",
  memory: "uses the memory of this process",
  declared: "acts",
};

function remedyOf(operation: EffectOperation): string {
  if (operation.effect === "timer")
    return "Wait with `await ctx.sleep(name, ms)`: it survives restarts and costs nothing meanwhile.";
  if (operation.effect === "metrics") return "Count inside a step, so that a replay does not count again.";
  return "Put it in a step, `await ctx.step(name, async () => …)`: it runs once and its result is recorded.";
}
