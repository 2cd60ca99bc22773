/**
 * The one public door. Every adapter (command, tsc and Babel plugins, bundlers, ESLint) is thin over these.
 */
export {
  analyze,
  analyzeProgram,
  mentionsEngine,
  type AnalyzeProgramRequest,
  type AnalyzeRequest,
} from "./analyze.js";
export {
  check,
  checkAnalysis,
  checkProgram,
  toCheckReport,
  type CheckProgramRequest,
  type CheckRequest,
  type CheckResult,
} from "./check.js";
export {
  ConfigError,
  NO_CONFIG,
  defineConfig,
  parseConfig,
  type Config,
  type FailOn,
  type UserConfig,
} from "./config.js";
export { loadConfig, loadConfigNow } from "./load-config.js";
export { isInputError } from "./input-error.js";
export { KeptCheck, type KeptCheckOptions } from "./kept-check.js";
export { Session, type ModuleReport, type SessionOptions } from "./session.js";
export { limitsReached } from "./report/limits.js";
export { withoutKnown } from "./known-findings.js";
export {
  callsThatCarry,
  carriedIn,
  type CarriedManifest,
  type CarryingCall,
} from "./transform/carried-in.js";
export { CARRY, carryFunction } from "./transform/carry-function.js";
export { transformCode, type TransformedCode } from "./transform/transform-code.js";
export { RULES, findRule, ruleDocs, type RuleSlug } from "./3-report/rules.js";
export type { Reported } from "./3-report/report.js";
export { fixFiles, type FixFiles } from "./fix/fix-files.js";
export { CHECK_FORMATS, type CheckFormat, type CheckReport, type RenderOptions } from "./report/index.js";
export type { Analysis } from "./2-solve/types.js";
export type { Diagnostic, Finding, Fix, RuleRow, Severity } from "./types.js";
export { manifestOf, type ManifestOptions } from "./manifest/index.js";
export { diffManifests as diff, type DiffOptions } from "../../runtime/src/manifest/index.js";
export type { DiffResult } from "../../runtime/src/manifest/index.js";
