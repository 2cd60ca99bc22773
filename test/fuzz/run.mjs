// npm run fuzz -- --budget 10m --seed N [--law L] [--path P]: the laws of test/fuzz/laws, for long.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const folder = fileURLToPath(new URL("./laws/", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
const laws = readdirSync(folder)
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => name.slice(0, -".test.ts".length));
const UNITS = { s: 1000, m: 60_000, h: 3_600_000 };
/** What a law may take beyond its budget: to start, to look at its last cases, to make one smaller. Ms. */
const MARGIN = 150_000;

function fail(message) {
  console.error(`${message}\n\nnpm run fuzz -- --budget 10m --seed N [--law ${laws.join("|")}] [--path P]`);
  process.exit(2);
}

let values;
try {
  ({ values } = parseArgs({
    options: {
      budget: { type: "string" },
      seed: { type: "string" },
      law: { type: "string" },
      path: { type: "string" },
    },
  }));
} catch (error) {
  fail(error.message);
}
const { budget = values.path === undefined ? "1m" : undefined, law, path } = values;
const seed = values.seed ?? String(Date.now() % 1_000_000_000);
if (law !== undefined && !laws.includes(law)) fail(`There is no law "${law}".`);
if (!/^\d+$/.test(seed)) fail(`--seed takes a whole number, not "${seed}".`);
if (path !== undefined && (law === undefined || values.seed === undefined))
  fail("--path belongs to a --law and a --seed.");
const length = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(budget ?? "0s");
if (length === null) fail(`--budget is a time such as 30s, 10m or 1h, not "${budget}".`);
const chosen = law === undefined ? laws : [law];
const share = Math.round((Number(length[1]) * UNITS[length[2]]) / chosen.length);

console.log(`seed ${seed}${path === undefined ? `, ${budget} for ${chosen.join(", ")}` : ""}`);
const temporary = mkdtempSync(join(tmpdir(), "stepproof-fuzz-"));
let failed = false;
for (const one of chosen) failed = !(await runs(one)) || failed;
rmSync(temporary, { recursive: true });
process.exit(failed ? 1 : 0);

/**
 * Runs a law in a process of its own, which is ended when it does not come to an end by itself: a program that
 * never lets go of the processor can't be stopped from within.
 * @returns whether the law holds.
 */
async function runs(one) {
  const progress = join(temporary, one);
  const env = {
    ...process.env,
    STEPPROOF_FUZZ_SEED: seed,
    STEPPROOF_FUZZ_KEEP: "1",
    STEPPROOF_FUZZ_PROGRESS: progress,
  };
  if (path === undefined) env.STEPPROOF_FUZZ_BUDGET_MS = String(share);
  else env.STEPPROOF_FUZZ_PATH = path;
  // A group of its own, since vitest runs tests in processes of its own.
  const child = spawn(process.execPath, [vitest, "run", `test/fuzz/laws/${one}.test.ts`], {
    cwd: root,
    env,
    stdio: "inherit",
    detached: process.platform !== "win32",
  });
  const end = (signal) => {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  };
  const stop = () => {
    end("SIGTERM");
    process.exit(130);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const watch = setTimeout(() => {
    console.error(`\n${one} does not come to an end.\n${underWay(one, progress)}`);
    end("SIGKILL");
  }, share + MARGIN);
  const status = await new Promise((resolve) => child.once("exit", resolve));
  clearTimeout(watch);
  process.off("SIGINT", stop).off("SIGTERM", stop);
  return status === 0;
}

/** The cases that the law was looking at, as commands that run them again. */
function underWay(one, progress) {
  if (path !== undefined) return "The case is endless.";
  let at;
  try {
    at = JSON.parse(readFileSync(progress, "utf8"));
  } catch {
    return "It had not begun with its first case.";
  }
  const command = (index) => `  npm run fuzz -- --law ${one} --seed ${at.seed} --path ${index}`;
  const commands = Array.from({ length: at.count }, (_, index) => command(at.from + index));
  return `It is at one of these cases:\n${commands.join("\n")}`;
}
