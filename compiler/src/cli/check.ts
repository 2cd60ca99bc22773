import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { applyBaseline, makeBaseline, parseBaseline } from "../3-report/baseline.js";
import type { CheckRequest } from "../check.js";
import type { Config } from "../config.js";
import type { ProjectMemory } from "../host/project-memory.js";
import { baselineFiles, baselineOf } from "../known-findings.js";
import { countSeverities } from "../report/check-report.js";
import { CHECK_FORMATS, type CheckFormat, type CheckReport, type RenderOptions } from "../report/index.js";
import type { Diagnostic } from "../types.js";
import { checkedReport } from "./checked-report.js";
import { EXIT, UsageError, type ExitCode } from "./exit.js";
import { readText, writeText } from "./files.js";
import { openCheck } from "./open-check.js";
import { printNote, printResult, progress, renderOptions, workingDirectory } from "./terminal.js";
import { unreadPlugins } from "./unread-plugins.js";

/** Options of `stepproof check`, as commander gives them. */
export interface CheckArguments {
  readonly project?: string;
  readonly config?: string;
  readonly engine?: string;
  readonly format: CheckFormat;
  readonly strict?: boolean;
  readonly fix?: boolean;
  readonly watch?: boolean;
  readonly explainUnknown?: boolean;
  readonly native?: boolean;
  /** `false` with `--no-cache`. */
  readonly cache: boolean;
  readonly maxWarnings?: number;
  readonly baseline?: string;
  readonly writeBaseline?: string | true;
}

const DEFAULT_BASELINE = "stepproof.baseline.json";

/** `stepproof check`: findings to stdout, notes to stderr; with `--watch` again after every change. */
export async function checkCommand(paths: readonly string[], args: CheckArguments): Promise<ExitCode> {
  if (!args.watch) return checkOnce(paths, args);
  const [{ watch }, { ProjectMemory }] = await Promise.all([
    import("./watch.js"),
    import("../host/project-memory.js"),
  ]);
  const memory = new ProjectMemory();
  await watch(workingDirectory(), () => checkOnce(paths, args, memory));
  return EXIT.clean;
}

async function checkOnce(
  paths: readonly string[],
  args: CheckArguments,
  memory?: ProjectMemory,
): Promise<ExitCode> {
  const started = performance.now();
  progress("reading the project …");
  const { config, request } = await openCheck(paths, args);
  if (args.explainUnknown) return explainUnknown(request);
  if (args.fix) await fix(request);
  const found = await checkedReport(request, args.cache, memory);
  progress(null);

  const render = renderOptions();
  if (args.writeBaseline !== undefined)
    return writeBaseline(found.diagnostics, args.writeBaseline, config, render);
  const diagnostics = withoutKnown(found.diagnostics, args.baseline, config, render);
  const report: CheckReport = {
    ...found,
    diagnostics,
    summary: {
      ...found.summary,
      ...countSeverities(diagnostics),
      durationMs: Math.round(performance.now() - started),
    },
  };
  if (report.workflows.length === 0)
    printNote("no workflow found: no file that was read calls workflow() of a known engine.");
  for (const note of report.notes) printNote(note);
  const unread = unreadPlugins(workingDirectory(), args.project);
  if (unread !== null) printNote(unread);
  await printResult(CHECK_FORMATS[args.format](report, render));
  return exitCodeOf(report, args.maxWarnings);
}

/** Errors fail; warnings too when there are more than allowed. */
export function exitCodeOf(report: CheckReport, maxWarnings: number | undefined): ExitCode {
  const { errors, warnings } = report.summary;
  return errors > 0 || (maxWarnings !== undefined && warnings > maxWarnings) ? EXIT.findings : EXIT.clean;
}

/** Both need the analysis itself, so that TypeScript is loaded here and not for what the cache answers. */
async function explainUnknown(request: CheckRequest): Promise<ExitCode> {
  const [{ analyze }, { renderUnknown }] = await Promise.all([
    import("../analyze.js"),
    import("../report/unknown.js"),
  ]);
  const text = renderUnknown(analyze({ ...request, onNote: printNote }), request.cwd);
  progress(null);
  await printResult(text);
  return EXIT.clean;
}

async function fix(request: CheckRequest): Promise<void> {
  const { mend } = await import("./mend.js");
  const total = mend(request);
  progress(null);
  printNote(total === 0 ? "nothing to fix." : `${total} ${total === 1 ? "finding" : "findings"} fixed.`);
}

/** Leaves out the findings that the baseline holds, and tells of those that it need not hold any more. */
function withoutKnown(
  diagnostics: readonly Diagnostic[],
  given: string | undefined,
  config: Config,
  render: RenderOptions,
): readonly Diagnostic[] {
  const known = readBaseline(given, config);
  if (known === null) return diagnostics;
  const baseline = parseBaseline(known.text, known.path);
  const { left, gone } = applyBaseline(
    diagnostics,
    baseline,
    baselineFiles(known.path, workingDirectory(), render.source),
  );
  if (gone.length > 0)
    printNote(
      `${gone.length} of the findings in ${known.path} are gone; write it again with --write-baseline.`,
    );
  return left;
}

function readBaseline(given: string | undefined, config: Config): { path: string; text: string } | null {
  const path = given !== undefined ? resolve(given) : baselineOf(config);
  if (path === null) return null;
  if (!existsSync(path)) {
    if (given === undefined) return null;
    throw new UsageError(`There is no baseline ${path}. Write it with --write-baseline ${given}.`);
  }
  return { path, text: readText(path) };
}

function writeBaseline(
  diagnostics: readonly Diagnostic[],
  given: string | true,
  config: Config,
  render: RenderOptions,
): ExitCode {
  const path = given === true ? (baselineOf(config) ?? resolve(DEFAULT_BASELINE)) : resolve(given);
  writeText(
    path,
    `${JSON.stringify(makeBaseline(diagnostics, baselineFiles(path, workingDirectory(), render.source)), null, 2)}\n`,
  );
  printNote(
    `${diagnostics.length} ${diagnostics.length === 1 ? "finding" : "findings"} written to ${path}. Check against it with --baseline ${path}, or name it in the config.`,
  );
  return EXIT.clean;
}
