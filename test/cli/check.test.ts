import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CheckReport } from "../../compiler/src/report/index.js";
import { BAD, GOOD, project, stepproof } from "./command.js";

const json = (folder: string, ...args: string[]): CheckReport =>
  JSON.parse(stepproof(folder, "check", "--format", "json", ...args).stdout) as CheckReport;

describe("stepproof check", () => {
  it("says what is wrong, by which way, and exits 1", () => {
    const { code, stdout, stderr } = stepproof(project({ "triage.ts": BAD }), "check", "triage.ts");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^triage\.ts:4:17 - error TS90001: \[no-nondeterminism\] .*Math\.random\(\)/);
    expect(stdout).toMatch(/way\n.*workflow "triage".*\n.*choose.*\n.*pick.*\n.*Math\.random\(\)/);
    expect(stdout).toMatch(/1 error\. 1 workflow in 1 file checked/);
    expect(stderr).toBe("");
  });

  it("exits 0 on code without a fault and lists its workflows", () => {
    const folder = project({ "order.ts": GOOD });
    expect(stepproof(folder, "check").code).toBe(0);
    expect(json(folder).workflows).toEqual([{ name: "order", file: "order.ts", line: 2, entries: 3 }]);
  });

  it("prints the documented JSON and nothing else on stdout", () => {
    const [one] = json(project({ "triage.ts": BAD })).diagnostics;
    expect(Object.keys(one ?? {})).toEqual([
      "rule",
      "code",
      "severity",
      "message",
      "file",
      "line",
      "column",
      "endLine",
      "endColumn",
      "chain",
      "help",
      "docs",
      "fixable",
    ]);
    expect(one).toMatchObject({ rule: "no-nondeterminism", file: "triage.ts", line: 4, severity: "error" });
    expect(one?.chain.at(-1)).toMatchObject({ file: "triage.ts", line: 12 });
  });

  it("takes severities from the config and fails on warnings only when asked", () => {
    const folder = project({
      "triage.ts": BAD,
      "stepproof.config.json": '{ "rules": { "no-nondeterminism": "warning" } }',
    });
    expect(stepproof(folder, "check").code).toBe(0);
    expect(stepproof(folder, "check", "--max-warnings", "0").code).toBe(1);
    expect(stepproof(folder, "check", "--max-warnings", "1").code).toBe(0);
  });

  it("leaves out what the config excludes", () => {
    const folder = project({
      "src/order.ts": GOOD,
      "old/triage.ts": BAD,
      "stepproof.config.json": '{ "exclude": ["old/**"] }',
    });
    expect(json(folder).workflows.map((one) => one.file)).toEqual(["src/order.ts"]);
  });

  it("keeps what a baseline knows silent until the code around it changes", () => {
    const folder = project({ "triage.ts": BAD });
    expect(stepproof(folder, "check", "--write-baseline").code).toBe(0);
    expect(stepproof(folder, "check", "--baseline", "stepproof.baseline.json").code).toBe(0);
    expect(stepproof(folder, "check").code).toBe(1);
    writeFileSync(join(folder, "triage.ts"), `// moved\n${BAD}`);
    expect(stepproof(folder, "check", "--baseline", "stepproof.baseline.json").code).toBe(0);
    writeFileSync(join(folder, "triage.ts"), BAD.replace('"notify"', '"tell"'));
    expect(stepproof(folder, "check", "--baseline", "stepproof.baseline.json").code).toBe(1);
  });

  it("is silenced by a comment with a reason", () => {
    const comment = "    // stepproof-ignore-next-line no-nondeterminism -- seeded in tests\n";
    const folder = project({ "triage.ts": BAD.replace("    const who", `${comment}    const who`) });
    expect(stepproof(folder, "check").code).toBe(0);
  });

  it("--fix mends what is safe and leaves the rest", () => {
    const folder = project({ "a.ts": GOOD.replace('await ctx.step("charge"', 'ctx.step("charge"') });
    expect(stepproof(folder, "check", "--fix").code).toBe(0);
    expect(readFileSync(join(folder, "a.ts"), "utf8")).toBe(GOOD);
  });

  it("tells when there is no workflow at all", () => {
    const { code, stderr } = stepproof(project({ "a.ts": "export const x = 1;" }), "check");
    expect([code, stderr]).toEqual([
      0,
      "stepproof: no workflow found: no file that was read calls workflow() of a known engine.\n",
    ]);
  });
});

describe("stepproof explain", () => {
  it("prints a rule's page by slug and by code", () => {
    const folder = project({});
    const page = stepproof(folder, "explain", "unique-entry-names").stdout;
    expect(page).toMatch(/^# unique-entry-names\n\n`TS90101`/);
    expect(stepproof(folder, "explain", "TS90101").stdout).toBe(page);
  });
  it("lists all rules", () => {
    expect(stepproof(project({}), "explain").stdout).toMatch(/outside steps\n {2}no-nondeterminism/);
  });
});

describe("stepproof init", () => {
  it("writes with --yes, keeps what is there, and says which", () => {
    const folder = project({
      "package.json": '{\n\t"name": "x",\n\t"scripts": { "manifest": "mine" }\n}\n',
      "stepproof.config.json": "{}",
    });
    const { code, stdout } = stepproof(folder, "init", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("kept     stepproof.config.json");
    const text = readFileSync(join(folder, "package.json"), "utf8");
    expect(text).toContain(
      '\n\t"scripts": {\n\t\t"manifest": "mine",\n\t\t"check:workflows": "stepproof check"\n\t}\n}\n',
    );
    expect(readFileSync(join(folder, ".github/workflows/stepproof.yml"), "utf8")).toContain(
      "npx stepproof check",
    );
    expect(stepproof(folder, "init", "--yes").stdout).toMatch(/^kept .*\nkept .*\nkept /);
  });
});
