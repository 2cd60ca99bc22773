import type { Diagnostic } from "../../compiler/src/types.js";
import type { Expectation } from "./expectations.js";

/** What was found and what was not, in lines for people; empty when they agree. */
export function compare(
  expectations: readonly Expectation[],
  diagnostics: readonly Pick<Diagnostic, "file" | "line" | "rule" | "message">[],
): string[] {
  const met = new Set<Expectation>();
  const problems: string[] = [];
  for (const diagnostic of diagnostics) {
    const matches = expectations.filter(
      (one) =>
        one.file === diagnostic.file &&
        one.line === diagnostic.line &&
        one.rules.includes(diagnostic.rule) &&
        (one.message === null || diagnostic.message.includes(one.message)),
    );
    for (const match of matches) met.add(match);
    if (matches.length === 0) {
      problems.push(
        `not expected: ${diagnostic.file}:${diagnostic.line} ${diagnostic.rule}: ${diagnostic.message}`,
      );
    }
  }
  const metGroups = new Set([...met].map((one) => one.group));
  for (const one of expectations) {
    if (one.optional || met.has(one) || (one.group !== null && metGroups.has(one.group))) continue;
    const message = one.message === null ? "" : ` with "${one.message}"`;
    problems.push(`missing: ${one.file}:${one.line} ${one.rules.join(" or ")}${message}`);
  }
  return problems;
}
