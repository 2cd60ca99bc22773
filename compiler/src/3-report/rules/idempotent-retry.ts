import type { EffectOperation, Operation, Rule } from "../../2-solve/types.js";
import { hasIdempotencyKey } from "../idempotency-key.js";
import { followPaths } from "../paths.js";
import { reportAt, wayOf } from "../report-at.js";
import { reachedFrom, stepSites, type StepSite } from "../step-sites.js";
import { reportInside } from "./report-inside.js";

/** A retried step that does something outside twice. */
export const idempotentRetry: Rule = (analysis, report) => {
  for (const site of stepSites(analysis)) {
    if (!site.retried) continue;
    for (const { first, anchor } of repeated(site)) {
      reportAt(analysis, anchor, report, (route) => ({
        rule: "idempotent-retry",
        message: `If this${wayOf(route)} fails, the retry of ${site.label} repeats \`${first.what}\`, which has been done already`,
        help: "Give each outside effect a step of its own, or send both with an idempotency key that is recorded before.",
      }));
    }
    const option = site.entry.options["retryOnTimeout"];
    const write = firstWrite(site);
    if (option?.constants?.includes(true) !== true || !write) continue;
    reportInside(analysis, site.entry, option.place, report, () => ({
      rule: "idempotent-retry",
      message: `An attempt of ${site.label} that timed out goes on running: with \`retryOnTimeout\` the retry sends \`${write.what}\` a second time`,
      help: "Send an idempotency key that was recorded in a step before, or leave `retryOnTimeout` out.",
    }));
  }
};

function isWrite(operation: Operation): operation is EffectOperation {
  return operation.kind === "effect" && operation.writes && !hasIdempotencyKey(operation);
}

function firstWrite(site: StepSite): EffectOperation | null {
  for (const { activation } of reachedFrom(site.bodies))
    for (const operation of activation.operations) if (isWrite(operation)) return operation;
  return null;
}

interface Repeat {
  /** What an attempt has done before. */
  readonly first: EffectOperation;
  /** The operation of the step's body that can fail after it. */
  readonly anchor: Operation;
}

/** Second writes on some path through the step. */
function repeated(site: StepSite): readonly Repeat[] {
  const found: Repeat[] = [];
  for (const body of site.bodies) {
    followPaths<readonly EffectOperation[]>(body, [], {
      join: (left, right) => (left.length > 0 ? left : right),
      operation: (operation, done, spot) => {
        if (!isWrite(operation)) return done;
        const [first] = done;
        if (first && !spot.caught) found.push({ first, anchor: spot.anchor ?? operation });
        return first ? done : [operation];
      },
    });
  }
  return found;
}
