import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const RUN = fileURLToPath(new URL("./run.mjs", import.meta.url));

function fuzz(...args: readonly string[]): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [RUN, ...args], { encoding: "utf8" });
  return { status, stderr };
}

test("npm run fuzz says what it does not understand, and how it is called", () => {
  const wrong = [
    [["--law", "gravity"], 'There is no law "gravity".'],
    [["--budget", "soon"], '--budget is a time such as 30s, 10m or 1h, not "soon".'],
    [["--seed", "x"], '--seed takes a whole number, not "x".'],
    [["--path", "1:2"], "--path belongs to a --law and a --seed."],
    [["--laws"], "Unknown option '--laws'"],
  ] as const;
  for (const [args, message] of wrong) {
    const { status, stderr } = fuzz(...args);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/--law agreement\|codec\|diff\|exactness\|order\|soundness\|transform/);
    expect(status).toBe(2);
  }
});
