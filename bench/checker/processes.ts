import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const STEPPROOF = join(ROOT, "compiler/bin/stepproof.js");
export const TSC = createRequire(import.meta.url).resolve("typescript/bin/tsc");

/** TypeScript's native compiler: the package, as a project has it. */
export const TYPESCRIPT_7 = join(ROOT, "fixtures/typescript-7/node_modules/typescript");

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

export function tsc7(folder: string): Run {
  return run(folder, [process.execPath, join(TYPESCRIPT_7, "bin/tsc"), "--noEmit", "-p", "."]);
}

/** CPU of a tool on a project (user, in ms): see `host-tool.ts`. */
export function hostTool(folder: string, tool: string): number {
  const script = join(ROOT, "bench/checker/host-tool.ts");
  const done = spawnSync(process.execPath, ["--import", "tsx", script, folder, tool], {
    cwd: ROOT,
    // It names no `paths`: what is measured is what was built, not the sources.
    env: { ...process.env, TSX_TSCONFIG_PATH: join(ROOT, "tsconfig.base.json") },
    encoding: "utf8",
  });
  if (done.status !== 0)
    throw new Error(`${tool} ended with ${String(done.status)}:\n${done.stdout}\n${done.stderr}`);
  const last = done.stdout.trim().split("\n").at(-1) ?? "";
  return (JSON.parse(last) as { ms: number }).ms;
}
