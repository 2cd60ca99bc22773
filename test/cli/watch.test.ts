import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BAD, BIN, GOOD, project } from "./command.js";
import { listen } from "./listen.js";

it("check --watch checks again when a file changes, also after wrong input, and ends with Ctrl-C", async () => {
  const folder = project({ "order.ts": GOOD });
  const child = spawn(process.execPath, [BIN, "check", "--watch"], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1" },
  });
  const [out, notes] = [listen(child.stdout), listen(child.stderr)];
  const exited = new Promise<number | null>((done) => child.on("exit", done));
  await out("No findings.");
  await notes("watching for changes");
  writeFileSync(join(folder, "triage.ts"), BAD);
  await out("1 error.");
  await notes("watching for changes");
  writeFileSync(join(folder, "stepproof.config.json"), "{");
  await notes("can't be read");
  await notes("watching for changes");
  writeFileSync(join(folder, "stepproof.config.json"), '{ "exclude": ["triage.ts"] }');
  await out("No findings.");
  child.kill("SIGINT");
  expect(await exited).toBe(0);
});
