import { isPackageFile } from "../2-solve/program.js";
import type { Diagnostic, FileFacts, Finding, Severity } from "../types.js";
import { positionAt } from "./position.js";
import { relativeTo } from "./relative.js";
import { findRule, ruleDocs } from "./rules.js";
import { applySuppressions } from "./suppress.js";

/** What decides how findings are shown. */
export interface ReportOptions {
  /** Working directory, absolute with `/`: paths are shown relative to it. */
  readonly cwd: string;
  /** Severities by rule from the config; they win over the table. */
  readonly severities: Readonly<Record<string, Severity | "off">>;
  /** Also report the rules that the table marks `strictOnly`. */
  readonly strict: boolean;
}

/** A diagnostic with the finding it was made of (absolute places, fix). */
export interface Reported {
  readonly diagnostic: Diagnostic;
  readonly finding: Finding;
}

/**
 * Findings → diagnostics, the only place where they are silenced, merged and sorted.
 *
 * 1. Rules that are off (config, or `strictOnly` without `strict`) are dropped.
 * 2. Ignore comments are applied.
 * 3. One finding per place and rule is kept: the one with the shortest chain; the others are counted in it.
 * 4. Sorted by file, line, column, code: the order does not depend on the order of the input.
 *
 * @param findings from the rules, in any order.
 * @param files facts of every file that a finding or chain points into; their syntax errors are reported too.
 * @throws Error when a finding names a rule or a file that is not there: a fault of the tool.
 */
export function report(
  findings: readonly Finding[],
  files: readonly FileFacts[],
  options: ReportOptions,
): Reported[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const runs = (rule: string): boolean => severityOf(rule, undefined, options) !== "off";
  const all = [...findings, ...files.flatMap(syntaxFindings)].filter((finding) => runs(finding.rule));
  return mergeWays(applySuppressions(all, byPath, runs).filter((finding) => runs(finding.rule)))
    .map((finding) => ({ finding, diagnostic: toDiagnostic(finding, byPath, options) }))
    .sort((a, b) => compareDiagnostics(a.diagnostic, b.diagnostic));
}

/** The severity that counts: the config's, else the finding's own, else the table's. */
function severityOf(rule: string, own: Severity | undefined, options: ReportOptions): Severity | "off" {
  const row = findRule(rule);
  if (!row) throw new Error(`A finding names the rule "${rule}", which is not in the rule table.`);
  const configured = options.severities[rule];
  if (configured !== undefined) return configured;
  if (row.strictOnly && !options.strict) return "off";
  return own ?? row.severity;
}

function syntaxFindings(file: FileFacts): Finding[] {
  const [first, ...more] = file.syntaxErrors;
  if (!first || isPackageFile(file.path)) return [];
  const rest = more.length === 0 ? "" : ` (and ${more.length} more in this file)`;
  return [
    {
      rule: "parsable-source",
      message: `${first.message.replace(/\.$/, "")}${rest}`,
      place: { file: file.path, span: first.span },
      chain: [],
      help: "Mend the syntax; what can't be parsed can't be checked.",
    },
  ];
}

/** One finding per rule and place: the shortest chain stays, `otherWays` counts the rest. */
function mergeWays(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    // Comments may have several faults at one place; each has its own remedy.
    const own = finding.rule === "suppressions" ? finding.message : "";
    const key = `${finding.rule}\n${finding.place.file}\n${finding.place.span[0]}\n${own}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].map((group) => {
    const [best, ...others] = [...new Map(group.map((one) => [wayOf(one), one])).values()].sort(compareWays);
    if (!best) throw new Error("A group of findings is empty.");
    const otherWays = others.reduce((sum, one) => sum + 1 + (one.otherWays ?? 0), best.otherWays ?? 0);
    return otherWays === 0 ? best : { ...best, otherWays };
  });
}

function wayOf(finding: Finding): string {
  return [
    finding.message,
    ...finding.chain.map((link) => `${link.place.file}:${link.place.span[0]} ${link.label}`),
  ].join("\n");
}

function compareWays(a: Finding, b: Finding): number {
  return a.chain.length - b.chain.length || compareText(wayOf(a), wayOf(b));
}

function toDiagnostic(
  finding: Finding,
  files: ReadonlyMap<string, FileFacts>,
  options: ReportOptions,
): Diagnostic {
  const row = findRule(finding.rule);
  const severity = severityOf(finding.rule, finding.severity, options);
  if (!row || severity === "off") throw new Error(`The rule "${finding.rule}" is off, yet it is reported.`);
  const at = (file: string, offset: number): { line: number; column: number } => {
    const facts = files.get(file);
    if (!facts) throw new Error(`A finding of ${finding.rule} points into ${file}, which was not read.`);
    return positionAt(facts.lineStarts, offset);
  };
  const { file, span } = finding.place;
  const start = at(file, span[0]);
  const end = at(file, span[1]);
  const ways = finding.otherWays ?? 0;
  return {
    rule: row.slug,
    code: row.code,
    severity,
    message:
      ways === 0 ? finding.message : `${finding.message} (and ${ways} more ${ways === 1 ? "way" : "ways"})`,
    file: relativeTo(options.cwd, file),
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    chain: finding.chain.map((link) => ({
      file: relativeTo(options.cwd, link.place.file),
      ...at(link.place.file, link.place.span[0]),
      label: link.label,
    })),
    help: finding.help,
    docs: ruleDocs(row.slug),
    fixable: finding.fix?.safe === true,
  };
}

/** The order in which diagnostics are shown everywhere: file, line, column, code, message. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    a.code - b.code ||
    compareText(a.message, b.message)
  );
}

/** By code units, so that the order is the same under every locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
