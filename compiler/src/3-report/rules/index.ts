import type { Rule } from "../../2-solve/types.js";
import type { RuleSlug } from "../rules.js";
import { fixedBranches } from "./fixed-branches.js";
import { noCapturedMutation } from "./no-captured-mutation.js";
import { noConcurrentEntries } from "./no-concurrent-entries.js";
import { noConsole } from "./no-console.js";
import { noContextEscape } from "./no-context-escape.js";
import { noSharedState } from "./no-shared-state.js";
import { noSwallowedSuspension } from "./no-swallowed-suspension.js";
import { noUnknownCalls } from "./no-unknown-calls.js";
import { stableEntryNames } from "./stable-entry-names.js";

/**
 * Every rule that reads the analysis, by its slug; one file each, in the order of the rule table.
 * `suppressions` and `parsable-source` come from the files themselves (`report.ts`, `suppress.ts`).
 */
export const RULE_FUNCTIONS: Readonly<Partial<Record<RuleSlug, Rule>>> = {
  "no-shared-state": noSharedState,
  "no-console": noConsole,
  "no-unknown-calls": noUnknownCalls,
  "stable-entry-names": stableEntryNames,
  "no-concurrent-entries": noConcurrentEntries,
  "no-context-escape": noContextEscape,
  "no-captured-mutation": noCapturedMutation,
  "no-swallowed-suspension": noSwallowedSuspension,
  "fixed-branches": fixedBranches,
};
