import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import AjvDraft04 from "ajv-draft-04";

import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../types.js";
import { githubCommand } from "./github-command.js";
import { CHECK_FORMATS, type CheckReport, type RenderOptions } from "./index.js";
import { wrap } from "./wrap.js";

const SOURCE = [
  "async function run(ctx) {",
  "\tawait ctx.step('a', f);",
  "\tconst who = choose();",
  "}",
  "",
].join("\n");

const OPTIONS: RenderOptions = {
  color: false,
  width: 100,
  source: () => SOURCE,
  pathPrefix: "",
  toolVersion: "1.2.3",
};

const FINDING: Diagnostic = {
  rule: "no-nondeterminism",
  code: 90001,
  severity: "error",
  message: "`Math.random()` runs again on every replay",
  file: "src/triage.ts",
  line: 3,
  column: 14,
  endLine: 3,
  endColumn: 22,
  chain: [
    { file: "src/triage.ts", line: 1, column: 1, label: 'workflow "triage"' },
    { file: "src/triage.ts", line: 3, column: 14, label: "calls choose()" },
    { file: "src/choose.ts", line: 7, column: 3, label: "Math.random()" },
  ],
  help: "Draw it inside a step.",
  docs: "https://example.test/x",
  fixable: false,
};

function reportOf(...diagnostics: Diagnostic[]): CheckReport {
  return {
    version: 1,
    diagnostics,
    workflows: [{ name: "triage", file: "src/triage.ts", line: 1, entries: 1 }],
    notes: [],
    summary: {
      errors: diagnostics.filter((one) => one.severity === "error").length,
      warnings: diagnostics.filter((one) => one.severity === "warning").length,
      files: 2,
      durationMs: 1234,
    },
  };
}

describe("pretty", () => {
  it("shows place, code, way, remedy and sum", () => {
    expect(CHECK_FORMATS.pretty(reportOf(FINDING), OPTIONS)).toBe(
      [
        "src/triage.ts:3:14 - error TS90001: [no-nondeterminism] `Math.random()` runs again on every replay",
        "",
        "    1 | async function run(ctx) {",
        "    2 |     await ctx.step('a', f);",
        "  > 3 |     const who = choose();",
        "      |                 ^^^^^^^^",
        "    4 | }",
        "",
        "  way",
        '    workflow "triage"  src/triage.ts:1:1',
        "    └ calls choose()   src/triage.ts:3:14",
        "      └ Math.random()  src/choose.ts:7:3",
        "",
        "  help  Draw it inside a step.",
        "  more  npx stepproof explain no-nondeterminism",
        "",
        "1 error. 1 workflow in 2 files checked in 1.2 s.",
        "",
      ].join("\n"),
    );
  });
  it("puts the places below the labels where the terminal is narrow", () => {
    expect(CHECK_FORMATS.pretty(reportOf(FINDING), { ...OPTIONS, width: 30 })).toContain(
      "    └ calls choose()\n      src/triage.ts:3:14",
    );
  });
  it("matches VS Code's $tsc problem matcher", () => {
    const matcher =
      /^([^\s].*)[(:](\d+)[,:](\d+)(?:\):\s+|\s+-\s+)(error|warning|info)\s+(TS\d+)\s*:\s*(.*)$/;
    const [head] = CHECK_FORMATS.pretty(reportOf(FINDING), OPTIONS).split("\n");
    expect(matcher.exec(head ?? "")?.slice(1, 6)).toEqual(["src/triage.ts", "3", "14", "error", "TS90001"]);
  });
  it("is plain without a terminal and coloured with one", () => {
    const escape = String.fromCharCode(27);
    expect(CHECK_FORMATS.pretty(reportOf(FINDING), OPTIONS)).not.toContain(escape);
    expect(CHECK_FORMATS.pretty(reportOf(FINDING), { ...OPTIONS, color: true })).toContain(escape);
  });
  it("says so when nothing was found, and when the source can't be read", () => {
    expect(CHECK_FORMATS.pretty(reportOf(), OPTIONS)).toBe(
      "No findings. 1 workflow in 2 files checked in 1.2 s.\n",
    );
    expect(CHECK_FORMATS.pretty(reportOf(FINDING), { ...OPTIONS, source: () => null })).not.toContain(
      "> 3 |",
    );
  });
});

describe("json", () => {
  it("prints the report as it is", () => {
    expect(JSON.parse(CHECK_FORMATS.json(reportOf(FINDING)))).toEqual(reportOf(FINDING));
  });
});

describe("github", () => {
  it("writes one command per finding, from the repository's root", () => {
    expect(CHECK_FORMATS.github(reportOf(FINDING), { ...OPTIONS, pathPrefix: "apps/a/" })).toBe(
      "::error file=apps/a/src/triage.ts,line=3,endLine=3,col=14,endColumn=22,title=no-nondeterminism TS90001::" +
        '`Math.random()` runs again on every replay%0A%0Aworkflow "triage" (apps/a/src/triage.ts:1)%0A' +
        "calls choose() (apps/a/src/triage.ts:3)%0AMath.random() (apps/a/src/choose.ts:7)%0A%0ADraw it inside a step.\n",
    );
  });
  it("lets no text end the command or begin another", () => {
    const command = githubCommand(
      "error",
      { file: "a:b,c.ts", line: 1 },
      "t,:",
      "100%\r\n::set-output name=x::y",
    );
    expect(command).toBe(
      "::error file=a%3Ab%2Cc.ts,line=1,title=t%2C%3A::100%25%0D%0A::set-output name=x::y",
    );
  });
  it("leaves columns out where a finding spans lines", () => {
    expect(CHECK_FORMATS.github(reportOf({ ...FINDING, endLine: 4 }), OPTIONS)).toMatch(
      /line=3,endLine=4,title/,
    );
  });
});

describe("sarif", () => {
  const schema: object = JSON.parse(
    readFileSync(
      createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"),
      "utf8",
    ),
  );
  const validate = new AjvDraft04.default({
    strict: false,
    unicodeRegExp: false,
    validateFormats: false,
  }).compile(schema);

  it("is valid against the 2.1.0 schema, with findings and without", () => {
    for (const report of [
      reportOf(),
      reportOf(FINDING, { ...FINDING, file: "src/a b#.ts", chain: [], severity: "warning" }),
    ]) {
      const log: unknown = JSON.parse(CHECK_FORMATS.sarif(report, OPTIONS));
      expect([validate(log), validate.errors]).toEqual([true, null]);
    }
  });
  it("would be refused by the schema if it were not SARIF", () => {
    expect(validate({ version: "2.1.0", runs: [{}] })).toBe(false);
  });
  it("keeps a finding's fingerprint when it moves, and tells two alike apart", () => {
    const prints = (...list: Diagnostic[]): string[] =>
      JSON.parse(CHECK_FORMATS.sarif(reportOf(...list), OPTIONS)).runs[0].results.map(
        (one: { partialFingerprints: Record<string, string> }) => one.partialFingerprints["stepproof/v1"],
      );
    expect(prints({ ...FINDING, line: 30, endLine: 30 })).toEqual(prints(FINDING));
    expect(new Set(prints(FINDING, { ...FINDING, line: 9 })).size).toBe(2);
  });
});

describe("wrap", () => {
  it("breaks at blanks only and keeps a long word whole", () => {
    expect(wrap("one two three four five six", 24, "  ")).toBe("  one two three four\n  five six");
    expect(wrap("x".repeat(50), 24, "  ")).toBe(`  ${"x".repeat(50)}`);
  });
});
