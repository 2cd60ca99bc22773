import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { hash64 } from "../../runtime/src/manifest/index.js";
import { Tally } from "./tally.js";

/*
 * How laws are run: a short fixed run by default (the same programs every time), a long one with
 * `npm run fuzz -- --budget 10m --seed N`, one case again with `--seed N --path P`.
 */

const FOUND = fileURLToPath(new URL("./found", import.meta.url));
const { env } = process;
const BUDGET_MS =
  env["STEPPROOF_FUZZ_BUDGET_MS"] === undefined ? null : Number(env["STEPPROOF_FUZZ_BUDGET_MS"]);
const SEED = Number(env["STEPPROOF_FUZZ_SEED"] ?? 1);
const PATH = env["STEPPROOF_FUZZ_PATH"];
/** File that says which cases are under way, for the process that watches over this one. */
const PROGRESS = env["STEPPROOF_FUZZ_PROGRESS"];

export interface Law<T> {
  /** File name of the law's test, without `.test.ts`. */
  readonly name: string;
  readonly cases: fc.Arbitrary<T>;
  /** Cases of the default run. */
  readonly runs: number;
  /** Cases that are looked at together, because many cost little more than one; 1 when absent. */
  readonly together?: number;
  /** Throws when the law is broken by one of the cases. */
  readonly holds: (cases: readonly T[], tally: Tally) => Promise<void> | void;
  /** The case for people: program, schedule … */
  readonly show: (one: T) => string;
  /** What must have been counted at least so often in a whole run: a law that looks at nothing is no law. */
  readonly demands: Readonly<Record<string, number>>;
  /** Ms that cases may take together before they count as endless; `LONGEST_CASE` when absent. */
  readonly longest?: number;
}

/** Cases that take longer will not come to an end, ms. */
const LONGEST_CASE = 20_000;

/** A case is made smaller for so long at most, ms. */
const LONGEST_SHRINK = 45_000;

/** For a law that looks at its cases one by one. */
export function each<T>(holds: (one: T, tally: Tally) => Promise<void> | void): Law<T>["holds"] {
  return async (cases, tally) => {
    for (const one of cases) await holds(one, tally);
  };
}

/**
 * Runs a law: first what it broke on before, then new cases, for as long as the budget says (or, without one, a fixed
 * number).
 * @throws with the seed, the path, the shrunk case, and the command that runs it again.
 */
export async function hold<T>(law: Law<T>): Promise<Tally> {
  const tally = new Tally();
  if (PATH !== undefined) {
    await again(law, tally, PATH);
    return tally;
  }
  for (const { file, value } of kept<T>(law.name)) {
    const error = await failureOf(law, [value], tally);
    if (error === null) continue;
    throw new Error(
      [
        `${law.name} is broken again by the kept case ${file}.`,
        law.show(value),
        messageOf(error),
        `Run it again: npm run fuzz -- --law ${law.name} --budget 1s (every run begins with the kept cases)`,
      ].join("\n\n"),
      { cause: error },
    );
  }
  const end = BUDGET_MS === null ? 0 : Date.now() + BUDGET_MS;
  let isWhole = true;
  for (let seed = SEED; seed === SEED || Date.now() < end; seed++)
    isWhole = (await batch(law, tally, seed, BUDGET_MS === null ? Infinity : end)) || seed > SEED;
  console.log(
    `${law.name}, seed ${SEED}${BUDGET_MS === null ? "" : ` and on, ${BUDGET_MS} ms`}: ${String(tally)}`,
  );
  if (isWhole) tally.meets(law.name, BUDGET_MS === null ? law.demands : atLeastOnce(law.demands));
  return tally;
}

/** Seeds differ in how often they meet what a law speaks of; but all of it they meet. */
function atLeastOnce(demands: Law<unknown>["demands"]): Law<unknown>["demands"] {
  return Object.fromEntries(Object.keys(demands).map((what) => [what, 1]));
}

/** One case again, or all that was made smaller on the way to it: as its path says. */
async function again<T>(law: Law<T>, tally: Tally, path: string): Promise<void> {
  const [value] = fc.sample(law.cases, { seed: SEED, path, numRuns: 1 });
  if (value === undefined) throw new Error(`Seed ${SEED} has no case at ${path}.`);
  console.log(law.show(value));
  const error = await failureOf(law, [value], tally);
  if (error !== null) throw brokenBy(law, { seed: SEED, path, value, error });
}

