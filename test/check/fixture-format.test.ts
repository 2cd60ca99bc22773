import ts from "typescript";
import { describe, expect, test } from "vitest";
import { RULES } from "../../compiler/src/3-report/rules.js";
import { compare } from "./compare.js";
import { readExpectations } from "./expectations.js";
import { readFixtures } from "./fixture.js";
import { inRivetkitDialect } from "./rivetkit-dialect.js";

const fixtures = readFixtures();
const slugs = new Set(RULES.map((rule) => rule.slug as string));

function syntaxErrors(path: string, text: string): string[] {
  // `parseDiagnostics` is internal, and the only way to ask for them without a program.
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest) as ts.SourceFile & {
    parseDiagnostics: readonly ts.DiagnosticWithLocation[];
  };
  return tree.parseDiagnostics.map(
    (one) => `${path}:${tree.getLineAndCharacterOfPosition(one.start).line + 1} ${String(one.messageText)}`,
  );
}

describe("fixtures of the checker", () => {
  test("every rule has programs that break it, programs that keep it, and known limits", () => {
    const kinds = new Map([...slugs].map((slug) => [slug, new Set<string>()]));
    for (const fixture of fixtures) kinds.get(fixture.rule)?.add(fixture.kind);
    const rulesOfPrograms = [...kinds].filter(([slug]) => !PROJECT_RULES.has(slug));
    const lacking = rulesOfPrograms.flatMap(([slug, seen]) =>
      (["wrong", "right", "limit"] as const)
        .filter((kind) => !seen.has(kind))
        .map((kind) => `${slug} lacks ${kind}-`),
    );
    expect(lacking).toEqual([]);
  });

  test("a fixture stands in the folder of a rule and expects only rules that exist", () => {
    const unknown = fixtures.flatMap((fixture) =>
      [fixture.rule, ...fixture.expectations.flatMap((one) => one.rules)]
        .filter((slug) => !slugs.has(slug))
        .map((slug) => `${fixture.id}: ${slug}`),
    );
    expect(unknown).toEqual([]);
  });

  test("a wrong program expects a finding of its rule, a right one and a known limit expect none", () => {
    const faults = fixtures.filter((fixture) => {
      const must = fixture.expectations.filter((one) => !one.optional);
      return fixture.kind === "wrong"
        ? !must.some((one) => one.rules.includes(fixture.rule))
        : must.length > 0;
    });
    expect(faults.map((fixture) => fixture.id)).toEqual([]);
  });

  test("every program parses, in both dialects", () => {
    const errors = fixtures.flatMap((fixture) =>
      [fixture, inRivetkitDialect(fixture)].flatMap((one) =>
        (one?.files ?? [])
          .filter((file) => /\.[cm]?[jt]sx?$/.test(file.path))
          .flatMap((file) => syntaxErrors(`${one?.id}/${file.path}`, file.text)),
      ),
    );
    expect(errors).toEqual([]);
  });

  test("the second dialect keeps every line in its place", () => {
    for (const fixture of fixtures) {
      const other = inRivetkitDialect(fixture);
      if (!other) continue;
      for (const [index, file] of fixture.files.entries()) {
        expect(other.files[index]?.text.split("\n").length, other.id).toBe(file.text.split("\n").length);
      }
      expect(
        other.files.flatMap((file) => readExpectations(file.path, file.text)),
        other.id,
      ).toEqual(fixture.expectations);
    }
  });
});

/** Rules that speak of the project, not of a program; they are tested beside their code. */
const PROJECT_RULES = new Set<string>(RULES.filter((rule) => rule.code >= 90_300).map((rule) => rule.slug));

describe("the comparison", () => {
  const found = { file: "a.ts", line: 3, rule: "no-console", message: "`console.log` prints again" };

  test("an unexpected finding, a missing one and a message without its words are told", () => {
    const expected = readExpectations("a.ts", `\n\nlog(); // expect: no-console "prints"`);
    expect(compare(expected, [found])).toEqual([]);
    expect(compare(expected, [])).toEqual([`missing: a.ts:3 no-console with "prints"`]);
    expect(compare([], [found])).toHaveLength(1);
    expect(compare(expected, [{ ...found, message: "other" }])).toHaveLength(2);
    expect(compare(expected, [found, { ...found, line: 4 }])).toHaveLength(1);
  });

  test("one finding satisfies a group, an optional one satisfies nothing", () => {
    const group = readExpectations("a.ts", "a(); // expect: no-console #a\n\nb(); // expect: no-console #a");
    expect(compare(group, [found])).toEqual([]);
    expect(compare(group, [])).toHaveLength(2);
    const optional = readExpectations("a.ts", "\n\nb(); // may: no-console");
    expect(compare(optional, [])).toEqual([]);
    expect(compare(optional, [found])).toEqual([]);
  });

  test("a comment that can't be read is refused", () => {
    expect(() => readExpectations("a.ts", "x(); // expect no-console")).not.toThrow();
    expect(() => readExpectations("a.ts", "x(); // expect: No Console")).toThrow(/a\.ts:1/);
  });
});
