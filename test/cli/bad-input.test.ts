import { describe, expect, it } from "vitest";
import { BAD, GOOD, project, stepproof, type Outcome } from "./command.js";

/** One message, nothing on stdout, no stack. */
function expectOneMessage(outcome: Outcome, code: number, message: RegExp): void {
  expect(outcome).toMatchObject({ code, stdout: "" });
  expect(outcome.stderr).toMatch(message);
  expect(outcome.stderr).not.toMatch(/^\s+at .*:\d+/m);
  expect(outcome.stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(3);
}

describe("what is wrong with the input is said in one message, with exit code 2", () => {
  it.each([
    ["a missing file", ["check", "nope.ts"], {}, /no file or folder nope\.ts/],
    [
      "a folder without TypeScript",
      ["check", "docs"],
      { "docs/a.md": "" },
      /No TypeScript or JavaScript file below docs/,
    ],
    [
      "a file that is no source",
      ["check", "a.md"],
      { "a.md": "" },
      /a\.md is neither TypeScript nor JavaScript/,
    ],
    ["a missing tsconfig", ["check", "-p", "nope.json"], {}, /nope\.json/],
    [
      "a broken tsconfig",
      ["check", "-p", "."],
      { "tsconfig.json": "{ oops", "a.ts": GOOD },
      /tsconfig\.json can't be used/,
    ],
    [
      "a tsconfig that extends what is missing",
      ["check", "-p", "."],
      { "tsconfig.json": '{ "extends": "./base.json" }', "a.ts": GOOD },
      /tsconfig\.json can't be used/,
    ],
    [
      "a config with an unknown key",
      ["check", "a.ts"],
      { "a.ts": GOOD, "stepproof.config.json": '{ "rule": {} }' },
      /no key "rule"; did you mean "rules"\?/,
    ],
    [
      "a config that does not run",
      ["check", "a.ts"],
      { "a.ts": GOOD, "stepproof.config.ts": "throw new Error('boom')" },
      /stepproof\.config\.ts can't be read: boom/,
    ],
    ["a missing config", ["check", "a.ts", "-c", "nope.json"], { "a.ts": GOOD }, /There is no config file/],
    [
      "a folder as the place of a baseline",
      ["check", "a.ts", "--write-baseline", "docs"],
      { "a.ts": GOOD, "docs/x.md": "" },
      /docs is a folder; name a file/,
    ],
    [
      "a folder as a baseline",
      ["check", "a.ts", "--baseline", "docs"],
      { "a.ts": GOOD, "docs/x.md": "" },
      /docs is a folder; name a file/,
    ],
    [
      "a folder as the place of a manifest",
      ["manifest", "a.ts", "-o", "docs"],
      { "a.ts": GOOD, "docs/x.md": "" },
      /docs is a folder; name a file/,
    ],
    [
      "a folder as the manifest to compare with",
      ["manifest", "a.ts", "--check", "-o", "docs"],
      { "a.ts": GOOD, "docs/x.md": "" },
      /docs is a folder; name a file/,
    ],
    [
      "a place below a folder that is not there",
      ["manifest", "a.ts", "-o", "no/where.json"],
      { "a.ts": GOOD },
      /no\/where\.json can't be written: its folder does not exist/,
    ],
    [
      "a place below a file",
      ["graph", "a.ts", "-o", "a.ts/graph.html", "--format", "html"],
      { "a.ts": GOOD },
      /a part of its path is a file/,
    ],
    [
      "a folder as the place of a graph",
      ["graph", "a.ts", "-o", "docs", "--format", "svg"],
      { "a.ts": GOOD, "docs/x.md": "" },
      /docs is a folder; name a file/,
    ],
    [
      "a folder where the acceptances should be",
      ["diff", "a.ts", "a.ts"],
      { "a.ts": GOOD, "stepproof.accepted.json/x.md": "" },
      /stepproof\.accepted\.json is a folder; name a file/,
    ],
    [
      "a missing baseline",
      ["check", "a.ts", "--baseline", "nope.json"],
      { "a.ts": GOOD },
      /There is no baseline/,
    ],
    [
      "a broken baseline",
      ["check", "a.ts", "--baseline", "b.json"],
      { "a.ts": GOOD, "b.json": "{" },
      /is not a baseline/,
    ],
    ["an unknown command", ["chekc"], {}, /unknown command 'chekc'\n\(Did you mean check\?\)/],
    [
      "an unknown option",
      ["check", "--strictt"],
      {},
      /unknown option '--strictt'\n\(Did you mean --strict\?\)/,
    ],
    [
      "an unknown format",
      ["check", "--format", "xml"],
      {},
      /Allowed choices are pretty, json, github, sarif/,
    ],
    ["a number that is none", ["check", "--max-warnings", "few"], {}, /Not a whole number/],
    ["an unknown engine", ["check", "--engine", "temporal"], {}, /Allowed choices are rivetkit-2/],
    ["an unknown rule", ["explain", "no-consol"], {}, /did you mean "no-console"\?/],
    ["a missing manifest", ["diff", "old.json", "new.json"], {}, /There is no manifest old\.json/],
    ["a manifest that is no JSON", ["diff", "old.json", "old.json"], { "old.json": "{" }, /old\.json: /],
    [
      "a manifest of a newer format",
      ["diff", "old.json", "old.json"],
      { "old.json": '{"formatVersion": 99, "tool": "stepproof 9", "workflows": {}}' },
      /old\.json: .*99/,
    ],
    [
      "a manifest edited by hand",
      ["diff", "old.json", "old.json"],
      { "old.json": '{"formatVersion":1,"tool":"t","workflows":{"a":{}}}' },
      /old\.json: /,
    ],
    [
      "git where there is no repository",
      ["diff", "git:main"],
      { "a.ts": GOOD },
      /git knows no commit "main" in .*: it is not in a git repository/,
    ],
    [
      "preflight on a folder",
      ["preflight", "--db", "data"],
      { "data/a.md": "" },
      /data is no file\. Name the database file/,
    ],
    ["dev without a module of a usual name", ["dev"], {}, /no registry, server, index, main or app/],
    [
      "a config that includes what is not there",
      ["check"],
      { "stepproof.config.json": '{ "include": ["lib"] }', "a.ts": GOOD },
      /"include" in .*stepproof\.config\.json: There is no file or folder lib in /,
    ],
    [
      "a config without a default export",
      ["check"],
      { "stepproof.config.ts": "export const rules = {};", "a.ts": GOOD },
      /stepproof\.config\.ts can't be read: it has no default export/,
    ],
    [
      "--accept without a reason",
      ["diff", "a.ts", "a.ts", "--accept", "x"],
      { "a.ts": GOOD },
      /--accept needs --reason/,
    ],
    ["init without a terminal", ["init"], {}, /Use --yes/],
  ] as const)("%s", (_name, args, files, message) => {
    expectOneMessage(stepproof(project(files), ...args), 2, message);
  });

  it("a folder without sources is named, not only the dot that stands for it", () => {
    const folder = project({});
    const { stderr } = stepproof(folder, "check");
    expect(stderr).toContain(`No TypeScript or JavaScript file below ${folder.replaceAll("\\", "/")}.`);
  });
});

describe("a file that does not parse", () => {
  it("is a finding of its own and does not stop the others", () => {
    const folder = project({ "broken.ts": `${GOOD}\nconst = ;`, "bad.ts": BAD });
    const { code, stdout, stderr } = stepproof(folder, "check", ".", "--format", "json");
    const report = JSON.parse(stdout) as { diagnostics: { rule: string; file: string }[] };
    expect(code).toBe(1);
    expect(report.diagnostics.map((one) => `${one.file} ${one.rule}`)).toEqual([
      "bad.ts no-nondeterminism",
      "broken.ts parsable-source",
    ]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