/**
 * The cases of one seed.
 * @returns false when time was up before all had been looked at.
 */
async function batch<T>(law: Law<T>, tally: Tally, seed: number, end: number): Promise<boolean> {
  const cases = fc.sample(law.cases, { seed, numRuns: law.runs });
  const together = law.together ?? 1;
  for (let from = 0; from < cases.length; from += together) {
    if (Date.now() >= end) return false;
    const some = cases.slice(from, from + together);
    if (PROGRESS !== undefined) writeFileSync(PROGRESS, JSON.stringify({ seed, from, count: some.length }));
    const error = await failureOf(law, some, tally);
    if (error === null) continue;
    for (const [index, one] of some.entries()) {
      const own = some.length === 1 ? error : await failureOf(law, [one], new Tally());
      if (own !== null) throw brokenBy(law, await smallest(law, seed, from + index, one, own));
    }
    throw new Error(
      `${law.name} is broken by cases ${from} to ${from + some.length - 1} of seed ${seed}, but by none of them alone.\n\n${messageOf(error)}`,
    );
  }
  return true;
}

interface Broken<T> {
  readonly seed: number;
  readonly path: string;
  readonly value: T;
  readonly error: unknown;
  readonly shrinks?: number;
}

/** Makes the case of that number as small as it gets in `LONGEST_SHRINK`. */
async function smallest<T>(
  law: Law<T>,
  seed: number,
  index: number,
  value: T,
  error: unknown,
): Promise<Broken<T>> {
  const first = { seed, path: String(index), value, error };
  if (error instanceof EndlessCase) return first; // smaller cases of an endless one would take as long
  const until = Date.now() + LONGEST_SHRINK;
  const property = fc.asyncProperty(law.cases, async (one) => {
    if (Date.now() > until) return; // what is smallest so far will do
    const failure = await failureOf(law, [one], new Tally());
    if (failure !== null && !(failure instanceof EndlessCase)) throw failure;
  });
  const details = await fc.check(property, { seed, path: String(index), numRuns: index + 1 });
  const [small] = details.counterexample ?? [];
  if (!details.failed || small === undefined) return first;
  return {
    seed,
    path: details.counterexamplePath ?? first.path,
    value: small,
    error: details.errorInstance,
    shrinks: details.numShrinks,
  };
}

function brokenBy<T>(law: Law<T>, { seed, path, value, error, shrinks = 0 }: Broken<T>): Error {
  return new Error(
    [
      `${law.name} is broken (seed ${seed}, path ${path}, after ${shrinks} shrinks).`,
      law.show(value),
      messageOf(error),
      `Run it again: npm run fuzz -- --law ${law.name} --seed ${seed} --path ${path}${keep(law.name, seed, path, value)}`,
    ].join("\n\n"),
  );
}

class EndlessCase extends Error {
  constructor(ms: number) {
    super(`It is not over after ${ms / 1000} seconds.`);
  }
}

/** What the law says against the cases; `null` when it holds. */
async function failureOf<T>(law: Law<T>, cases: readonly T[], tally: Tally): Promise<unknown> {
  const longest = law.longest ?? LONGEST_CASE;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new EndlessCase(longest));
    }, longest);
  });
  try {
    await Promise.race([law.holds(cases, tally), late]);
    return null;
  } catch (error) {
    return error;
  } finally {
    clearTimeout(timer);
  }
}

/** In a run by `npm run fuzz` the case is kept as a fixture. */
function keep(law: string, seed: number, path: string, value: unknown): string {
  if (env["STEPPROOF_FUZZ_KEEP"] === undefined || PATH !== undefined) return "";
  const folder = join(FOUND, law);
  mkdirSync(folder, { recursive: true });
  const file = `${seed}-${hash64(path)}.json`;
  writeFileSync(join(folder, file), `${JSON.stringify(value, null, 1)}\n`);
  return `\nKept as test/fuzz/found/${law}/${file}; every run of the law begins with it.`;
}

function kept<T>(law: string): { file: string; value: T }[] {
  const folder = join(FOUND, law);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((file) => ({ file, value: JSON.parse(readFileSync(join(folder, file), "utf8")) as T }));
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 6000);
