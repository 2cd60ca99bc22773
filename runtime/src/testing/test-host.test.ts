import { expect, test } from "vitest";
import { Loop, queue, setup, workflow } from "../index.js";
import { crashEverywhere } from "./crash-everywhere.js";
import { replayFuzz } from "./replay-fuzz.js";
import { RestlessWorkflowError } from "./restless-workflow-error.js";
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

test("a crash that is set for later and comes as an instance is dropped, or never, holds nothing up", async () => {
  const napper = workflow({
    state: { naps: 0 },
    onSleep: (c) => {
      c.state.naps += 1;
    },
    run: async (ctx) => {
      await ctx.sleep("long", 1e9);
    },
  });
  const host = await testHost(setup({ use: { napper } }));
  await host.client.napper.getOrCreate("1").resolve();
  await host.settled();
  host.crashAfter(host.commits + 1);
  await host.evict("napper", "1"); // onSleep's commit is the last of its process
  expect((await host.inspect("napper", "1")).state).toEqual({ naps: 1 });
  host.crashAfter(host.commits + 1);
  await host.stop();
});

test("a workflow that goes on for ever is told, whoever waits for it", async () => {
  const endless = workflow({
    queues: { go: queue<number>() },
    run: async (ctx) => {
      await ctx.queue.next("go", { names: ["go"] });
      await ctx.loop("spin", async (loop) => {
        await loop.step("turn", () => 1);
      });
    },
    actions: { ping: () => "here" },
  });
  const host = await testHost(setup({ use: { endless } }), { mostCommits: 500 });
  const instance = host.client.endless.getOrCreate("1");
  await instance.send("go", 1);
  await expect(host.settled()).rejects.toThrow(RestlessWorkflowError);
  await expect(host.advance(1000)).rejects.toThrow(/500 commits in a row, with no time passing/);
  await expect(instance.ping()).rejects.toThrow(RestlessWorkflowError);
  await expect(host.inspect("endless", "1")).rejects.toThrow(RestlessWorkflowError);
  await host.stop();

  const messages = [{ queue: "go", body: 1 }];
  await expect(replayFuzz(endless, { messages, runs: 1 })).rejects.toThrow(RestlessWorkflowError);
});

test("a loop that makes many commits and then waits is at rest", async () => {
  const busy = workflow({
    run: async (ctx) => {
      await ctx.loop({
        name: "count",
        state: 0,
        run: async (loop, n) => {
          await loop.step("turn", () => n);
          return n < 300 ? Loop.continue(n + 1) : Loop.break(n);
        },
      });
      await ctx.sleep("rest", 1000);
    },
  });
  const host = await testHost(setup({ use: { busy } }), { mostCommits: 1000 });
  await host.client.busy.getOrCreate("1").resolve();
  for (let day = 0; day < 5; day++) await host.advance(1);
  expect((await host.history("busy", "1"))?.status).toBe("sleeping");
  await host.stop();
});
