import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { applyBaseline, parseBaseline } from "./3-report/baseline.js";
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
  if (config.baseline === null || config.path === null) return reported;
  const path = resolve(dirname(config.path), config.baseline);
  if (!existsSync(path)) return reported;
  const folder = dirname(path).replaceAll("\\", "/");
  const diagnostics = reported.map((one) => one.diagnostic);
  const { left } = applyBaseline(diagnostics, parseBaseline(readFileSync(path, "utf8"), path), {
    text: (file) => readText(resolve(cwd, file)),
    name: (file) => relativeTo(folder, resolve(cwd, file).replaceAll("\\", "/")),
  });
  const open = new Set(left);
  return reported.filter((one) => open.has(one.diagnostic));
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // the baseline then does not know the finding
  }
}
