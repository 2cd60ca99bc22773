/** Histories of one run of a scope, named by the index of their last item: `from` ≤ index < `to`; -1 is the empty one. */
export interface HistoryRange {
  readonly from: number;
  readonly to: number;
}

/** The histories that a replay has not been refused on so far: disjoint ranges in order. */
export class HistoryRanges {
  private ranges: readonly HistoryRange[];

  constructor(all: HistoryRange) {
    this.ranges = [all];
  }

  /** The shortest of them; `Infinity` when there are none. */
  get first(): number {
    return this.ranges[0]?.from ?? Infinity;
  }

  get isEmpty(): boolean {
    return this.ranges.length === 0;
  }

  /** Takes those of `from` ≤ index < `to` out and gives them. */
  take(from: number, to: number): readonly HistoryRange[] {
    const taken: HistoryRange[] = [];
    const left: HistoryRange[] = [];
    for (const range of this.ranges) {
      const start = Math.max(range.from, from);
      const end = Math.min(range.to, to);
      if (start >= end) {
        left.push(range);
        continue;
      }
      taken.push({ from: start, to: end });
      if (range.from < start) left.push({ from: range.from, to: start });
      if (end < range.to) left.push({ from: end, to: range.to });
    }
    this.ranges = left;
    return taken;
  }
}
