import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";

// Every call is a process of its own: on a busy machine that takes its time, and time is not what is tested.
vi.setConfig({ testTimeout: 300_000 });

/** Of the repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const BIN = join(ROOT, "compiler/dist/cli/main.js");

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command in a folder, without a terminal. */
export function stepproof(folder: string, ...args: string[]): Outcome {
  if (!existsSync(BIN)) throw new Error(`${BIN} is missing: run npm run build first.`);
  const env = { ...process.env, NO_COLOR: "1", STEPPROOF_DEBUG: "", GITHUB_WORKSPACE: "" };
  const result = spawnSync(process.execPath, [BIN, ...args], {
    cwd: folder,
    encoding: "utf8",
    env,
    timeout: 60_000,
  });
  return { code: result.status, stdout: result.stdout, stderr: result.stderr };
}

/** A new folder with these files. */
export function project(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "stepproof-cli-")));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A workflow without a fault. */
export const GOOD = `import { workflow } from "@rivet-dev/workflows";
export const order = workflow({
  run: async (ctx) => {
    await ctx.step("charge", async () => 1);
    await ctx.sleep("cooldown", 1000);
    await ctx.step("ship", async () => 2);
  },
});
`;

/** The same with a random number in workflow code, two calls away. */
export const BAD = `import { workflow } from "@rivet-dev/workflows";
export const triage = workflow({
  run: async (ctx) => {
    const who = choose(["a", "b"]);
    await ctx.step("notify", async () => who);
  },
});
function choose(names) {
  return names[pick(names.length)];
}
function pick(count) {
  return Math.floor(Math.random() * count);
}
`;
