import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type BuildOptions } from "esbuild";
import { median } from "../measure.js";

const entry = fileURLToPath(new URL("../../runtime/src/engine/index.ts", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const options: BuildOptions = {
  entryPoints: [entry],
  bundle: true,
  format: "esm",
  platform: "node",
  target: "es2022",
};

/** Of the engine's entry with all it imports, in kB of 1,000 bytes. */
export async function size(): Promise<number> {
  const { outputFiles } = await build({ ...options, minify: true, write: false });
  return gzipSync(outputFiles?.[0]?.contents ?? "", { level: 9 }).length / 1000;
}

/** Ms that importing adds to a bare start of Node: medians of starts in turn. */
export async function importTime(folder: string, what: "product" | "reference"): Promise<number> {
  const built = join(folder, "engine.mjs");
  await build({ ...options, outfile: built });
  const imported = what === "product" ? built : "@rivetkit/workflow-engine";
  const start = (code: string): number => {
    const begin = performance.now();
    execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: root });
    return performance.now() - begin;
  };
  const bare: number[] = [];
  const withIt: number[] = [];
  for (let round = 0; round < 5; round++) {
    bare.push(start("0"));
    withIt.push(start(`await import(${JSON.stringify(imported)})`));
  }
  return median(withIt) - median(bare);
}

/** What a phase of `sleeping.ts` finds, in a process of its own. */
export interface Sleeping {
  readonly mb: number;
  readonly heapMb: number;
  readonly lateMs: number;
}

/** Both phases of `sleeping.ts`, one after the other. */
export async function sleeping(
  folder: string,
  count: number,
): Promise<{ created: Sleeping; woken: Sleeping }> {
  const built = join(folder, "sleeping.mjs");
  const source = join(root, "bench/engine/sleeping.ts");
  await build({ ...options, entryPoints: [source], packages: "external", outfile: built });
  const run = (phase: string): Sleeping => {
    const args = [built, phase, join(folder, "sleeping.db"), String(count), "200"];
    return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" })) as Sleeping;
  };
  return { created: run("create"), woken: run("wake") };
}
