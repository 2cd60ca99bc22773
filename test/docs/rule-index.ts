import { RULES } from "../../compiler/src/3-report/rules.js";

/**
 * The list of rules in docs/README.md. After a change of the table: put what
 * `npx tsx -e 'import("./test/docs/rule-index.ts").then((it) => console.log(it.ruleIndex()))'` prints there.
 */
export function ruleIndex(): string {
  const groups = [...new Set(RULES.map((row) => row.group))];
  return groups
    .map((group) => {
      const rows = RULES.filter((row) => row.group === group).map(
        (row) => `| [\`${row.slug}\`](rules/${row.slug}.md) | TS${row.code} | ${row.severity} | ${row.summary.replaceAll("|", "\\|")} |`,
      );
      const title = group.charAt(0).toUpperCase() + group.slice(1);
      return [`### ${title}`, "", "| rule | code | | |", "|---|---|---|---|", ...rows].join("\n");
    })
    .join("\n\n");
}
