import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { GOOD, project, stepproof } from "./command.js";

const RENAMED = GOOD.replace('"charge"', '"charge-card"');

it("a committed manifest, the diff against git, the fix, and the acceptance fit together", () => {
  const folder = project({ "order.ts": GOOD });
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.test", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  git("init", "-q");
  expect(stepproof(folder, "manifest").code).toBe(0);
  git("add", ".");
  git("commit", "-qm", "first");
  expect(stepproof(folder, "manifest", "--check").code).toBe(0);

  writeFileSync(join(folder, "order.ts"), RENAMED);
  expect(stepproof(folder, "manifest", "--check").code).toBe(1);
  const broken = stepproof(folder, "diff", "git:HEAD", "--format", "json");
  const report = JSON.parse(broken.stdout) as {
    verdict: string;
    workflows: { changes: { token: string; place: { line: number } }[] }[];
  };
  expect([broken.code, report.verdict]).toEqual([1, "breaking"]);
  const [change] = report.workflows[0]?.changes ?? [];
  expect(change?.place.line).toBe(4);

  expect(
    stepproof(folder, "diff", "git:HEAD", "--accept", change?.token ?? "", "--reason", "nothing is in flight")
      .code,
  ).toBe(0);
  expect(stepproof(folder, "diff", "git:HEAD")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Accepted: nothing is in flight") as string,
  });

  expect(stepproof(folder, "fix", "--from", "git:HEAD").code).toBe(0);
  expect(stepproof(folder, "diff", "git:HEAD").code).toBe(0);
  expect(readFileSync(join(folder, "order.ts"), "utf8")).not.toBe(RENAMED);
});
