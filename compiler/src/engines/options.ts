import type { OptionRow } from "../types.js";
import { TRY_CATCHES, TRY_STEP_CATCHES } from "./entries.js";

/**
 * Options and defaults. Source: `StepConfig`, `TryStepConfig`, `TryBlockConfig`, `LoopConfig`,
 * `WorkflowQueueNextBatchOptions` and `DEFAULT_*` of `@rivetkit/workflow-engine` 2.3.19.
 */

const STEP: Readonly<Record<string, OptionRow>> = {
  name: { type: "any" },
  run: { type: "function" },
  rollback: { type: "function" },
  ephemeral: { type: "boolean", default: false },
  maxRetries: { type: "count", min: 0, default: 3 },
  retryBackoffBase: { type: "ms", min: 0, default: 100 },
  retryBackoffMax: { type: "ms", min: 0, default: 30_000 },
  timeout: { type: "ms", min: 0, default: 30_000, zeroDisables: true },
  retryOnTimeout: { type: "boolean", default: false },
};

const QUEUE_NEXT: Readonly<Record<string, OptionRow>> = {
  names: { type: "names" },
  timeout: { type: "ms", min: 0 },
  completable: { type: "boolean", default: false },
};

/** Options by method, as all three engines have them. */
export const OPTIONS: Readonly<Record<string, Readonly<Record<string, OptionRow>>>> = {
  step: STEP,
  tryStep: {
    ...STEP,
    catch: { type: "kinds", values: [...TRY_STEP_CATCHES, "rollback"], default: TRY_STEP_CATCHES },
  },
  try: {
    name: { type: "any" },
    run: { type: "function" },
    catch: { type: "kinds", values: [...TRY_CATCHES, "rollback"], default: TRY_CATCHES },
  },
  loop: {
    name: { type: "any" },
    state: { type: "any" },
    run: { type: "function" },
    historyPruneInterval: { type: "count", min: 1, default: 20 },
    historySize: { type: "count", min: 0 },
    commitInterval: { type: "count", min: 1, replacedBy: "historyPruneInterval" },
    historyEvery: { type: "count", min: 1, replacedBy: "historyPruneInterval" },
    historyKeep: { type: "count", min: 0, replacedBy: "historySize" },
  },
  "queue.next": QUEUE_NEXT,
  "queue.nextBatch": { ...QUEUE_NEXT, count: { type: "count", min: 1, default: 1 } },
};
