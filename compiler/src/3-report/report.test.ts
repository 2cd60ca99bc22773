import { describe, expect, it } from "vitest";
import type { FileFacts, Finding, SuppressionFacts } from "../types.js";
import { positionAt } from "./position.js";
import { relativeTo } from "./relative.js";
import { report, type ReportOptions } from "./report.js";
import { RULES } from "./rules.js";

const OPTIONS: ReportOptions = { cwd: "/p", severities: {}, strict: false };

function file(path: string, suppressions: SuppressionFacts[] = []): FileFacts {
  return {
    path,
    hash: "",
    lineStarts: [0, 10, 20, 30],
    module: `${path}:0`,
    outermost: [],
    functions: [],
    classes: [],
    bindings: [],
    function: () => null,
    class: () => null,
    binding: () => null,
    exports: {},
    suppressions,
    syntaxErrors: [],
  };
}

function finding(over: Partial<Finding> = {}): Finding {
  return {
    rule: "no-nondeterminism",
    message: "`Math.random()` runs again",
    place: { file: "/p/a.ts", span: [12, 15] },
    chain: [],
    help: "help",
    ...over,
  };
}

const link = (path: string, offset: number, label: string) => ({
  place: { file: path, span: [offset, offset + 1] as const },
  label,
});

describe("the rule table", () => {
  it("uses every slug and every code once", () => {
    expect(new Set(RULES.map((row) => row.slug)).size).toBe(RULES.length);
    expect(new Set(RULES.map((row) => row.code)).size).toBe(RULES.length);
  });
  it("has no row whose sentence lacks its full stop", () => {
    for (const row of RULES)
      expect([row.slug, row.summary.endsWith("."), row.why.endsWith(".")]).toEqual([row.slug, true, true]);
  });
});

describe("positions and paths", () => {
  it("counts lines and columns from 1, the end of the text included", () => {
    expect(positionAt([0, 10, 20], 0)).toEqual({ line: 1, column: 1 });
    expect(positionAt([0, 10, 20], 9)).toEqual({ line: 1, column: 10 });
    expect(positionAt([0, 10, 20], 10)).toEqual({ line: 2, column: 1 });
    expect(positionAt([0, 10, 20], 25)).toEqual({ line: 3, column: 6 });
  });
  it("walks up where the file lies outside the folder, and is not fooled by a shared prefix", () => {
    expect(relativeTo("/p", "/p/a/b.ts")).toBe("a/b.ts");
    expect(relativeTo("/p/app", "/p/app2/b.ts")).toBe("../app2/b.ts");
    expect(relativeTo("C:/p", "D:/x.ts")).toBe("D:/x.ts");
  });
});

