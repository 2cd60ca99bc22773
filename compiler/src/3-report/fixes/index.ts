export { joinInstead } from "./join-instead.js";
export { logWithContext } from "./log-with-context.js";
export { namePerIndex } from "./name-per-index.js";
export { takeABatch } from "./take-a-batch.js";
export { useInnerContext } from "./use-inner-context.js";
export { wrapInStep } from "./wrap-in-step.js";
