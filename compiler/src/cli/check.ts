import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { applyBaseline, makeBaseline, parseBaseline, type BaselineFiles } from "../3-report/baseline.js";
import { relativeTo } from "../3-report/relative.js";
import { toCheckReport, type CheckResult } from "../check.js";
import type { Config } from "../config.js";
import { fixFiles } from "../fix/fix-files.js";
import { CHECK_FORMATS, type CheckFormat, type CheckReport, type RenderOptions } from "../report/index.js";
import { renderUnknown } from "../report/unknown.js";
import { EXIT, UsageError, type ExitCode } from "./exit.js";
import { openCheck } from "./open-check.js";
import { printNote, printResult, progress, renderOptions, workingDirectory } from "./terminal.js";

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
  readonly maxWarnings?: number;
  readonly baseline?: string;
  readonly writeBaseline?: string | true;
}

const DEFAULT_BASELINE = "stepproof.baseline.json";

/** `stepproof check`: findings to stdout, notes to stderr; with `--watch` again after every change. */
export async function checkCommand(paths: readonly string[], args: CheckArguments): Promise<ExitCode> {
  if (!args.watch) return checkOnce(paths, args);
  const { watch } = await import("./watch.js");
  await watch(workingDirectory(), () => checkOnce(paths, args));
  return EXIT.clean;
}

async function checkOnce(paths: readonly string[], args: CheckArguments): Promise<ExitCode> {
  const started = performance.now();
  const cwd = workingDirectory();
  progress("reading the project …");
  const { config, run } = await openCheck(paths, args);
  let result = run();
  if (args.fix) result = mend(result, run);
  progress(null);

  if (args.explainUnknown) {
    await printResult(renderUnknown(result.analysis, cwd));
    return EXIT.clean;
  }
  const render = renderOptions();
  if (args.writeBaseline !== undefined) return writeBaseline(result, args.writeBaseline, config, render);

  const known = readBaseline(args.baseline, config);
  if (known !== null) {
    const { left, gone } = applyBaseline(
      result.reported,
      parseBaseline(known.text, known.path),
      baselineFiles(known.path, render),
    );
    if (gone.length > 0)
      printNote(
        `${gone.length} of the findings in ${known.path} are gone; write it again with --write-baseline.`,
      );
    result = { ...result, reported: left };
  }
  const report = toCheckReport(result, cwd, performance.now() - started);
  if (report.workflows.length === 0)
    printNote("no workflow found: no file that was read calls workflow() of a known engine.");
  await printResult(CHECK_FORMATS[args.format](report, render));
  return exitCodeOf(report, args.maxWarnings);
}

/** Errors fail; warnings too when there are more than allowed. */
export function exitCodeOf(report: CheckReport, maxWarnings: number | undefined): ExitCode {
  const { errors, warnings } = report.summary;
  return errors > 0 || (maxWarnings !== undefined && warnings > maxWarnings) ? EXIT.findings : EXIT.clean;
}

/** Applies the safe fixes until none is left; a fix can uncover another finding. */
function mend(first: CheckResult, run: () => CheckResult): CheckResult {
  const rounds = 10;
  let result = first;
  let total = 0;
  for (let round = 0; round < rounds; round += 1) {
    const fixes = result.reported.flatMap(({ finding }) => (finding.fix?.safe === true ? [finding.fix] : []));
    const applied = fixFiles(fixes, {
      read: (file) => readFileSync(file, "utf8"),
      write: (file, text) => {
        writeFileSync(file, text);
      },
    });
    total += applied;
    if (applied === 0) break;
    result = run();
  }
  printNote(total === 0 ? "nothing to fix." : `${total} ${total === 1 ? "finding" : "findings"} fixed.`);
  return result;
}

function readBaseline(given: string | undefined, config: Config): { path: string; text: string } | null {
  const path = given !== undefined ? resolve(given) : configured(config);
  if (path === null) return null;
  if (!existsSync(path)) {
    if (given === undefined) return null;
    throw new UsageError(`There is no baseline ${path}. Write it with --write-baseline ${given}.`);
  }
  return { path, text: readFileSync(path, "utf8") };
}

function configured(config: Config): string | null {
  return config.baseline === null || config.path === null
    ? null
    : resolve(dirname(config.path), config.baseline);
}

function writeBaseline(
  result: CheckResult,
  given: string | true,
  config: Config,
  render: RenderOptions,
): ExitCode {
  const path = given === true ? (configured(config) ?? resolve(DEFAULT_BASELINE)) : resolve(given);
  const diagnostics = result.reported.map((one) => one.diagnostic);
  writeFileSync(path, `${JSON.stringify(makeBaseline(diagnostics, baselineFiles(path, render)), null, 2)}\n`);
  printNote(
    `${diagnostics.length} findings written to ${path}. Check against it with --baseline ${path}, or name it in the config.`,
  );
  return EXIT.clean;
}

function baselineFiles(path: string, render: RenderOptions): BaselineFiles {
  const folder = dirname(path).replaceAll("\\", "/");
  const cwd = workingDirectory();
  return {
    text: render.source,
    name: (file) => relativeTo(folder, resolve(cwd, file).replaceAll("\\", "/")),
  };
}
