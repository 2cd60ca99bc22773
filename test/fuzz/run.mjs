// npm run fuzz -- --budget 10m --seed N [--law L] [--path P]: the laws of test/fuzz/laws, for long.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const folder = fileURLToPath(new URL("./laws/", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const laws = readdirSync(folder)
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => name.slice(0, -".test.ts".length));
const UNITS = { s: 1000, m: 60_000, h: 3_600_000 };

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
const total = Number(length[1]) * UNITS[length[2]];

console.log(`seed ${seed}${path === undefined ? `, ${budget} for ${chosen.join(", ")}` : ""}`);
let failed = false;
for (const one of chosen) {
  const env = { ...process.env, STEPPROOF_FUZZ_SEED: seed, STEPPROOF_FUZZ_KEEP: "1" };
  if (path === undefined) env.STEPPROOF_FUZZ_BUDGET_MS = String(Math.round(total / chosen.length));
  else env.STEPPROOF_FUZZ_PATH = path;
  const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
  const { status } = spawnSync(process.execPath, [vitest, "run", `test/fuzz/laws/${one}.test.ts`], {
    cwd: root,
    env,
    stdio: "inherit",
  });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
