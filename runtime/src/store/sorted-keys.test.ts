import fc from "fast-check";
import { expect, test } from "vitest";
import { compareByCodePoint, SortedKeys } from "./sorted-keys.js";

test("sorted keys hold what was added and not deleted, in the order of the UTF-8 bytes", () => {
  const key = fc.string({ unit: fc.constantFrom("a", "b", "/", "~", "\u{1F600}", "\uFFFD"), maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(key, { maxLength: 50 }),
      fc.array(key, { maxLength: 2000 }),
      key,
      key,
      (first, changes, a, b) => {
        const expected = new Set(first);
        const sorted = new SortedKeys(expected);
        for (const change of changes) {
          if (expected.delete(change)) sorted.delete(change);
          else {
            expected.add(change);
            sorted.add(change);
          }
        }
        const inOrder = [...expected].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
        expect([...sorted.range("", "\u{10FFFF}")]).toEqual(inOrder);
        const [from, to] = compareByCodePoint(a, b) < 0 ? [a, b] : [b, a];
        expect([...sorted.range(from, to)]).toEqual(
          inOrder.filter((item) => compareByCodePoint(item, from) >= 0 && compareByCodePoint(item, to) < 0),
        );
        const inside = [...sorted.range(from, to)];
        expect(sorted.deleteRange(from, to)).toEqual(inside);
        expect([...sorted.range("", "\u{10FFFF}")]).toEqual(inOrder.filter((item) => !inside.includes(item)));
      },
    ),
    { numRuns: 30 },
  );
});

test("sorted keys stay in order through many chunks", () => {
  const sorted = new SortedKeys([]);
  const keys = Array.from({ length: 5000 }, (_, i) => String((i * 7919) % 5000).padStart(4, "0"));
  for (const key of keys) sorted.add(key);
  for (const key of keys.slice(0, 2500)) sorted.delete(key);
  const rest = keys.slice(2500).sort();
  expect([...sorted.range("", "~")]).toEqual(rest);
  expect(sorted.deleteRange("1000", "4000")).toEqual(rest.filter((key) => key >= "1000" && key < "4000"));
  expect([...sorted.range("", "~")]).toEqual(rest.filter((key) => key < "1000" || key >= "4000"));
  expect(sorted.deleteRange("0", "0")).toEqual([]);
});
