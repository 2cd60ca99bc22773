import { describe, expect, test } from "vitest";
import { World, type Context } from "./harness.js";
import { idle } from "../testing/manual-clock.js";
import { Loop } from "./loop.js";

/** Keys that commits wrote or deleted, and records read, since the last look. */
function watch(world: World): () => { written: number; commits: number; read: number } {
  let written = 0;
  let commits = 0;
  let read = 0;
  const { kept } = world;
  const commit = kept.commit.bind(kept);
  kept.commit = (what) => {
    commits++;
    written += what.puts.size + what.deletes.size + what.deleteRanges.length;
    return commit(what);
  };
  const readAll = kept.read.bind(kept);
  kept.read = async (...args) => {
    const result = await readAll(...args);
    read += result.records.length;
    return result;
  };
  return () => {
    const seen = { written, commits, read };
    written = commits = read = 0;
    return seen;
  };
}

const worker = (ctx: Context): Promise<unknown> =>
  ctx.loop("l", async (c) => {
    const message = await c.queue.next("wait");
    await c.step("s", () => message.body);
    return message.body === "stop" ? Loop.break() : undefined;
  });

describe("§4.15 what an iteration, a wake and a message cost", () => {
  test("is the same at iteration 40 and at iteration 2,000: records written, commits, records read", async () => {
    const world = new World(false);
    const look = watch(world);
    await world.start(worker);
    const costs: unknown[] = [];
    for (let i = 0; i < 2040; i++) {
      await world.handle.send("q", i);
      if (i === 39 || i === 1999) {
        await idle();
        look();
      }
      if (i === 59 || i === 2019) {
        await idle();
        costs.push(look());
      }
    }
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[0]).toMatchObject({ read: 0 });
    await world.end();
  });

  test("per message of a waiting workflow is two commits: its arrival, and its receipt together with the step", async () => {
    const world = new World(false);
    const look = watch(world);
    await world.start(worker);
    await world.send("q", 1);
    look();
    for (let i = 0; i < 10; i++) await world.send("q", i);
    expect(look().commits).toBe(20);
    await world.end();
  });

  test("a replay reads each retained record once", async () => {
    const world = new World(false);
    await world.start(async (ctx) => {
      for (let i = 0; i < 500; i++) await ctx.step(`s${i}`, () => i);
      await ctx.queue.next("wait");
    });
    await world.handle.evict();
    const look = watch(world);
    const { records } = await world.kept.read("w/1");
    look();
    await world.crash();
    await world.clock.advance(1);
    await world.send("q");
    await world.output();
    // The handle looks whether the instance exists before it opens it: one more read of the same records.
    expect(look().read).toBeLessThanOrEqual(records.length * 2);
    await world.end();
  });

  test("memory of a loop does not grow with its iterations", async () => {
    const world = new World(false);
    await world.start(worker);
    for (let i = 0; i < 500; i++) await world.handle.send("q", i);
    await idle();
    expect((await world.entries()).length).toBeLessThanOrEqual(1 + 40 * 3);
    expect((await world.kept.read("w/1")).records.length).toBeLessThanOrEqual(3 + 40 * 3);
    await world.end();
  });
});
