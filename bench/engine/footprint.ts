import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type BuildOptions } from "esbuild";
import { median } from "./measure.js";

const entry = fileURLToPath(new URL("../../runtime/src/engine/index.ts", import.meta.url));
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

/** Ms that importing adds to a bare start of Node; medians of 5 starts in turn. */
export async function importTimes(folder: string): Promise<{ product: number; reference: number }> {
  const built = join(folder, "engine.mjs");
  await build({ ...options, outfile: built });
  const start = (code: string): number => {
    const begin = performance.now();
    execFileSync(process.execPath, ["--input-type=module", "-e", code], {
      cwd: fileURLToPath(new URL("../../", import.meta.url)),
    });
    return performance.now() - begin;
  };
  const bare: number[] = [];
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < 5; round++) {
    bare.push(start("0"));
    ours.push(start(`await import(${JSON.stringify(built)})`));
    theirs.push(start(`await import("@rivetkit/workflow-engine")`));
  }
  return { product: median(ours) - median(bare), reference: median(theirs) - median(bare) };
}
