import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import {
  Loop,
  runWorkflow,
  type EngineDriver,
  type KVEntry,
  type WorkflowMessageDriver,
} from "@rivetkit/workflow-engine";
import { InMemoryDriver } from "@rivetkit/workflow-engine/testing";
import { time } from "../measure.js";

type Context = Parameters<Parameters<typeof runWorkflow>[1]>[0];

/** A store in memory that answers at once: the published engine alone, without what its test store waits. */
class InstantDriver implements EngineDriver {
  readonly workerPollInterval = 100;
  readonly messageDriver = new InMemoryDriver().messageDriver;
  /** By the hexadecimal text of the key, whose order is that of the bytes. */
  private readonly kept = new Map<string, KVEntry>();

  get(key: Uint8Array): Promise<Uint8Array | null> {
    return Promise.resolve(this.kept.get(hex(key))?.value ?? null);
  }

  set(key: Uint8Array, value: Uint8Array): Promise<void> {
    this.kept.set(hex(key), { key, value });
    return Promise.resolve();
  }

  delete(key: Uint8Array): Promise<void> {
    this.kept.delete(hex(key));
    return Promise.resolve();
  }

  batchDelete(keys: Uint8Array[]): Promise<void> {
    for (const key of keys) this.kept.delete(hex(key));
    return Promise.resolve();
  }

  deletePrefix(prefix: Uint8Array): Promise<void> {
    const start = hex(prefix);
    for (const key of this.kept.keys()) if (key.startsWith(start)) this.kept.delete(key);
    return Promise.resolve();
  }

  deleteRange(from: Uint8Array, to: Uint8Array): Promise<void> {
    const [start, end] = [hex(from), hex(to)];
    for (const key of this.kept.keys()) if (key >= start && key < end) this.kept.delete(key);
    return Promise.resolve();
  }

  list(prefix: Uint8Array): Promise<KVEntry[]> {
    const start = hex(prefix);
    const found = [...this.kept].filter(([key]) => key.startsWith(start));
    return Promise.resolve(found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry));
  }

  batch(writes: { key: Uint8Array; value: Uint8Array }[]): Promise<void> {
    for (const { key, value } of writes) this.kept.set(hex(key), { key, value });
    return Promise.resolve();
  }

  setAlarm(): Promise<void> {
    return Promise.resolve();
  }

  clearAlarm(): Promise<void> {
    return Promise.resolve();
  }

  waitForMessages(names: string[], signal: AbortSignal): Promise<void> {
    const queue = this.messageDriver as WorkflowMessageDriver & {
      waitForMessages(names: string[], signal: AbortSignal): Promise<void>;
    };
    return queue.waitForMessages(names, signal);
  }
}

const hex = (key: Uint8Array): string => Buffer.from(key).toString("hex");

const driver = (): InstantDriver => new InstantDriver();

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
