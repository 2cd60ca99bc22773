import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Kills per way of running. The default keeps the suite short; thousands are for the nightly run. */
const kills = Number(process.env["STEPPROOF_CRASH_KILLS"] ?? 8);

const root = fileURLToPath(new URL("../../../../", import.meta.url));
let directory: string;
let script: string;

beforeAll(async () => {
  mkdirSync(join(root, ".tmp"), { recursive: true });
  directory = mkdtempSync(join(root, ".tmp", "kill-")); // inside the project, so that the bundle finds its packages
  script = join(directory, "child.mjs");
  const entry = fileURLToPath(new URL("./child.ts", import.meta.url));
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outfile: script,
    logLevel: "error",
  });
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe("SIGKILL at any moment, on SQLite", () => {
  for (const way of ["stay", "rerun"] as const) {
    test(
      `neither loses, repeats nor tears anything, and every instance ends (${kills} kills, ${way})`,
      async () => {
        const database = join(directory, `${way}.db`);
        const args = [script, database, join(directory, `${way}.log`), String(10 + kills * 20), way];
        let killed = 0;
        while (killed < kills) {
          const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
          let errors = "";
          child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
          const ended = once(child, "exit");
          const pause = 80 + Math.random() * 300;
          const kill = setTimeout(() => child.kill("SIGKILL"), pause);
          const [code, signal] = (await ended) as [number | null, string | null];
          clearTimeout(kill);
          expect(errors, `after ${pause} ms`).toBe("");
          if (signal === "SIGKILL") killed++;
          else {
            expect(code).toBe(0);
            break; // it came to its end before it could be killed
          }
        }
        const last = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
        let output = "";
        last.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
        await once(last, "exit");
        expect(JSON.parse(output)).toEqual([]);
        expect(killed).toBeGreaterThan(0);
      },
      30_000 + kills * 5000,
    );
  }
});
