/**
 * The engine's benchmarks: product and reference side by side in one run, medians, ratios.
 *
 *   npx tsx bench/engine/run.ts [part of a row's name …]      BENCH_ROUNDS=5 BENCH_SLEEPING=100000
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { importTimes, size } from "./footprint.js";
import { compare, write, type Row } from "./measure.js";
import * as product from "./product.js";
import * as reference from "./reference.js";

const folder = join(import.meta.dirname, "../../.tmp/bench");
mkdirSync(folder, { recursive: true });
const file = join(folder, "bench.db");
const engine = "@rivetkit/workflow-engine";
const wanted = argv.slice(2);
const sleeping = Number(process.env["BENCH_SLEEPING"] ?? 100_000);

type Measurement = readonly [Parameters<typeof compare>[0], () => Promise<number>, (() => Promise<number>)?];

const more = (
  what: string,
  unit: string,
  referenceName: string,
  target: string,
): Parameters<typeof compare>[0] => ({ what, unit, better: "more", referenceName, target });
const less = (
  what: string,
  unit: string,
  referenceName: string,
  target: string,
): Parameters<typeof compare>[0] => ({ what, unit, better: "less", referenceName, target });

const measurements: readonly Measurement[] = [
  [
    more("100 steps, memory", "steps/s", engine, "≥ × 10"),
    () => product.stepsPerSecond(product.memory, 100),
    () => reference.stepsPerSecond(100),
  ],
  [
    more("1,000 steps, memory", "steps/s", engine, "≥ × 10"),
    () => product.stepsPerSecond(product.memory, 1000),
    () => reference.stepsPerSecond(1000),
  ],
  [
    more("10,000 steps, memory", "steps/s", engine, "≥ × 50"),
    () => product.stepsPerSecond(product.memory, 10_000),
    () => reference.stepsPerSecond(10_000),
  ],
  [
    more("300 durable steps, one workflow", "steps/s", "raw one-row commits", "≥ × 0.7"),
    () => product.stepsPerSecond(product.sqlite(file), 300),
    () => reference.rawCommits(file, 300),
  ],
  [
    more("100 workflows × 50 durable steps", "steps/s", "raw rows, 100 per commit", "≥ × 0.15"),
    () => product.stepsPerSecond(product.sqlite(file), 50, 100),
    async () => 100 * (await reference.rawCommits(file, 50, 100)),
  ],
  [
    less("resume with 10,000 recorded steps (SQLite)", "ms", `${engine}, memory`, "≤ 60 ms"),
    () => product.resume(file, 10_000),
    () => reference.resume(10_000),
  ],
  [
    less("warm wake by a message, no history", "ms", engine, "≤ 0.2 ms"),
    () => product.warmWake(0),
    () => reference.warmWake(0),
  ],
  [
    less("warm wake by a message, 10,000 steps", "ms", engine, "≤ 0.2 ms"),
    () => product.warmWake(10_000),
    () => reference.warmWake(3000),
  ],
  [
    more("messages through a loop, memory", "msgs/s", engine, "≥ 30,000"),
    () => product.messagesPerSecond(product.memory, 5000),
    () => reference.messagesPerSecond(1000),
  ],
  [
    more("the same, last 1,000 of 100,000", "msgs/s", "last 1,000 of 2,000", "× 1"),
    () => product.messagesPerSecond(product.memory, 100_000, 50, 1000),
    () => product.messagesPerSecond(product.memory, 2000, 50, 1000),
  ],
  [
    more("messages through a loop, durable", "msgs/s", "raw one-row commits", "≥ 1,400 of 2,400 raw"),
    () => product.messagesPerSecond(product.sqlite(file), 500),
    () => reference.rawCommits(file, 300),
  ],
  [
    less("three-step workflow, start to done, durable", "ms", "three raw commits", "≤ × 1.5"),
    () => product.threeSteps(product.sqlite(file)),
    async () => 3000 / (await reference.rawCommits(file, 100)),
  ],
  [
    less("import of @stepproof/runtime/engine over bare Node", "ms", engine, "≤ 15 ms"),
    async () => (await importTimes(folder)).product,
    async () => (await importTimes(folder)).reference,
  ],
  [less("size, minified and gzipped", "kB", "", "≤ 15 kB"), () => size()],
];

const rows: Row[] = [];
for (const [row, ours, theirs] of measurements) {
  if (wanted.length > 0 && !wanted.some((part) => row.what.includes(part))) continue;
  rows.push(await compare(row, ours, theirs));
}
if (sleeping > 0 && (wanted.length === 0 || wanted.includes("sleeping"))) {
  const { mb, lateMs } = await product.sleeping(file, sleeping, 200);
  const shared = { reference: undefined, ratio: undefined, referenceName: "", better: "less" } as const;
  rows.push({
    ...shared,
    what: `${sleeping.toLocaleString("en")} sleeping instances, memory above the start`,
    unit: "MB",
    product: mb,
    target: "< 150 MB in all",
  });
  rows.push({
    ...shared,
    what: "how late a due timer is (p99)",
    unit: "ms",
    product: lateMs,
    target: "≤ 50 ms",
  });
  for (const { what, unit, product: value, target } of rows.slice(-2))
    console.log(`${what}: ${value.toFixed(1)} ${unit}, target ${target}`);
}
write(join(folder, "engine.json"), rows);
