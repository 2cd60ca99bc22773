import type { Analysis } from "./2-solve/types.js";
import { countEntries } from "./2-solve/entries/count-entries.js";
import { isPackageFile } from "./2-solve/program.js";
import { analyze, analyzeProgram, type AnalyzeProgramRequest, type AnalyzeRequest } from "./analyze.js";
import { NO_CONFIG, type Config } from "./config.js";
import { relativeTo } from "./3-report/relative.js";
import { positionAt } from "./3-report/position.js";
import { report, type Reported } from "./3-report/report.js";
import { RULE_FUNCTIONS } from "./3-report/rules/index.js";
import { countSeverities, type CheckReport } from "./report/check-report.js";
import { limitsReached } from "./report/limits.js";
import type { Finding } from "./types.js";

/** What a check found, with the means to fix it and to look further. */
export interface CheckResult {
  /** Sorted; each with its finding, which holds absolute places and the fix. */
  readonly reported: readonly Reported[];
  readonly analysis: Analysis;
  /** What a reader should know of how they were found: limits that were reached, a checker that could not be used. */
  readonly notes: readonly string[];
}

/** What to check. */
export interface CheckRequest extends AnalyzeRequest {
  /** Also report the rules that the table marks `strictOnly`. */
  readonly strict?: boolean;
}

/**
 * Source → findings: analyses and runs every rule.
 * @throws what `analyze` throws.
 */
export function check(request: CheckRequest): CheckResult {
  return withNotes(request, (onNote) => analyze({ ...request, onNote }));
}

/** A program to check; `cwd` absolute with `/`: diagnostics name files relative to it. */
export interface CheckProgramRequest extends AnalyzeProgramRequest {
  readonly cwd: string;
  readonly strict?: boolean;
}

/** As `check`, over a program that someone else holds. */
export function checkProgram(request: CheckProgramRequest): CheckResult {
  return withNotes(request, (onNote) => analyzeProgram({ ...request, onNote }));
}

/** Checks an analysis and gathers what is told on the way. */
function withNotes(
  request: CheckRequest | CheckProgramRequest,
  analyse: (onNote: (message: string) => void) => Analysis,
): CheckResult {
  const notes = new Set<string>();
  const analysis = analyse((message) => {
    notes.add(message);
    request.onNote?.(message);
  });
  const result = checkAnalysis(analysis, request.cwd, {
    config: request.config ?? NO_CONFIG,
    strict: request.strict === true,
  });
  return { ...result, notes: [...result.notes, ...notes] };
}

/**
 * Runs every rule over an analysis and places the findings.
 * @param cwd absolute with `/`; diagnostics name files relative to it.
 */
export function checkAnalysis(
  analysis: Analysis,
  cwd: string,
  options: { readonly config: Config; readonly strict: boolean },
): CheckResult {
  const findings: Finding[] = [];
  for (const rule of Object.values(RULE_FUNCTIONS)) rule(analysis, (finding) => findings.push(finding));
  const reported = report(findings, [...analysis.files.values()], {
    cwd,
    severities: options.config.rules,
    strict: options.strict,
  });
  return { reported, analysis, notes: limitsReached(analysis) };
}

/**
 * The documented shape of a check's result (design §8).
 * @param durationMs of the whole check.
 */
export function toCheckReport(result: CheckResult, cwd: string, durationMs: number): CheckReport {
  const diagnostics = result.reported.map((one) => one.diagnostic);
  const files = [...result.analysis.files.values()];
  const workflows = result.analysis.workflows.map((workflow) => {
    const facts = result.analysis.files.get(workflow.place.file);
    return {
      name: workflow.name,
      file: relativeTo(cwd, workflow.place.file),
      line: facts ? positionAt(facts.lineStarts, workflow.place.span[0]).line : 1,
      entries: countEntries(workflow.skeleton),
    };
  });
  return {
    version: 1,
    diagnostics,
    workflows,
    notes: result.notes,
    summary: {
      ...countSeverities(diagnostics),
      files: files.filter((file) => !isPackageFile(file.path)).length,
      durationMs: Math.round(durationMs),
    },
  };
}
