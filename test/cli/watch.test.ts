import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect, it } from "vitest";
import { BAD, BIN, GOOD, project } from "./command.js";

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

/** Gives a function that waits until a text comes, after the one that was waited for before. */
function listen(stream: Readable): (text: string) => Promise<void> {
  let said = "";
  let looked = 0;
  let wake = (): void => undefined;
  stream.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    wake();
  });
  return async (text) => {
    while (!said.includes(text, looked)) await new Promise<void>((done) => (wake = done));
    looked = said.indexOf(text, looked) + text.length;
  };
}