describe("report", () => {
  it("gives line, column and a relative path", () => {
    const [one] = report([finding()], [file("/p/a.ts")], OPTIONS);
    expect(one?.diagnostic).toMatchObject({
      file: "a.ts",
      line: 2,
      column: 3,
      endLine: 2,
      endColumn: 6,
      code: 90001,
      severity: "error",
    });
  });

  it("keeps the shortest chain of one place and rule and counts the other ways, whatever the order", () => {
    const long = finding({
      chain: [link("/p/a.ts", 0, "w"), link("/p/a.ts", 12, "x"), link("/p/b.ts", 1, "y")],
    });
    const short = finding({ chain: [link("/p/a.ts", 0, "w"), link("/p/b.ts", 2, "z")] });
    for (const order of [
      [long, short],
      [short, long],
      [short, long, long],
    ]) {
      const out = report(order, [file("/p/a.ts"), file("/p/b.ts")], OPTIONS);
      expect(out).toHaveLength(1);
      expect(out[0]?.diagnostic.message).toBe("`Math.random()` runs again (and 1 more way)");
      expect(out[0]?.diagnostic.chain).toHaveLength(2);
    }
  });

  it("sorts by file, line and column, not by the order of the input", () => {
    const findings = [
      finding({ place: { file: "/p/b.ts", span: [1, 2] } }),
      finding({ place: { file: "/p/a.ts", span: [25, 26] } }),
      finding({ place: { file: "/p/a.ts", span: [3, 4] } }),
    ];
    const shown = report(findings, [file("/p/b.ts"), file("/p/a.ts")], OPTIONS).map(
      (one) => `${one.diagnostic.file}:${one.diagnostic.line}`,
    );
    expect(shown).toEqual(["a.ts:1", "a.ts:3", "b.ts:1"]);
  });

  it("lets the config win over the finding, and the finding over the table", () => {
    const severity = (severities: ReportOptions["severities"], own?: "warning") =>
      report([finding(own ? { severity: own } : {})], [file("/p/a.ts")], { ...OPTIONS, severities })[0]
        ?.diagnostic.severity;
    expect(severity({})).toBe("error");
    expect(severity({}, "warning")).toBe("warning");
    expect(severity({ "no-nondeterminism": "error" }, "warning")).toBe("error");
    expect(severity({ "no-nondeterminism": "off" })).toBeUndefined();
  });

  it("shows strict-only rules under strict, or when the config asks for them", () => {
    const unknown = [finding({ rule: "no-unknown-calls" })];
    expect(report(unknown, [file("/p/a.ts")], OPTIONS)).toHaveLength(0);
    expect(report(unknown, [file("/p/a.ts")], { ...OPTIONS, strict: true })).toHaveLength(1);
    expect(
      report(unknown, [file("/p/a.ts")], { ...OPTIONS, severities: { "no-unknown-calls": "error" } }),
    ).toHaveLength(1);
  });

  it("tells a file that does not parse, once, and not for packages", () => {
    const broken = {
      ...file("/p/a.ts"),
      syntaxErrors: [
        { message: "';' expected.", span: [3, 4] as const },
        { message: "x", span: [5, 6] as const },
      ],
    };
    const [one, ...rest] = report([], [broken, { ...broken, path: "/p/node_modules/x/a.js" }], OPTIONS);
    expect(one?.diagnostic).toMatchObject({
      rule: "parsable-source",
      message: "';' expected (and 1 more in this file)",
    });
    expect(rest).toHaveLength(0);
  });

  it("refuses a finding of an unknown rule or file as a fault of the tool", () => {
    expect(() => report([finding({ rule: "nope" })], [file("/p/a.ts")], OPTIONS)).toThrow(
      /not in the rule table/,
    );
    expect(() => report([finding()], [], OPTIONS)).toThrow(/was not read/);
  });
});

describe("ignore comments", () => {
  const comment = (over: Partial<SuppressionFacts> = {}): SuppressionFacts => ({
    span: [0, 5],
    line: 2,
    rules: ["no-nondeterminism"],
    reason: "seeded",
    ...over,
  });
  const rules = (findings: Finding[], files: FileFacts[], options = OPTIONS) =>
    report(findings, files, options).map((one) => `${one.diagnostic.rule}: ${one.diagnostic.message}`);

  it("silence the line below, and only their own rule", () => {
    expect(rules([finding()], [file("/p/a.ts", [comment()])])).toEqual([]);
    expect(rules([finding({ rule: "no-console" })], [file("/p/a.ts", [comment()])])).toHaveLength(2);
  });
  it("over the source of a chain silence every way to it", () => {
    const one = finding({
      place: { file: "/p/b.ts", span: [1, 2] },
      chain: [link("/p/a.ts", 12, "Math.random()")],
    });
    expect(
      rules(
        [one, { ...one, place: { file: "/p/b.ts", span: [25, 26] } }],
        [file("/p/a.ts", [comment()]), file("/p/b.ts")],
      ),
    ).toEqual([]);
  });
  it("without a reason still silence, but are told", () => {
    expect(rules([finding()], [file("/p/a.ts", [comment({ reason: null })])])).toEqual([
      "suppressions: This ignore comment gives no reason",
    ]);
  });
  it("that hide nothing are told, unless their rule did not run", () => {
    expect(rules([], [file("/p/a.ts", [comment()])])).toEqual([
      "suppressions: This ignore comment hides no finding of `no-nondeterminism`",
    ]);
    expect(
      rules([], [file("/p/a.ts", [comment()])], { ...OPTIONS, severities: { "no-nondeterminism": "off" } }),
    ).toEqual([]);
  });
  it("with a wrong or no rule are told, with the nearest name", () => {
    const [typo] = report([], [file("/p/a.ts", [comment({ rules: ["no-nondeterminsm"] })])], OPTIONS);
    expect(typo?.diagnostic.help).toBe("Did you mean `no-nondeterminism`?");
    expect(rules([], [file("/p/a.ts", [comment({ rules: [] })])])).toEqual([
      "suppressions: This ignore comment names no rule, so it hides nothing",
    ]);
  });
});
