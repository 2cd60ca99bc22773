/**
 * The engine's benchmarks: product and reference side by side in one run, medians, ratios.
 *
 *   npm run bench:engine -- [part of a row's name …]      BENCH_ROUNDS=5 BENCH_SLEEPING=100000
 *
 * It is bundled first, as the packages that it is compared with are: run from the sources through tsx, every
 * closure of the engine would be given its name anew at each call, which took up to half of the speed.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { importTime, size, sleeping } from "./footprint.js";
import { compare, write, type Row } from "../measure.js";
import * as product from "./product.js";
import * as reference from "./reference.js";

const folder = join(import.meta.dirname, "../../.tmp/bench");
mkdirSync(folder, { recursive: true });
const file = join(folder, "bench.db");
const engine = "@rivetkit/workflow-engine";
const wanted = argv.slice(2);
const sleepers = Number(process.env["BENCH_SLEEPING"] ?? 100_000);

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
    () => importTime(folder, "product"),
    () => importTime(folder, "reference"),
  ],
  [less("size, minified and gzipped", "kB", "", "≤ 15 kB"), () => size()],
];

const rows: Row[] = [];
for (const [row, ours, theirs] of measurements) {
  if (wanted.length > 0 && !wanted.some((part) => row.what.includes(part))) continue;
  rows.push(await compare(row, ours, theirs));
}
if (sleepers > 0 && (wanted.length === 0 || wanted.includes("sleeping"))) {
  const { created, woken } = await sleeping(folder, sleepers);
  const which = `${sleepers.toLocaleString("en")} sleeping instances`;
  const add = (what: string, unit: string, value: number, target: string): void => {
    const none = { reference: undefined, ratio: undefined, referenceName: "", better: "less" } as const;
    rows.push({ ...none, what, unit, product: value, target });
    console.log(`${what}: ${value.toFixed(1)} ${unit}, target ${target}`);
  };
  add(`${which}: whole process after making them`, "MB", created.mb, "< 150 MB");
  add(`${which}: whole process that has them`, "MB", woken.mb, "< 150 MB");
  add(`${which}: how late a due timer is (p99)`, "ms", woken.lateMs, "≤ 50 ms");
}
write(join(folder, "engine.json"), rows);
