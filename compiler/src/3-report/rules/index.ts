import type { Rule } from "../../2-solve/types.js";
import type { RuleSlug } from "../rules.js";
import { awaitEntries } from "./await-entries.js";
import { awaitInStep } from "./await-in-step.js";
import { boundedHistory } from "./bounded-history.js";
import { boundedPayload } from "./bounded-payload.js";
import { completeMessages } from "./complete-messages.js";
import { criticalPermanentError } from "./critical-permanent-error.js";
import { fixedBranches } from "./fixed-branches.js";
import { idempotentRetry } from "./idempotent-retry.js";
import { idempotentStep } from "./idempotent-step.js";
import { loopMakesProgress } from "./loop-makes-progress.js";
import { loopResult } from "./loop-result.js";
import { noActorAccess } from "./no-actor-access.js";
import { noCapturedMutation } from "./no-captured-mutation.js";
import { noConcurrentEntries } from "./no-concurrent-entries.js";
import { noConsole } from "./no-console.js";
import { noContextEscape } from "./no-context-escape.js";
import { noForeignAwait } from "./no-foreign-await.js";
import { noLateStepContext } from "./no-late-step-context.js";
import { noNondeterminism } from "./no-nondeterminism.js";
import { noSecretOutput } from "./no-secret-output.js";
import { noSharedState } from "./no-shared-state.js";
import { noSideEffects } from "./no-side-effects.js";
import { noSwallowedSuspension } from "./no-swallowed-suspension.js";
import { noUnknownCalls } from "./no-unknown-calls.js";
import { queueTimeout } from "./queue-timeout.js";
import { rollbackCheckpointFirst } from "./rollback-checkpoint-first.js";
import { rollbackContext } from "./rollback-context.js";
import { serializableValues } from "./serializable-values.js";
import { stableEntryNames } from "./stable-entry-names.js";
import { stableIdempotencyKey } from "./stable-idempotency-key.js";
import { stepOptions } from "./step-options.js";
import { stepSwallowsError } from "./step-swallows-error.js";
import { uniqueEntryNames } from "./unique-entry-names.js";
import { unstableFailureData } from "./unstable-failure-data.js";
import { useScopeContext } from "./use-scope-context.js";
import { versionGates } from "./version-gates.js";

/**
 * Every rule that reads the analysis, by its slug; one file each, in the order of the rule table.
 * `suppressions` and `parsable-source` come from the files themselves (`report.ts`, `suppress.ts`).
 */
export const RULE_FUNCTIONS: Readonly<Partial<Record<RuleSlug, Rule>>> = {
  "no-nondeterminism": noNondeterminism,
  "no-side-effects": noSideEffects,
  "no-foreign-await": noForeignAwait,
  "no-shared-state": noSharedState,
  "no-actor-access": noActorAccess,
  "no-console": noConsole,
  "no-unknown-calls": noUnknownCalls,
  "unique-entry-names": uniqueEntryNames,
  "stable-entry-names": stableEntryNames,
  "await-entries": awaitEntries,
  "no-concurrent-entries": noConcurrentEntries,
  "use-scope-context": useScopeContext,
  "no-context-escape": noContextEscape,
  "no-captured-mutation": noCapturedMutation,
  "no-swallowed-suspension": noSwallowedSuspension,
  "bounded-history": boundedHistory,
  "loop-makes-progress": loopMakesProgress,
  "loop-result": loopResult,
  "fixed-branches": fixedBranches,
  "rollback-checkpoint-first": rollbackCheckpointFirst,
  "rollback-context": rollbackContext,
  "serializable-values": serializableValues,
  "no-secret-output": noSecretOutput,
  "step-options": stepOptions,
  "queue-timeout": queueTimeout,
  "complete-messages": completeMessages,
  "idempotent-step": idempotentStep,
  "unstable-failure-data": unstableFailureData,
  "version-gates": versionGates,
  "await-in-step": awaitInStep,
  "no-late-step-context": noLateStepContext,
  "step-swallows-error": stepSwallowsError,
  "stable-idempotency-key": stableIdempotencyKey,
  "idempotent-retry": idempotentRetry,
  "critical-permanent-error": criticalPermanentError,
  "bounded-payload": boundedPayload,
};
