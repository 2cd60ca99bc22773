/** A point in a file as people count: line and column from 1, column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Turns an offset into line and column.
 * @param lineStarts offsets at which the lines start, ascending, the first is 0 (`FileFacts.lineStarts`).
 * @param offset UTF-16 offset into the same text; one behind the end is allowed.
 */
export function positionAt(lineStarts: readonly number[], offset: number): Position {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 };
}
