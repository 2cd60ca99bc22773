import type { Rule } from "../../2-solve/types.js";
import type { RuleSlug } from "../rules.js";

/**
 * Every rule that reads the analysis, by its slug; one file each, in the order of the rule table.
 * `suppressions` and `parsable-source` come from the files themselves (`report.ts`, `suppress.ts`).
 */
export const RULE_FUNCTIONS: Readonly<Partial<Record<RuleSlug, Rule>>> = {};
