import { describe, expect, test } from "vitest";
import { Loop, queue, setup, workflow } from "../index.js";
import type { AnyActorDefinition } from "../types/index.js";
import { ReplayDivergenceError } from "./replay-divergence-error.js";
import { replayFuzz, type ReplayFuzzOptions } from "./replay-fuzz.js";
import { testHost } from "./test-host.js";

const orders = workflow({
  state: { shipped: [] as string[] },
  queues: { order: queue<{ id: string }>() },
  run: async (ctx) => {
    await ctx.loop({
      name: "orders",
      state: 0,
      run: async (loop, count) => {
        const { body } = await loop.queue.next("order", { names: ["order"] });
        const charge = await loop.step("charge", (): string => {
          throw new Error("the card service is not there in tests");
        });
        await loop.sleep("cool-off", 3_600_000);
        await loop.step("ship", (step) => {
          step.state.shipped.push(
            `${body.id} ${charge} ${new Date().toISOString().slice(0, 4)} ${Math.random()}`,
          );
        });
        return count === 1 ? Loop.break(count) : Loop.continue(count + 1);
      },
    });
  },
});

const TWO_ORDERS: ReplayFuzzOptions = {
  steps: { charge: "ch_1" },
  messages: [
    { queue: "order", body: { id: "a" } },
    { queue: "order", body: { id: "b" } },
  ],
  runs: 20,
};

async function divergenceOf(
  faulty: AnyActorDefinition,
  options?: ReplayFuzzOptions,
): Promise<ReplayDivergenceError> {
  try {
    await replayFuzz(faulty, options);
  } catch (error) {
    if (error instanceof ReplayDivergenceError) return error;
    throw error;
  }
  throw new Error("nothing was found");
}

describe("replayFuzz", () => {
  test("finds nothing in a workflow that replays, whatever its steps do", async () => {
    const report = await replayFuzz(orders, { ...TWO_ORDERS, steps: { charge: "ch_1", chrage: 1 } });
    expect(report).toMatchObject({ runs: 20, ended: { completed: 20 }, unusedStubs: ["chrage"] });
    expect(report.crashes).toBeGreaterThan(10);
    expect(report.evictions).toBeGreaterThan(2);
  });

  test("tells queues that nobody reads, and refuses those that are not declared", async () => {
    const open = workflow({
      run: async (ctx) => {
        await ctx.queue.next("order", { names: ["order"] });
      },
    });
    const messages = ["ordre", "order", "order"].map((queue) => ({ queue, body: { id: "a" } }));
    expect(await replayFuzz(open, { messages, runs: 5 })).toMatchObject({
      ended: { completed: 5 },
      unreadQueues: ["ordre"],
    });
    await expect(replayFuzz(orders, { messages, runs: 1 })).rejects.toThrow(/has no queue "ordre"/);
  });

  test("finds a clock outside a step that decides a branch", async () => {
    const happyHour = workflow({
      run: async (ctx) => {
        await ctx.step("first", () => 1);
        if (new Date().getUTCHours() < 12) await ctx.step("morning", () => 1);
        else await ctx.step("evening", () => 1);
        await ctx.sleep("rest", 1000);
        await ctx.step("last", () => 1);
      },
    });
    const { schedule, message } = await divergenceOf(happyHour);
    expect(schedule).toHaveLength(1);
    expect(message).toMatch(/Smallest schedule:\n {2}1\. (the process crashes|the instance is dropped)/);
    expect(message).toContain("HistoryDivergedError");
  });

  test("finds a random number in a name, and tells the same again with the same seed", async () => {
    const lottery = workflow({
      run: async (ctx) => {
        await ctx.step(`draw-${Math.floor(Math.random() * 1000)}`, () => 1);
        await ctx.sleep("rest", 1000);
      },
    });
    const first = await divergenceOf(lottery, { seed: 7 });
    expect(first.schedule.length).toBeLessThanOrEqual(1);
    expect((await divergenceOf(lottery, { seed: 7 })).message).toBe(first.message);
  });

  test.each([2, 3, 4])("finds a random choice among %i, whatever the first numbers are", async (ways) => {
    const faulty = workflow({
      run: async (ctx) => {
        const chosen = Math.floor(Math.random() * ways);
        await ctx.step("first", () => 1);
        await ctx.sleep("pause", 1000);
        await ctx.step(`ask-${chosen}`, () => chosen);
      },
    });
    const found = await divergenceOf(faulty, { runs: 30 });
    expect(found.message).toContain("There history[ask-");
  });

  test("finds state that is shared by all that run in a process", async () => {
    let served = 0;
    const counting = workflow({
      state: { number: 0 },
      run: async (ctx) => {
        served += 1;
        const number = served;
        await ctx.step("keep", (step) => {
          step.state.number = number;
        });
      },
    });
    const { message } = await divergenceOf(counting);
    expect(message).toContain("Two undisturbed runs of the workflow differ");
    expect(message).toContain("state.number");
  });

  test("finds a variable that a step assigns", async () => {
    const captured = workflow({
      state: { total: 0 },
      run: async (ctx) => {
        let price = 0;
        await ctx.step("price", () => {
          price = 5;
        });
        await ctx.sleep("rest", 1000);
        await ctx.step("pay", (step) => {
          step.state.total = price;
        });
      },
    });
    const { difference, schedule } = await divergenceOf(captured);
    expect(difference).toBe("state.total is 0, not 5");
    expect(schedule).toHaveLength(1);
  });

  test("leaves clock and random numbers as they were", async () => {
    const before = [Date, Math.random, crypto.randomUUID, performance.now];
    await replayFuzz(orders, { ...TWO_ORDERS, runs: 1 });
    expect([Date, Math.random, crypto.randomUUID, performance.now]).toEqual(before);
    expect(Math.abs(Date.now() - performance.timeOrigin - performance.now())).toBeLessThan(60_000);
  });
});

test("a stub takes the place of a step's body, by name or by the beginning of its name", async () => {
  const shop = workflow({
    run: async (ctx) => {
      const charge = await ctx.step("charge", () => "real");
      const track = await ctx.tryStep({ name: "ship-7", run: () => "real" });
      return [charge, track.ok && track.value, await ctx.step("other", () => "real")];
    },
  });
  const host = await testHost(setup({ use: { shop } }), {
    steps: {
      charge: "ch_1",
      "ship-*": (step: { attempt: number }, body: () => string) => `${body()} ${step.attempt}`,
    },
  });
  await host.client.shop.getOrCreate("1").resolve();
  await host.settled();
  const { workflow: run, state } = await host.inspect("shop", "1");
  expect(run?.output).toEqual(["ch_1", "real 1", "real"]);
  expect(state).toBeUndefined();
  await host.evict("shop", "1");
  expect((await host.inspect("shop", "1")).workflow?.status).toBe("completed");
  await host.stop();
});
