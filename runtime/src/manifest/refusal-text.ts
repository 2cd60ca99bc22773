import { keyText } from "./names.js";
import { describe, quote } from "./phrases.js";
import type { RecordedItem } from "./recorded.js";
import type { Refusal, VisitedEntry } from "./replay-result.js";

/** What the engine throws, in one line. */
export function refusalText(refusal: Refusal, item: RecordedItem | undefined): string {
  const recorded = recordedText(item);
  switch (refusal.why) {
    case "new-step":
      return `HistoryDivergedError: ${described(refusal.at)} is new, but ${recorded}, which this instance has recorded, was not reached before it`;
    case "scope-end":
      return `HistoryDivergedError: ${recorded} is in the history, but the code ended without reaching it`;
    case "kind":
      return refusal.at.node.kind === "removed"
        ? `HistoryDivergedError: ${quote(keyText(refusal.at.key))} was declared removed as ${refusal.at.node.was}, but the history holds ${recorded}`
        : `HistoryDivergedError: ${described(refusal.at)} was called, but the history holds ${recorded}`;
    case "branches":
      return `HistoryDivergedError: the branches of ${described(refusal.at)} changed${branchText("added", refusal.added)}${branchText("removed", refusal.removed)}`;
  }
}

/** `sleep "grace"`. */
export function recordedText(item: RecordedItem | undefined): string {
  return item === undefined ? "nothing" : `${item.kind.replace("_", " ")} ${quote(keyText(item.key))}`;
}

function branchText(word: string, names: readonly string[]): string {
  return names.length === 0 ? "" : `, ${word}: ${names.map(quote).join(", ")}`;
}

function described({ node, key }: VisitedEntry): string {
  // A queue wait is called by its own name, not by that of an entry which it generates.
  return node.kind === "message" ? describe(node) : describe(node, keyText(key));
}
