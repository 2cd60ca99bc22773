import type { EffectSource, Rule } from "../../2-solve/types.js";
import { idempotencyKeyOf } from "../idempotency-key.js";
import { within } from "../facts-walk.js";
import { reachedFrom, stepSites } from "../step-sites.js";
import { reportInside } from "./report-inside.js";

/** What is another at every attempt. */
const FRESH: ReadonlySet<EffectSource["effect"]> = new Set(["clock", "random", "id", "memory", "stack"]);

/** An idempotency key that a retry does not find again. */
export const stableIdempotencyKey: Rule = (analysis, report) => {
  for (const site of stepSites(analysis)) {
    if (!site.retried) continue;
    for (const { activation } of reachedFrom(site.bodies)) {
      for (const operation of activation.operations) {
        const key = idempotencyKeyOf(operation);
        const source = key?.effects.find(({ effect }) => FRESH.has(effect));
        if (!key || !source) continue;
        const inside =
          key.place.file === activation.function.file && within(key.place.span, activation.function.span);
        reportInside(analysis, operation, inside ? key.place : operation.place, report, () => ({
          rule: "stable-idempotency-key",
          message: `The idempotency key of ${site.label} comes from \`${source.what}\`: every attempt has another one, so a retry is taken for a new request`,
          help: 'Make the key in a step of its own (`const key = await ctx.step("charge-key", async () => crypto.randomUUID())`), or build it from recorded data such as the order\'s id.',
        }));
      }
    }
  }
};
