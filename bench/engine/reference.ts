import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { Loop, runWorkflow } from "@rivetkit/workflow-engine";
import { InstantDriver } from "../../test/published/instant-driver.js";
import { time } from "../measure.js";

type Context = Parameters<Parameters<typeof runWorkflow>[1]>[0];

const driver = (): InstantDriver => new InstantDriver(100);

const steps =
  (count: number) =>
  async (ctx: Context): Promise<void> => {
    for (let i = 0; i < count; i++) await ctx.step(`step-${i}`, () => Promise.resolve(i));
  };

/** Steps per second of one workflow with `count` steps in memory. */
export async function stepsPerSecond(count: number): Promise<number> {
  const ms = await time(() => runWorkflow("w", steps(count), undefined, driver()).result);
  return (count / ms) * 1000;
}

/** Messages per second through a loop, live, in memory. */
export async function messagesPerSecond(total: number, ahead = 50): Promise<number> {
  const run = runWorkflow(
    "w",
    async (ctx: Context) => {
      await ctx.loop("work", async (c) => {
        const message = await c.queue.next<number>("wait");
        await c.step("apply", () => Promise.resolve(message.body));
        return message.body === total - 1 ? Loop.break(undefined) : undefined;
      });
    },
    undefined,
    driver(),
    { mode: "live" },
  );
  const begin = performance.now();
  for (let i = 0; i < total;) {
    const sending: Promise<void>[] = [];
    for (let n = 0; n < ahead && i < total; n++) sending.push(run.message("q", i++));
    await Promise.all(sending);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await run.result;
  return (total / (performance.now() - begin)) * 1000;
}

/** Ms from a message to a live workflow with `recorded` steps until it has it. */
export async function warmWake(recorded: number, wakes = 5): Promise<number> {
  let reached = (): void => undefined;
  const run = runWorkflow(
    "w",
    async (ctx: Context) => {
      await steps(recorded)(ctx);
      for (let i = 0; i < wakes; i++) {
        await ctx.queue.next(`wait-${i}`);
        reached();
      }
    },
    undefined,
    driver(),
    { mode: "live" },
  );
  await new Promise((resolve) => setTimeout(resolve, 200 + recorded));
  let total = 0;
  for (let i = 0; i < wakes; i++) {
    const begin = performance.now();
    const there = new Promise<void>((resolve) => (reached = resolve));
    await run.message("q", i);
    await there;
    total += performance.now() - begin;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await run.result;
  return total / wakes;
}

/** Ms from the start of a second run over `recorded` steps until its first new step runs. */
export async function resume(recorded: number): Promise<number> {
  const store = driver();
  let reached = 0;
  const fn = async (ctx: Context): Promise<void> => {
    await steps(recorded)(ctx);
    await ctx.queue.next("wait");
    await ctx.step("new", () => Promise.resolve((reached = performance.now())));
  };
  await runWorkflow("w", fn, undefined, store).result;
  const run = runWorkflow("w", () => Promise.resolve(), undefined, store);
  await run.result.catch(() => undefined);
  const begin = performance.now();
  await store.messageDriver.addMessage({ id: "m", name: "q", data: 1, sentAt: Date.now() });
  await runWorkflow("w", fn, undefined, store).result;
  return reached - begin;
}

/** Commits of `rows` rows of 200 bytes per second on a fresh SQLite file, WAL, synchronous=FULL. */
export function rawCommits(file: string, commits: number, rows = 1): Promise<number> {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
  const database = new Database(file);
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (id INTEGER PRIMARY KEY, value TEXT)",
  );
  const insert = database.prepare("INSERT INTO t (value) VALUES (?)");
  const value = "x".repeat(200);
  const commit = database.transaction(() => {
    for (let i = 0; i < rows; i++) insert.run(value);
  });
  const begin = performance.now();
  for (let i = 0; i < commits; i++) commit();
  const ms = performance.now() - begin;
  database.close();
  return Promise.resolve((commits / ms) * 1000);
}
