import { describe, expect, test } from "vitest";
import { compare } from "./compare.js";
import { readFixtures, type Fixture } from "./fixture.js";
import { KNOWN_FAILURES } from "./known-failures.js";
import { inRivetkitDialect } from "./rivetkit-dialect.js";
import { checkFixtures } from "./run-check.js";

const fixtures = readFixtures();

function suite(programs: readonly Fixture[], area: string): void {
  const found = checkFixtures(programs, area);
  for (const fixture of programs)
    test(fixture.id, () => {
      const problems = compare(fixture.expectations, found.get(fixture.id) ?? []);
      const known = KNOWN_FAILURES[fixture.id];
      if (known === undefined) expect(problems, problems.join("\n")).toEqual([]);
      else expect(problems, `passes now: take it off KNOWN_FAILURES (${known})`).not.toEqual([]);
    });
}

describe("programs for @rivet-dev/workflows and @stepproof/runtime are judged as marked", () => {
  suite(fixtures, "first-dialect");
});

describe("the same programs for rivetkit are judged alike", () => {
  suite(
    fixtures.flatMap((fixture) => inRivetkitDialect(fixture) ?? []),
    "rivetkit-dialect",
  );
});

test("every known failure is a fixture", () => {
  const ids = new Set(fixtures.flatMap((fixture) => [fixture.id, `${fixture.id}@rivetkit`]));
  expect(Object.keys(KNOWN_FAILURES).filter((id) => !ids.has(id))).toEqual([]);
});
