import { writeFileSync } from "node:fs";

/** How often each is measured: product and reference in turn, so that both meet the same machine. */
export const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);

/** One row of the result: medians of the rounds, and their ratio. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  /** Which way is better. */
  readonly better: "more" | "less";
  readonly product: number;
  readonly reference: number | undefined;
  readonly referenceName: string;
  /** product / reference. */
  readonly ratio: number | undefined;
  readonly target: string;
}

/** The middle of the values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Measures product and reference in turn, after one round that does not count. */
export async function compare(
  row: Pick<Row, "what" | "unit" | "better" | "referenceName" | "target">,
  product: () => Promise<number>,
  reference?: () => Promise<number>,
): Promise<Row> {
  const measured: number[] = [];
  const compared: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const [a, b] = [await product(), await reference?.()];
    if (round < 0) continue;
    measured.push(a);
    if (b !== undefined) compared.push(b);
  }
  const [p, r] = [median(measured), compared.length > 0 ? median(compared) : undefined];
  const done: Row = { ...row, product: p, reference: r, ratio: r === undefined ? undefined : p / r };
  console.log(lineOf(done));
  return done;
}

/** Milliseconds that it takes. */
export async function time(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}

const short = (value: number | undefined): string =>
  value === undefined ? "–" : value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);

function lineOf({ what, unit, product, reference, referenceName, ratio, target }: Row): string {
  return `${what.padEnd(58)} ${short(product).padStart(10)} ${unit.padEnd(9)} ${short(reference).padStart(10)} ${referenceName.padEnd(26)} ${(ratio === undefined ? "" : `× ${ratio.toPrecision(3)}`).padEnd(10)} target ${target}`;
}

/** Writes the rows as JSON. */
export function write(file: string, rows: readonly Row[]): void {
  writeFileSync(file, `${JSON.stringify({ node: process.version, rounds: ROUNDS, rows }, null, 2)}\n`);
  console.log(`\n${rows.length} rows in ${file}`);
}
