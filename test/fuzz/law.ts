import { mkdirSync, readdirSync, readFileSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { hash64 } from "../../runtime/src/manifest/index.js";

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

/** What a law has looked at: programs, schedules, verdicts, inconclusive cases … by what was counted. */
export class Tally {
  private readonly counts = new Map<string, number>();

  count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  of(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  /** `programs 60, schedules 120 …`; the features apart. */
  toString(): string {
    const all = [...this.counts].sort(([a], [b]) => (a < b ? -1 : 1));
    const line = (some: typeof all): string => some.map(([what, count]) => `${what} ${count}`).join(", ");
    const features = all.filter(([what]) => what.startsWith("· "));
    return `${line(all.filter(([what]) => !what.startsWith("· ")))}${features.length === 0 ? "" : `\n  seen: ${line(features).replaceAll("· ", "")}`}`;
  }
}

export interface Law<T> {
  /** File name of the law's test, without `.test.ts`. */
  readonly name: string;
  readonly cases: fc.Arbitrary<T>;
  /** Cases of the default run. */
  readonly runs: number;
  /** Throws when the law is broken by the case. */
  readonly holds: (one: T, tally: Tally) => Promise<void> | void;
  /** The case for people: program, schedule … */
  readonly show: (one: T) => string;
  /** What must have been counted at least so often in a whole run: a law that looks at nothing is no law. */
  readonly demands: Readonly<Record<string, number>>;
}

/**
 * Runs a law: first what it broke on before, then new cases.
 * @throws with the seed, the path, the shrunk case, and the command that runs it again.
 */
export async function hold<T>(law: Law<T>): Promise<Tally> {
  const tally = new Tally();
  for (const { file, value } of found<T>(law.name)) {
    try {
      await law.holds(value, tally);
    } catch (error) {
      throw new Error(
        `${law.name} is broken again by the kept case ${file}\n\n${law.show(value)}\n\n${messageOf(error)}`,
        { cause: error },
      );
    }
  }
  const end = BUDGET_MS === null ? 0 : Date.now() + BUDGET_MS;
  for (let seed = SEED; ; seed++) {
    await batch(law, tally, seed);
    if (Date.now() >= end) break;
  }
  if (PATH !== undefined) return tally;
  console.log(
    `${law.name}, seed ${SEED}${BUDGET_MS === null ? "" : ` and on, ${BUDGET_MS} ms`}: ${String(tally)}`,
  );
  for (const [what, least] of Object.entries(law.demands)) {
    if (tally.of(what) < least)
      throw new Error(
        `${law.name}: "${what}" was met ${tally.of(what)} times, ${least} are wanted: the law tests too little.\n${String(tally)}`,
      );
  }
  return tally;
}

async function batch<T>(law: Law<T>, tally: Tally, seed: number): Promise<void> {
  let isShrinking = false;
  let shrinkUntil = Infinity;
  const property = fc.asyncProperty(law.cases, async (one) => {
    if (Date.now() > shrinkUntil) return; // what is smallest so far will do
    try {
      await inTime(law.holds(one, isShrinking ? new Tally() : tally));
    } catch (error) {
      // Smaller cases of an endless one would take as long.
      if (!isShrinking) shrinkUntil = error instanceof EndlessCase ? 0 : Date.now() + LONGEST_SHRINK;
      isShrinking = true;
      throw error;
    }
  });
  const details = await fc.check(property, {
    seed,
    numRuns: law.runs,
    ...(PATH === undefined ? {} : { path: PATH, endOnFailure: true }),
  });
  if (!details.failed) return;
  const [value] = details.counterexample ?? [];
  const path = details.counterexamplePath ?? "";
  const kept = value === undefined ? "" : keep(law.name, seed, path, value);
  throw new Error(
    [
      `${law.name} is broken (seed ${seed}, path ${path}, after ${details.numRuns} cases and ${details.numShrinks} shrinks).`,
      value === undefined ? "" : law.show(value),
      messageOf(details.errorInstance),
      `Run it again: npm run fuzz -- --law ${law.name} --seed ${seed} --path ${path}${kept}`,
    ].join("\n\n"),
  );
}

/** A case that takes longer will not come to an end, ms. */
const LONGEST_CASE = 30_000;

/** A case is made smaller for so long at most, ms. */
const LONGEST_SHRINK = 60_000;

class EndlessCase extends Error {
  constructor() {
    super(`The case is not over after ${LONGEST_CASE / 1000} seconds.`);
  }
}

/** @throws EndlessCase */
async function inTime(running: Promise<void> | void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new EndlessCase());
    }, LONGEST_CASE);
  });
  try {
    await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** In a run by `npm run fuzz` the case is kept as a fixture. */
function keep(law: string, seed: number, path: string, value: unknown): string {
  if (env["STEPPROOF_FUZZ_KEEP"] === undefined || PATH !== undefined) return "";
  const folder = join(FOUND, law);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${seed}-${hash64(path)}.json`);
  writeFileSync(file, `${JSON.stringify(value, null, 1)}\n`);
  return `\nKept as test/fuzz/found/${law}/${seed}-${hash64(path)}.json; every run of the law begins with it.`;
}

function found<T>(law: string): { file: string; value: T }[] {
  const folder = join(FOUND, law);
  if (!existsSync(folder) || PATH !== undefined) return [];
  return readdirSync(folder)
    .sort()
    .map((file) => ({ file, value: JSON.parse(readFileSync(join(folder, file), "utf8")) as T }));
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 4000);
