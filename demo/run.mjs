// The whole product on real input in about ten seconds: check, manifest, diff, run, kill, resume.
// Ends with an exit code other than 0 when anything is not as it should be.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startProcess } from "./process.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const COMMAND = join(ROOT, "compiler/dist/cli/main.js");
const work = mkdtempSync(join(tmpdir(), "stepproof-demo-"));

/** Ends the demo when something is not as it should be. */
function must(holds, what) {
  if (!holds) throw new Error(`Not as it should be: ${what}`);
}

function title(text) {
  console.log(`\n── ${text} ${"─".repeat(Math.max(0, 90 - text.length))}\n`);
}

function stepproof(...args) {
  console.log(`$ npx stepproof ${args.map((arg) => arg.replace(work, "/tmp/demo")).join(" ")}`);
  const result = spawnSync(process.execPath, [COMMAND, ...args], { cwd: ROOT, encoding: "utf8" });
  const shown = (result.stdout + result.stderr).replaceAll(work, "/tmp/demo").trimEnd();
  console.log(`${shown}\n(exit code ${result.status})`);
  return result;
}

function checkTheExamples() {
  title("1. The checker, on the 22 examples of the Rivet Workflows documentation");
  const { status, stdout } = stepproof("check", "fixtures/seed");
  must(status === 1, "the check fails");
  must(stdout.includes("unique-entry-names") && stdout.includes("wait-work"), "the repeated name is found");
  must(/^1 error\. 22 workflows in 22 files/m.test(stdout), "it is the only finding in 22 workflows");
}

function diffARenamedStep() {
  title("2. A deploy that would break running instances: a renamed step");
  const before = readFileSync(join(ROOT, "demo/order.ts"), "utf8");
  const after = before.replace('ctx.step("charge-card"', 'ctx.step("charge-payment"');
  must(before !== after, "the step is renamed");
  writeFileSync(join(work, "order.ts"), after);
  must(
    stepproof("manifest", "demo/order.ts", "-o", join(work, "old.json")).status === 0,
    "the old manifest is written",
  );
  must(
    stepproof("manifest", join(work, "order.ts"), "-o", join(work, "new.json")).status === 0,
    "the new manifest is written",
  );
  console.log();
  const { status, stdout } = stepproof("diff", join(work, "old.json"), join(work, "new.json"));
  must(status === 1 && /breaking/.test(stdout), "the diff says breaking");
  must(
    stdout.includes('step "charge-card"') && stdout.includes("HistoryDivergedError"),
    "it shows a history that breaks",
  );
  must(
    /removed\("charge-card", "step"\)|charge-card/.test(stdout) && stdout.includes("remedy"),
    "it says what to write",
  );
}

async function surviveTwoKills() {
  title("3. The runtime: an order on SQLite, killed twice with SIGKILL");
  const effects = join(work, "effects.log");
  const env = {
    DEMO_DATABASE: join(work, "orders.sqlite"),
    DEMO_EFFECTS: effects,
    LOG_LEVEL: "silent",
    TSX_TSCONFIG_PATH: join(ROOT, "demo/tsx.json"),
  };
  const start = () => startProcess(["--import", "tsx", join(ROOT, "demo/order.ts")], env);
  const done = () => (existsSync(effects) ? readFileSync(effects, "utf8").trimEnd().split("\n") : []);
  const { createClient } = await import("@stepproof/runtime/client");
  const orderAt = async (running) =>
    createClient((await running.line("serving ")).slice("serving ".length)).order.getOrCreate("order-17");

  const first = start();
  await (await orderAt(first)).resolve();
  await first.line("started card charged");
  await first.kill();
  console.log(
    "   started, stock reserved, card being charged …\n💥 SIGKILL in the middle of the step charge-card",
  );
  must(done().join() === "stock reserved", "only the stock was reserved when the process died");

  const second = start();
  must((await (await orderAt(second)).getStatus()) !== "shipped", "the order is not finished yet");
  await second.line("done card charged");
  const waiting = await orderAt(second);
  while ((await waiting.getStatus()) !== "charged") await pause(20);
  await second.kill();
  console.log(
    "   restarted: charge-card ran again, reserve-stock did not; waiting for approval\n💥 SIGKILL while it waits for a message",
  );

  const third = start();
  const order = await orderAt(third);
  await order.send("approval", { by: "Ada" });
  await third.line("done parcel shipped");
  while ((await order.getStatus()) !== "shipped") await pause(20);
  console.log(
    `   restarted: approved and shipped\n\n   state: ${await order.getStatus()}\n   effects, in order:`,
  );
  for (const effect of done()) console.log(`     ✓ ${effect}`);
  await third.kill();
  const expected = ["stock reserved", "card charged", "parcel shipped, approved by Ada, receipt-17"];
  must(done().join() === expected.join(), "each effect happened exactly once, in order");
}

const started = performance.now();
try {
  must(existsSync(COMMAND), "the packages are built (npm run setup)");
  checkTheExamples();
  diffARenamedStep();
  await surviveTwoKills();
  console.log(`\nAll as it should be, in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
} catch (error) {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
