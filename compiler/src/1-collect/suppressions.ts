import { SyntaxKind, type Node } from "../host/syntax.js";
import type { SourceUnit } from "../host/source-unit.js";
import type { SuppressionFacts } from "../types.js";

const MARK = /(?<=(?:\/\/|\/\*)[ \t]*)stepproof-ignore-next-line\b([^\n\r]*)/g;

/**
 * Comments `stepproof-ignore-next-line rule, rule -- reason`. The line that is silenced is the next one that is
 * neither blank nor only a comment, so that several can stand above one another.
 */
export function readSuppressions(unit: SourceUnit, lineStarts: readonly number[]): SuppressionFacts[] {
  const found: SuppressionFacts[] = [];
  for (const match of unit.text.matchAll(MARK)) {
    if (isInLiteral(unit, match.index) || isQuoted(unit.text, match.index)) continue;
    const written = (match[1] ?? "").replace(/\*\/.*$/, "");
    const [rules = "", ...reason] = written.split(/\s--(?:\s|$)/);
    const end = match.index + match[0].length;
    found.push({
      span: [match.index, end],
      line: silencedLine(unit, lineStarts, end),
      rules: rules.split(/[\s,]+/).filter((rule) => rule !== ""),
      reason: reason.join(" -- ").trim() || null,
    });
  }
  return found;
}

function silencedLine(unit: SourceUnit, lineStarts: readonly number[], after: number): number {
  let line = lineAt(lineStarts, after) + 1;
  while (
    line < lineStarts.length &&
    /^\s*(?:\/\/.*|\{?\/\*.*\*\/\}?\s*)?$/.test(lineText(unit, lineStarts, line))
  )
    line++;
  return line + 1;
}

function lineText(unit: SourceUnit, lineStarts: readonly number[], line: number): string {
  return unit.text.slice(lineStarts[line], lineStarts[line + 1]).replace(/[\r\n]+$/, "");
}

/** 0-based line of an offset. */
function lineAt(lineStarts: readonly number[], offset: number): number {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** True when another comment only tells of the mark. */
function isQuoted(text: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf("\n", offset) + 1, offset);
  const before = line.replace(/(?:\/\/|\/\*)[ \t]*$/, "");
  return /\/\/|^\s*\*/.test(before);
}

/** True when the offset lies in a string or template rather than in a comment. */
function isInLiteral(unit: SourceUnit, offset: number): boolean {
  const at = (node: Node): boolean => {
    if (offset < node.pos || offset >= node.end) return false;
    if (LITERALS.has(node.kind)) return offset >= node.getStart(unit.tree, false);
    return node.forEachChild((child) => at(child) || undefined) ?? false;
  };
  return at(unit.tree);
}

const LITERALS: ReadonlySet<number> = new Set([
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateHead,
  SyntaxKind.TemplateMiddle,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
]);
