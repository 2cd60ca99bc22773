import type { Rule } from "eslint";
import type { RULES } from "stepproof";
import { ruleDocs, type Reported } from "stepproof";
import { findingsIn } from "./findings.js";

type Row = (typeof RULES)[number];

/** The ESLint rule of one row of the rule table. */
export function ruleOf(row: Row): Rule.RuleModule {
  return {
    meta: {
      type: row.severity === "error" ? "problem" : "suggestion",
      docs: { description: row.summary, url: ruleDocs(row.slug), recommended: !("strictOnly" in row) },
      schema: [],
      hasSuggestions: true,
      ...(row.fixable ? { fixable: "code" as const } : {}),
    },
    create: (context) => ({
      Program() {
        for (const one of findingsIn(context)) if (one.finding.rule === row.slug) show(context, one);
      },
    }),
  };
}

function show(context: Rule.RuleContext, { finding, diagnostic }: Reported): void {
  const { fix } = finding;
  // A fix that reaches into other files can't be given through ESLint, which edits one file at a time.
  const here = fix?.edits.every((edit) => edit.file === finding.place.file) ? fix : undefined;
  const apply = (fixer: Rule.RuleFixer): Rule.Fix[] =>
    (here?.edits ?? []).map((edit) => fixer.replaceTextRange([edit.span[0], edit.span[1]], edit.text));
  context.report({
    loc: {
      start: { line: diagnostic.line, column: diagnostic.column - 1 },
      end: { line: diagnostic.endLine, column: diagnostic.endColumn - 1 },
    },
    message: `${diagnostic.message}\n${wayTo(diagnostic)}${diagnostic.help}`,
    ...(here?.safe ? { fix: apply } : {}),
    suggest: here && !here.safe ? [{ desc: here.title, fix: apply }] : [],
  });
}

/** The chain in one line, when it leads through other places. */
function wayTo(diagnostic: Reported["diagnostic"]): string {
  if (diagnostic.chain.length < 3) return "";
  return `Way: ${diagnostic.chain.map((link) => `${link.label} (${link.file}:${link.line})`).join(" → ")}\n`;
}
