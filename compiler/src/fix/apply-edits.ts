import type { Span } from "../types.js";

/** Replaces the text of a span (offsets in UTF-16 units, end exclusive); an empty span inserts. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}

/**
 * Applies groups of edits to one text. The edits of a group belong together: a group that overlaps one
 * applied before it (or is out of range) is left out as a whole, to be tried again on the new text.
 *
 * @returns the new text, and for each group whether it was applied.
 */
export function applyEdits(
  text: string,
  groups: readonly (readonly TextEdit[])[],
): { text: string; applied: readonly boolean[] } {
  const taken: TextEdit[] = [];
  const applied = groups.map((group) => {
    const fits = group.every(
      (edit, index) =>
        edit.span[0] >= 0 &&
        edit.span[0] <= edit.span[1] &&
        edit.span[1] <= text.length &&
        ![...taken, ...group.slice(0, index)].some((other) => overlap(edit, other)),
    );
    if (fits) taken.push(...group);
    return fits;
  });
  const ordered = taken
    .map((edit, index) => ({ edit, index }))
    .sort((a, b) => b.edit.span[0] - a.edit.span[0] || b.index - a.index);
  const result = ordered.reduce(
    (now, { edit }) => now.slice(0, edit.span[0]) + edit.text + now.slice(edit.span[1]),
    text,
  );
  return { text: result, applied };
}

/** Two insertions at one place overlap too: which comes first would be a matter of luck. */
function overlap(a: TextEdit, b: TextEdit): boolean {
  if (a.span[0] === b.span[0]) return true;
  return a.span[0] < b.span[1] && b.span[0] < a.span[1];
}
