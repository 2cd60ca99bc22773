import type { EngineProfile } from "../types.js";
import { ACTOR_CALLBACKS, WORKFLOW_CONFIG_CALLBACKS, WORKFLOW_FUNCTION_CALLBACKS } from "./callbacks.js";
import { CONTEXTS } from "./contexts.js";
import { COMMON_EXPORTS, CONTEXT_TYPES } from "./exports.js";
import { OPTIONS } from "./options.js";

/** `@stepproof/runtime`: the API of `@rivet-dev/workflows` with the contract of design §4. */
export const STEPPROOF: EngineProfile = {
  name: "stepproof",
  modules: ["@stepproof/runtime"],
  exports: {
    ...COMMON_EXPORTS,
    workflow: { is: "definition", callbacks: [...WORKFLOW_CONFIG_CALLBACKS, ...WORKFLOW_FUNCTION_CALLBACKS] },
    actor: { is: "definition", callbacks: ACTOR_CALLBACKS },
  },
  contextTypes: CONTEXT_TYPES,
  contexts: CONTEXTS,
  options: OPTIONS,
  // Error data is recorded whole (§4.10, §4.14); a stack tells of one process and is not part of it.
  unrecordedFailureData: ["error.stack", "step.error.stack"],
};
