import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { applyBaseline, parseBaseline, type BaselineFiles } from "./3-report/baseline.js";
import { relativeTo } from "./3-report/relative.js";
import type { Reported } from "./3-report/report.js";
import type { Config } from "./config.js";

/**
 * Leaves out the findings that the baseline of the config knows, as the command does.
 * @param cwd absolute with `/`: diagnostics name files relative to it.
 * @throws {BaselineError} when the file is no baseline.
 */
export function withoutKnown(
  reported: readonly Reported[],
  config: Config,
  cwd: string,
): readonly Reported[] {
  const path = baselineOf(config);
  if (path === null || !existsSync(path)) return reported;
  const diagnostics = reported.map((one) => one.diagnostic);
  const files = baselineFiles(path, cwd, (file) => readText(resolve(cwd, file)));
  const { left } = applyBaseline(diagnostics, parseBaseline(readFileSync(path, "utf8"), path), files);
  const open = new Set(left);
  return reported.filter((one) => open.has(one.diagnostic));
}

/** The baseline that the config names, absolute; `null` when it names none. */
export function baselineOf(config: Config): string | null {
  return config.baseline === null || config.path === null
    ? null
    : resolve(dirname(config.path), config.baseline);
}

/**
 * How a baseline sees the files that diagnostics name.
 * @param path of the baseline, absolute.
 * @param cwd diagnostics name files relative to it.
 */
export function baselineFiles(path: string, cwd: string, text: BaselineFiles["text"]): BaselineFiles {
  const folder = dirname(path).replaceAll("\\", "/");
  return { text, name: (file) => relativeTo(folder, resolve(cwd, file).replaceAll("\\", "/")) };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // the baseline then does not know the finding
  }
}
