import type { Fix } from "../types.js";
import { applyEdits } from "./apply-edits.js";

/** Where the texts lie: files on disk, or the open documents of an editor. Paths are absolute. */
export interface FixFiles {
  readonly read: (file: string) => string;
  readonly write: (file: string, text: string) => void;
}

/**
 * Applies fixes, as many as do not get in each other's way; the rest is for the next round, on the new text.
 * @param fixes whose spans all speak of the texts as they are now.
 * @returns how many were applied.
 */
export function fixFiles(fixes: readonly Fix[], files: FixFiles): number {
  const paths = [...new Set(fixes.flatMap((fix) => fix.edits.map((edit) => edit.file)))].sort();
  // A fix over several files is applied in all of them or in none.
  const open = new Set(fixes.filter((fix) => fix.edits.length > 0));
  for (let last = -1; last !== open.size;) {
    last = open.size;
    for (const path of paths) {
      const { groups, applied } = tryFile(path, [...open], files);
      groups.forEach((fix, index) => {
        if (!applied[index]) open.delete(fix);
      });
    }
  }
  for (const path of paths) {
    const { text, changed } = tryFile(path, [...open], files);
    if (changed) files.write(path, text);
  }
  return open.size;
}

function tryFile(path: string, fixes: readonly Fix[], files: FixFiles) {
  const groups = fixes.filter((fix) => fix.edits.some((edit) => edit.file === path));
  const before = files.read(path);
  const result = applyEdits(
    before,
    groups.map((fix) => fix.edits.filter((edit) => edit.file === path)),
  );
  return { ...result, groups, changed: result.text !== before };
}
