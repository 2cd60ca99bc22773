import type { EngineProfile } from "../types.js";
import { ACTOR_CALLBACKS, WORKFLOW_FUNCTION_CALLBACKS } from "./callbacks.js";
import { CONTEXTS_ROLLBACK_IS_STEP } from "./contexts.js";
import { COMMON_EXPORTS, CONTEXT_TYPES } from "./exports.js";
import { OPTIONS } from "./options.js";

/** `rivetkit` and `rivetkit/workflow`, as published on npm (2.3.19). */
export const RIVETKIT_2: EngineProfile = {
  name: "rivetkit-2",
  modules: ["rivetkit", "@rivetkit/actor", "@rivetkit/workflow-engine"],
  exports: {
    ...COMMON_EXPORTS,
    workflow: { is: "definition", callbacks: WORKFLOW_FUNCTION_CALLBACKS },
    actor: { is: "definition", callbacks: ACTOR_CALLBACKS },
  },
  contextTypes: CONTEXT_TYPES,
  contexts: CONTEXTS_ROLLBACK_IS_STEP,
  options: OPTIONS,
  // Its history stores a failure as one string, `name: message` (`parseStoredWorkflowError`).
  unrecordedFailureData: [
    "error.stack",
    "error.metadata",
    "error.cause",
    "step.error.stack",
    "step.error.metadata",
  ],
};
