import type { EngineProfile } from "../types.js";
import { ACTOR_CALLBACKS, WORKFLOW_CONFIG_CALLBACKS, WORKFLOW_FUNCTION_CALLBACKS } from "./callbacks.js";
import { CONTEXTS } from "./contexts.js";
import { COMMON_EXPORTS, CONTEXT_TYPES } from "./exports.js";
import { OPTIONS } from "./options.js";

/** `@rivet-dev/workflows` 1.0, as its documentation (seed.md) shows it. */
export const RIVET_WORKFLOWS_1: EngineProfile = {
  name: "rivet-workflows-1",
  modules: ["@rivet-dev/workflows"],
  exports: {
    ...COMMON_EXPORTS,
    workflow: { is: "definition", callbacks: [...WORKFLOW_CONFIG_CALLBACKS, ...WORKFLOW_FUNCTION_CALLBACKS] },
    actor: { is: "definition", callbacks: ACTOR_CALLBACKS },
  },
  contextTypes: CONTEXT_TYPES,
  contexts: CONTEXTS,
  options: OPTIONS,
  unrecordedFailureData: [
    "error.stack",
    "error.metadata",
    "error.cause",
    "step.error.stack",
    "step.error.metadata",
  ],
};
