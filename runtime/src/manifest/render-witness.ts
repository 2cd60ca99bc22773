import type { Witness } from "./diff-types.js";
import type { History, HistoryEntry, HistoryScope } from "./history.js";
import { pathText, quote } from "./phrases.js";

/** Entries of one scope that are shown; the rest is counted. */
const MOST_LINES = 40;

/**
 * A witness as lines of text, without colours: the history as a tree, the call that fails, the error.
 *
 * ```
 * history
 * ├─ step "a"           completed
 * └─ sleep "s"          in progress
 * then the new code calls step "b":
 *   HistoryDivergedError: …
 * ```
 */
export function renderWitness(witness: Witness): string[] {
  const lines = ["history", ...renderHistory(witness.history)];
  if (witness.history.entries.length === 0) lines.push("└─ (any)");
  if (witness.assumptions.length > 0) lines.push("when", ...witness.assumptions.map((text) => `  ${text}`));
  if (witness.call === null) lines.push("then the new code:");
  else if (witness.call.what === "end") {
    const where = witness.call.path.length === 0 ? "the workflow" : pathText(witness.call.path);
    lines.push(`then ${where} ends:`);
  } else lines.push(`then the new code calls ${witness.call.what} ${pathText(witness.call.path)}:`);
  lines.push(`  ${witness.error}`);
  if (witness.because !== null) lines.push(`  (${witness.because})`);
  return lines;
}

/** A history as a tree, one line per entry. */
export function renderHistory(history: History): string[] {
  return tree(history.entries, "");
}

function tree(entries: readonly HistoryEntry[], indent: string): string[] {
  const shown = entries.slice(-MOST_LINES);
  const lines = shown.length < entries.length ? [`${indent}├─ … ${entries.length - shown.length} more`] : [];
  shown.forEach((entry, index) => {
    const last = index === shown.length - 1;
    lines.push(`${indent}${last ? "└─" : "├─"} ${entryText(entry)}`);
    lines.push(...scopes(entry, indent + (last ? "   " : "│  ")));
  });
  return lines;
}

function scopes(entry: HistoryEntry, indent: string): string[] {
  return (entry.scopes ?? []).flatMap((scope, index, all) => {
    if (scope.name === "") return tree(scope.entries, indent);
    const last = index === all.length - 1;
    return [
      `${indent}${last ? "└─" : "├─"} ${scopeText(entry, scope)}`,
      ...tree(scope.entries, indent + (last ? "   " : "│  ")),
    ];
  });
}

function scopeText(entry: HistoryEntry, scope: HistoryScope): string {
  return entry.kind === "loop" ? `iteration ${scope.name}` : `branch ${quote(scope.name)}`;
}

function entryText(entry: HistoryEntry): string {
  const version = entry.version === undefined ? "" : ` = ${entry.version}`;
  const state = entry.kind === "try" ? "no record of its own" : entry.state;
  return `${entry.kind} ${quote(entry.name)}${version}  ${state}`;
}
