import fc from "fast-check";
import { expect, test } from "vitest";
import { each, hold, type Law } from "./law.js";

/** A law that says that no number is above 40. */
const FALSE_LAW: Law<number> = {
  name: "numbers-are-small",
  cases: fc.nat(1000),
  runs: 50,
  show: (one) => `the number ${one}`,
  demands: { numbers: 1 },
  together: 7,
  holds: each((one, tally) => {
    tally.count("numbers");
    if (one > 40) throw new Error(`${one} is above 40`);
  }),
};

test("a law that is broken tells seed, path, the smallest case and the command that runs it again", async () => {
  const error = await hold(FALSE_LAW).catch((thrown: unknown) => thrown as Error);
  expect(error).toBeInstanceOf(Error);
  expect(String(error)).toContain("the number 41");
  expect(String(error)).toContain("41 is above 40");
  expect(String(error)).toMatch(
    /Run it again: npm run fuzz -- --law numbers-are-small --seed \d+ --path [\d:]+$/,
  );
});

test("a law that meets too little of what it is about is no law", async () => {
  const lazy: Law<number> = { ...FALSE_LAW, holds: () => undefined };
  await expect(hold(lazy)).rejects.toThrow(
    '"numbers" was met 0 times, 1 are wanted: the law tests too little',
  );
});

test("a law that only some cases together break says which", async () => {
  const sum: Law<number> = {
    ...FALSE_LAW,
    holds: (cases) => {
      if (cases.length > 1) throw new Error("they are too many");
    },
  };
  await expect(hold(sum)).rejects.toThrow(
    /is broken by cases 0 to 6 of seed 1, but by none of them alone\.\n\nthey are too many/,
  );
});

test("a case that never comes to an end is told as it is, and is not made smaller", async () => {
  const endless: Law<number> = { ...FALSE_LAW, longest: 50, holds: () => new Promise(() => undefined) };
  await expect(hold(endless)).rejects.toThrow(
    /path 0, after 0 shrinks\)\.\n\nthe number \d+\n\nIt is not over after 0\.05 seconds\./,
  );
});
