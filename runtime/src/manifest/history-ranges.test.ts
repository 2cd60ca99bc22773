import { describe, expect, it } from "vitest";
import { HistoryRanges } from "./history-ranges.js";

describe("HistoryRanges", () => {
  it("what is taken out is gone, and the rest stays in order", () => {
    const ranges = new HistoryRanges({ from: -1, to: 10 });
    expect(ranges.take(2, 5)).toEqual([{ from: 2, to: 5 }]);
    expect(ranges.first).toBe(-1);
    expect(ranges.take(-1, 3)).toEqual([{ from: -1, to: 2 }]);
    expect(ranges.first).toBe(5);
    expect(ranges.take(0, Infinity)).toEqual([{ from: 5, to: 10 }]);
    expect(ranges.isEmpty).toBe(true);
    expect(ranges.first).toBe(Infinity);
  });

  it("one piece is taken out of each range that has some", () => {
    const ranges = new HistoryRanges({ from: 0, to: 9 });
    ranges.take(3, 4);
    expect(ranges.take(2, 6)).toEqual([
      { from: 2, to: 3 },
      { from: 4, to: 6 },
    ]);
    expect(ranges.take(0, 9)).toEqual([
      { from: 0, to: 2 },
      { from: 6, to: 9 },
    ]);
  });

  it("nothing is taken where nothing is", () => {
    const ranges = new HistoryRanges({ from: 0, to: 3 });
    expect(ranges.take(3, 8)).toEqual([]);
    expect(ranges.take(2, 2)).toEqual([]);
    expect(ranges.first).toBe(0);
  });
});
