import { expect, test } from "vitest";
import { nextCronRun, nextIntervalRun } from "./next-run.js";

const at = (text: string): number => Date.parse(text);

test("five fields in a time zone", () => {
  expect(nextCronRun("0 9 * * 1-5", "Europe/Berlin", at("2026-11-30T07:59:59Z"))).toBe(
    at("2026-11-30T08:00:00Z"),
  );
  expect(nextCronRun("0 9 * * 1-5", "Europe/Berlin", at("2026-11-30T08:00:00Z"))).toBe(
    at("2026-12-01T08:00:00Z"),
  );
});

test("a day with a summer-time change is due once", () => {
  const first = nextCronRun("30 2 * * *", "Europe/Berlin", at("2026-10-24T12:00:00Z"));
  const second = nextCronRun("30 2 * * *", "Europe/Berlin", first);
  expect(second - first).toBe(25 * 3_600_000);
});

test.each([
  ["* * * *", "UTC", "has 4 fields"],
  ["* * * * * *", "UTC", "has 6 fields"],
  ["61 * * * *", "UTC", "can't be read"],
  ["* * * * *", "Mars/Olympus", "can't be read"],
  ["0 0 30 2 *", "UTC", "never comes due"],
])("%s in %s is refused: %s", (expression, timezone, reason) => {
  expect(() => nextCronRun(expression, timezone, at("2026-01-01T00:00:00Z"))).toThrow(reason);
});

test("an interval keeps its cadence whatever the delay", () => {
  expect(nextIntervalRun(1_000, 500, 0)).toBe(1_000);
  expect(nextIntervalRun(1_000, 500, 1_000)).toBe(1_500);
  expect(nextIntervalRun(1_000, 500, 1_499)).toBe(1_500);
  expect(nextIntervalRun(1_000, 500, 7_777)).toBe(8_000);
});
