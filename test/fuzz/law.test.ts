import fc from "fast-check";
import { expect, test } from "vitest";
import { hold, type Law } from "./law.js";

/** A law that says that no number is above 40. */
const FALSE_LAW: Law<number> = {
  name: "numbers-are-small",
  cases: fc.nat(1000),
  runs: 50,
  show: (one) => `the number ${one}`,
  demands: { numbers: 1 },
  holds: (one, tally) => {
    tally.count("numbers");
    if (one > 40) throw new Error(`${one} is above 40`);
  },
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
