import type { Rule } from "../../2-solve/types.js";
import type { RuleSlug } from "../rules.js";
import { awaitEntries } from "./await-entries.js";
import { noActorAccess } from "./no-actor-access.js";
import { noForeignAwait } from "./no-foreign-await.js";
import { noNondeterminism } from "./no-nondeterminism.js";
import { noSideEffects } from "./no-side-effects.js";
import { uniqueEntryNames } from "./unique-entry-names.js";
import { useScopeContext } from "./use-scope-context.js";
import { boundedHistory } from "./bounded-history.js";
import { completeMessages } from "./complete-messages.js";
import { fixedBranches } from "./fixed-branches.js";
import { loopMakesProgress } from "./loop-makes-progress.js";
import { loopResult } from "./loop-result.js";
import { noCapturedMutation } from "./no-captured-mutation.js";
import { noConcurrentEntries } from "./no-concurrent-entries.js";
import { noConsole } from "./no-console.js";
import { noContextEscape } from "./no-context-escape.js";
import { noSharedState } from "./no-shared-state.js";
import { noSwallowedSuspension } from "./no-swallowed-suspension.js";
import { noUnknownCalls } from "./no-unknown-calls.js";
import { queueTimeout } from "./queue-timeout.js";
import { rollbackCheckpointFirst } from "./rollback-checkpoint-first.js";
import { rollbackContext } from "./rollback-context.js";
import { stableEntryNames } from "./stable-entry-names.js";
import { stepOptions } from "./step-options.js";
import { unstableFailureData } from "./unstable-failure-data.js";
import { versionGates } from "./version-gates.js";

/**
 * Every rule that reads the analysis, by its slug; one file each, in the order of the rule table.
 * `suppressions` and `parsable-source` come from the files themselves (`report.ts`, `suppress.ts`).
 */
export const RULE_FUNCTIONS: Readonly<Partial<Record<RuleSlug, Rule>>> = {
  "no-nondeterminism": noNondeterminism,
  "no-side-effects": noSideEffects,
  "no-foreign-await": noForeignAwait,
  "no-actor-access": noActorAccess,
  "unique-entry-names": uniqueEntryNames,
  "await-entries": awaitEntries,
  "use-scope-context": useScopeContext,
  "no-shared-state": noSharedState,
  "no-console": noConsole,
  "no-unknown-calls": noUnknownCalls,
  "stable-entry-names": stableEntryNames,
  "no-concurrent-entries": noConcurrentEntries,
  "no-context-escape": noContextEscape,
  "no-captured-mutation": noCapturedMutation,
  "no-swallowed-suspension": noSwallowedSuspension,
  "bounded-history": boundedHistory,
  "loop-makes-progress": loopMakesProgress,
  "loop-result": loopResult,
  "fixed-branches": fixedBranches,
  "rollback-checkpoint-first": rollbackCheckpointFirst,
  "rollback-context": rollbackContext,
  "step-options": stepOptions,
  "queue-timeout": queueTimeout,
  "complete-messages": completeMessages,
  "unstable-failure-data": unstableFailureData,
  "version-gates": versionGates,
};
