import { rmSync } from "node:fs";
import {
  createEngine,
  Loop,
  type Engine,
  type PlainStepContext,
  type Store,
  type WorkflowContext,
} from "@stepproof/runtime/engine";
import { MemoryStore, openSqliteStore } from "@stepproof/runtime/store";
import { time } from "../measure.js";

type Context = WorkflowContext<PlainStepContext>;
type Fn = (context: Context, input: never) => unknown;

/** A store for one measurement: in memory, or a fresh file. */
export type MakeStore = () => Store;

export const memory: MakeStore = () => new MemoryStore();

export function sqlite(file: string, synchronous: "FULL" | "NORMAL" = "FULL"): MakeStore {
  return () => {
    for (const suffix of ["", "-wal", "-shm", "-lock"]) rmSync(file + suffix, { force: true });
    return openSqliteStore({ path: file, synchronous });
  };
}

async function withEngine<T>(store: Store, w: Fn, use: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = createEngine({ store, workflows: { w } });
  await engine.start();
  try {
    return await use(engine);
  } finally {
    await engine.stop();
  }
}

const steps =
  (count: number) =>
  async (ctx: Context): Promise<void> => {
    for (let i = 0; i < count; i++) await ctx.step(`step-${i}`, () => i);
  };

/** Steps per second of `instances` workflows with `count` steps each, all at once. */
export async function stepsPerSecond(make: MakeStore, count: number, instances = 1): Promise<number> {
  const store = make();
  const ms = await withEngine(store, steps(count), (engine) =>
    time(() =>
      Promise.all(
        Array.from({ length: instances }, async (_, i) => (await engine.create("w", `k${i}`)).result()),
      ),
    ),
  );
  await store.close();
  return ((count * instances) / ms) * 1000;
}

const worker = async (ctx: Context, total: number): Promise<void> => {
  await ctx.loop("work", async (c) => {
    const message = await c.queue.next("wait");
    await c.step("apply", () => message.body);
    return message.body === total - 1 ? Loop.break() : undefined;
  });
};

/**
 * Messages per second through a loop of one instance: each is sent and acknowledged durably, received and
 * applied in a step. `ahead` messages are on their way at a time. Measured over the last `counted`.
 */
export async function messagesPerSecond(
  make: MakeStore,
  total: number,
  ahead = 50,
  counted = total,
): Promise<number> {
  const store = make();
  const rate = await withEngine(store, worker as Fn, async (engine) => {
    const handle = await engine.create("w", "1", total);
    let begin = performance.now();
    for (let i = 0; i < total;) {
      const sending: Promise<unknown>[] = [];
      for (let n = 0; n < ahead && i < total; n++) sending.push(handle.send("q", i++));
      await Promise.all(sending);
      await handle.settled(); // sending must not run ahead: a backlog is not what is measured
      if (i <= total - counted) begin = performance.now();
    }
    await handle.result();
    return (counted / (performance.now() - begin)) * 1000;
  });
  await store.close();
  return rate;
}

/** Ms from sending a message to a waiting warm workflow with `recorded` steps until its step has run. */
export async function warmWake(recorded: number, wakes = 50): Promise<number> {
  let reached = (): void => undefined;
  const fn = async (ctx: Context): Promise<void> => {
    await steps(recorded)(ctx);
    for (let i = 0; i < wakes; i++) {
      await ctx.queue.next(`wait-${i}`);
      reached();
    }
  };
  return withEngine(memory(), fn, async (engine) => {
    const handle = await engine.create("w", "1");
    await handle.settled();
    let total = 0;
    for (let i = 0; i < wakes; i++) {
      const begin = performance.now();
      const there = new Promise<void>((resolve) => (reached = resolve));
      const sent = handle.send("q", i);
      await there;
      total += performance.now() - begin;
      await sent;
      await handle.settled();
    }
    return total / wakes;
  });
}

/** Ms from opening a cold instance with `recorded` steps on SQLite until its first new step runs. */
export async function resume(file: string, recorded: number): Promise<number> {
  const store = sqlite(file, "NORMAL")();
  let reached = 0;
  const fn = async (ctx: Context): Promise<void> => {
    await steps(recorded)(ctx);
    await ctx.queue.next("wait");
    await ctx.step("new", () => (reached = performance.now()));
  };
  await withEngine(store, fn, async (engine) => {
    await (await engine.create("w", "1")).settled();
  });
  const ms = await withEngine(store, fn, async (engine) => {
    const begin = performance.now();
    const handle = engine.handle("w", "1");
    await handle.send("q", 1);
    await handle.result();
    return reached - begin;
  });
  await store.close();
  return ms;
}

/** Ms of `count` workflows of three steps on one store, one after the other, per workflow. */
export async function threeSteps(make: MakeStore, count = 30): Promise<number> {
  const store = make();
  const ms = await withEngine(store, steps(3), (engine) =>
    time(async () => {
      for (let i = 0; i < count; i++) await (await engine.create("w", `k${i}`)).result();
    }),
  );
  await store.close();
  return ms / count;
}
