import fc from "fast-check";
import { expect, test } from "vitest";
import { derived, joinAll, recorded, type RecordedSite } from "./value.js";

/** What an entry gives, as far as joins look at it. */
const site = (number: number): RecordedSite =>
  ({ key: `entry ${String(number).padStart(2, "0")}` }) as RecordedSite;

test("which of many sources a value remembers does not hang on the order of joins", () => {
  const given = Array.from({ length: 12 }, (_, number) => derived(recorded(site(number))));
  const expected = joinAll(given).from.map(({ key }) => key);
  expect(expected).toHaveLength(6);
  fc.assert(
    fc.property(
      fc.shuffledSubarray(given, { minLength: given.length }),
      fc.nat({ max: given.length }),
      (shuffled, cut) => {
        const parts = [shuffled.slice(0, cut), shuffled.slice(cut)].map((part) => joinAll(part));
        expect(joinAll(parts).from.map(({ key }) => key)).toEqual(expected);
      },
    ),
  );
});

test("a join that adds nothing to a full list gives the same value", () => {
  const first = joinAll(Array.from({ length: 6 }, (_, number) => derived(recorded(site(number)))));
  expect(joinAll([first, derived(recorded(site(9)))])).toBe(first);
});
