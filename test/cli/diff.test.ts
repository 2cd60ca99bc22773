import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { GOOD, project, stepproof } from "./command.js";

/** Makes the folder a repository; gives `git` in it. */
function repository(folder: string): (...args: string[]) => string {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.test", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  git("init", "-q");
  return git;
}

const RENAMED = GOOD.replace('"charge"', '"charge-card"');

it("a committed manifest, the diff against git, the fix, and the acceptance fit together", () => {
  const folder = project({ "order.ts": GOOD });
  const git = repository(folder);
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

  // What was accepted stays as it is.
  expect(stepproof(folder, "fix", "--from", "git:HEAD")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("nothing to mend") as string,
  });
  expect(readFileSync(join(folder, "order.ts"), "utf8")).toBe(RENAMED);
  rmSync(join(folder, "stepproof.accepted.json"));

  expect(stepproof(folder, "fix", "--from", "git:HEAD").code).toBe(0);
  expect(stepproof(folder, "diff", "git:HEAD").code).toBe(0);
  expect(readFileSync(join(folder, "order.ts"), "utf8")).not.toBe(RENAMED);
});

it("git:REF without a committed manifest is built from the sources there, and leaves no worktree behind", () => {
  const folder = project({ "app/order.ts": GOOD, "app/package.json": "{}", ".gitignore": "node_modules\n" });
  const app = join(folder, "app");
  const git = repository(folder);
  git("add", ".");
  git("commit", "-qm", "first");
  git("tag", "v1");
  writeFileSync(join(app, "order.ts"), RENAMED);
  git("commit", "-qam", "second");

  const { code, stdout, stderr } = stepproof(app, "diff", "git:v1", "--format", "github", "--replay");
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^::error file=app\/order\.ts,line=4,title=order%3A entry renamed::/);
  expect(stdout).toContain("replayed on @stepproof/runtime: it fails as said:");
  expect(git("worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(git("status", "--porcelain")).toBe("");

  expect(stepproof(app, "diff", "git:HEAD").stdout).toContain("Identical: no workflow changed.");
  const wrong = stepproof(app, "diff", "git:v2");
  expect([wrong.code, wrong.stdout]).toEqual([2, ""]);
  expect(wrong.stderr).toContain('git knows no commit "v2"');
  expect(wrong.stderr).toContain("See git branch --all");
  expect(stepproof(app, "fix", "--from", "git:HEAD").stderr).toContain(
    "nothing to mend: the change is identical.",
  );
});

it("acceptances that match nothing are reported, and a broken file of them is refused", () => {
  const folder = project({ "old.ts": GOOD, "new.ts": GOOD });
  const change = { workflow: "order", kind: "entry-renamed", path: ["gone"], content: "0" };
  const accepted = join(folder, "stepproof.accepted.json");
  writeFileSync(accepted, JSON.stringify({ version: 1, accepted: [{ change, reason: "long ago" }] }));
  const { code, stdout } = stepproof(folder, "diff", "old.ts", "new.ts");
  expect(code).toBe(0);
  expect(stdout).toContain(
    "stepproof.accepted.json accepts a change that is not there: order, entry-renamed, gone. Delete it.",
  );

  writeFileSync(accepted, JSON.stringify({ version: 1, accepted: [{ change }] }));
  const broken = stepproof(folder, "diff", "old.ts", "new.ts");
  expect([broken.code, broken.stdout]).toEqual([2, ""]);
  expect(broken.stderr).toContain("an entry lacks its change or its reason");

  rmSync(accepted);
  const unknown = stepproof(folder, "diff", "old.ts", "new.ts", "--accept", "0000000000", "--reason", "x");
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain("There is no change 0000000000 in this diff");
});
