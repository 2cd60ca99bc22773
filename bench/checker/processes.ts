import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const STEPPROOF = join(ROOT, "compiler/bin/stepproof.js");
export const TSC = createRequire(import.meta.url).resolve("typescript/bin/tsc");

/** TypeScript's native compiler, where someone names one: `TSC7=/path/to/tsc`. */
export const TSC7 = process.env["TSC7"];

/** One whole process. */
export interface Run {
  /** ms, from the start of the process to its end. */
  readonly ms: number;
  /** Largest resident memory in MB; 0 for a native process. */
  readonly megabytes: number;
}

/** Writes down, when a Node process ends, how much memory it had at most. */
const PROBE = `process.on("exit", () => require("node:fs").writeFileSync(process.env.BENCH_PEAK, String(process.resourceUsage().maxRSS)));`;

/**
 * Runs a command to its end.
 * @param codes that count as a success.
 * @throws Error with what it printed, when it ends otherwise: a bench of failures says nothing.
 */
export function run(folder: string, command: readonly string[], codes: readonly number[] = [0]): Run {
  const [program = "", ...args] = command;
  const isNode = program === process.execPath;
  const [probe, peak] = [join(folder, ".bench-probe.cjs"), join(folder, ".bench-peak")];
  if (!existsSync(probe)) writeFileSync(probe, PROBE);
  const begin = performance.now();
  const done = spawnSync(program, [...(isNode ? ["--require", probe] : []), ...args], {
    cwd: folder,
    env: { ...process.env, BENCH_PEAK: peak },
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const ms = performance.now() - begin;
  if (!codes.includes(done.status ?? -1))
    throw new Error(
      `${command.join(" ")} ended with ${String(done.status)}:\n${done.stdout}\n${done.stderr}`,
    );
  const megabytes = isNode ? Number(readFileSync(peak, "utf8")) / 1024 : 0;
  rmSync(peak, { force: true });
  return { ms, megabytes };
}

/** `stepproof check` with the tsconfig of a folder; the generated workflows have findings. */
export function check(folder: string, ...more: string[]): Run {
  return run(
    folder,
    [process.execPath, STEPPROOF, "check", "-p", "tsconfig.json", "--format", "json", ...more],
    [0, 1],
  );
}

export function tsc(folder: string): Run {
  return run(folder, [process.execPath, TSC, "--noEmit", "-p", "."]);
}

export function tsc7(folder: string, path: string): Run {
  return run(folder, [path, "--noEmit", "-p", "."]);
}
