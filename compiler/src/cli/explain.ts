import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { closest } from "fastest-levenshtein";
import { RULES } from "../3-report/rules.js";
import type { RuleRow } from "../types.js";
import { EXIT, UsageError, type ExitCode } from "./exit.js";
import { packageFolder } from "../package.js";
import { printResult } from "./terminal.js";

/**
 * `stepproof explain [RULE]`: the rule's page, or the list of all rules.
 * @param rule slug (`no-console`) or code (`TS90006`, `90006`).
 * @throws {UsageError} when there is no such rule.
 */
export async function explainCommand(rule: string | undefined): Promise<ExitCode> {
  await printResult(rule === undefined ? listRules() : pageOf(find(rule)));
  return EXIT.clean;
}

function find(written: string): RuleRow {
  const code = Number(/^(?:TS)?(\d+)$/i.exec(written)?.[1]);
  const row = RULES.find((one) => one.slug === written || one.code === code);
  if (row) return row;
  const near = closest(
    written,
    RULES.map((one) => one.slug),
  );
  throw new UsageError(
    `There is no rule "${written}"; did you mean "${near}"? stepproof explain lists them all.`,
  );
}

function listRules(): string {
  const groups = [...new Set(RULES.map((row) => row.group))];
  const widest = Math.max(...RULES.map((row) => row.slug.length));
  return groups
    .map((group) => {
      const rows = RULES.filter((row) => row.group === group);
      const lines = rows.map(
        (row) => `  ${row.slug.padEnd(widest)}  TS${row.code}  ${row.severity.padEnd(7)}  ${row.summary}`,
      );
      return `${group}\n${lines.join("\n")}\n`;
    })
    .join("\n");
}

/** The page in the package; before a build it lies in the repository's docs. */
function pageOf(row: RuleRow): string {
  const pages = [join(packageFolder(), "docs/rules"), join(packageFolder(), "../docs/rules")];
  const path = pages.map((folder) => join(folder, `${row.slug}.md`)).find(existsSync);
  if (path !== undefined) return readFileSync(path, "utf8");
  return `# ${row.slug} (TS${row.code}, ${row.severity})\n\n${row.summary}\n\n${row.why}\n`;
}
