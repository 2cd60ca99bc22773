import { expect, test } from "vitest";
import { Loop, queue, setup, workflow } from "../index.js";
import { crashEverywhere } from "./crash-everywhere.js";
import { testHost } from "./test-host.js";

const order = workflow({
  state: { total: 0, days: 0, done: false },
  queues: { item: queue<number>() },
  run: async (ctx) => {
    await ctx.loop("items", async (loop) => {
      const [message] = await loop.queue.nextBatch("item", { timeout: 3_600_000 });
      if (message === undefined) return Loop.break();
      await loop.step("add", (step) => {
        step.state.total += message.body;
      });
      return Loop.continue();
    });
    await ctx.join("both", {
      left: {
        run: async (branch) => {
          await branch.sleep("nap", 86_400_000);
        },
      },
      right: {
        run: async (branch) =>
          await branch.step("day", (step) => {
            step.state.days += 1;
          }),
      },
    });
    await ctx.step("end", (step) => {
      step.state.done = true;
    });
  },
  actions: { get: (c) => c.state },
});
const registry = setup({ use: { order } });

test("days pass at once, and a crash loses nothing that was kept", async () => {
  const host = await testHost(registry);
  const handle = host.client.order.getOrCreate("a");
  await handle.send("item", 2);
  await host.settled();
  await host.crash();
  expect(await handle.get()).toEqual({ total: 2, days: 0, done: false });
  await handle.send("item", 3);
  await host.advance(3_600_000 + 86_400_000);
  expect(await handle.get()).toEqual({ total: 5, days: 1, done: true });
  expect((await host.history("order", "a"))?.status).toBe("completed");
  await host.stop();
});

test("a crash after any commit leads to the same end", async () => {
  const runs = await crashEverywhere(registry, async (host) => {
    const handle = host.client.order.getOrCreate("a");
    for (const item of [1, 2, 3]) await handle.send("item", item);
    await host.settled();
    await host.advance(3_600_000);
    await host.advance(86_400_000);
    return await handle.get();
  });
  expect(runs.length).toBeGreaterThan(8);
  for (const { crashAfter, result } of runs) {
    expect(result, `crash after commit ${String(crashAfter)}`).toEqual({ total: 6, days: 1, done: true });
  }
});

test("a workflow that keeps something outside of steps is shown up", async () => {
  let outside = 0;
  const leaky = workflow({
    state: { seen: 0 },
    run: async (ctx) => {
      outside += 1;
      await ctx.step("a", () => 1);
      await ctx.step("b", (step) => {
        step.state.seen = outside;
      });
    },
    actions: { seen: (c) => c.state.seen },
  });
  const runs = await crashEverywhere(setup({ use: { leaky } }), async (host) => {
    outside = 0;
    const handle = host.client.leaky.getOrCreate();
    await handle.resolve();
    await host.settled();
    return await handle.seen();
  });
  expect(new Set(runs.map(({ result }) => result)).size).toBeGreaterThan(1);
});
