import type { Analysis, AwaitOperation, Place, Rule } from "../../2-solve/types.js";
import { reportAt, wayOf, workflowOf } from "../report-at.js";

/** Waits of workflow code that no history can hold. What is an effect by itself is told as that. */
export const noForeignAwait: Rule = (analysis, report) => {
  const effects = placesOfEffects(analysis);
  for (const operation of analysis.operations) {
    if (operation.kind !== "await" || operation.zone !== "workflow" || operation.waitsFor !== "foreign")
      continue;
    if (toldAsEffect(operation, effects)) continue;
    reportAt(analysis, operation, report, (route) => ({
      rule: "no-foreign-await",
      message: `\`await ${operation.text}\` waits for something that is not recorded${
        route.through.length === 0 ? "" : `: ${workflowOf(route)} reaches it${wayOf(route)}`
      }`,
      help: "Wait for entries only: put the work in a step, wait for a message with `ctx.queue.next`, or for time with `ctx.sleep`.",
    }));
  }
};

function placesOfEffects(analysis: Analysis): ReadonlyMap<string, readonly Place[]> {
  const found = new Map<string, Place[]>();
  for (const operation of analysis.operations) {
    if (operation.kind !== "effect" || operation.effect === "unknown") continue;
    const known = found.get(operation.place.file);
    if (known) known.push(operation.place);
    else found.set(operation.place.file, [operation.place]);
  }
  return found;
}

/** `await new Promise((resolve) => setTimeout(resolve, 50))`: the timer is the finding. */
function toldAsEffect(operation: AwaitOperation, effects: ReadonlyMap<string, readonly Place[]>): boolean {
  const [start, end] = operation.place.span;
  return (effects.get(operation.place.file) ?? []).some(({ span }) => span[0] >= start && span[1] <= end);
}
