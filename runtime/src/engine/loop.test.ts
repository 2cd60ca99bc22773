import { describe, expect } from "vitest";
import { law, type Context } from "./harness.js";
import { Loop } from "./loop.js";

describe("a loop", () => {
  law("hands its state on and gives the value that it breaks with", async (world) => {
    await world.start((ctx) =>
      ctx.loop({
        name: "l",
        state: { sum: 0, at: new Date(5) },
        run: async (c, s: { sum: number; at: Date }) => {
          const n = await c.step("n", () => s.sum + 1);
          await c.sleep("z", 10);
          return n === 4 ? Loop.break({ n, at: s.at.getTime() }) : Loop.continue({ ...s, sum: n });
        },
      }),
    );
    await world.clock.advance(15);
    await world.crash();
    await world.clock.advance(100);
    expect(await world.output()).toEqual({ n: 4, at: 5 });
  });

  law("without state may return nothing", async (world) => {
    let turns = 0;
    await world.start((ctx) =>
      ctx.loop("l", async (c) => {
        await c.step("s", () => 1);
        if (++turns === 50) return Loop.break("fifty");
      }),
    );
    expect(await world.output()).toBe("fifty");
  });

  law("with state that returns nothing is told to return Loop.continue", async (world) => {
    await world.start((ctx) =>
      ctx.loop({
        name: "l",
        state: 1,
        run: async (c) => {
          await c.step("s", () => 1);
        },
      }),
    );
    const error = await world.failure();
    expect(error.code).toBe("loop_result");
    expect(error.message).toContain("Loop.continue(state)");
  });

  law("that returns a plain value is told to return Loop.break", async (world) => {
    await world.start((ctx) => ctx.loop("l", (() => Promise.resolve("done")) as never));
    expect((await world.failure()).message).toContain("returned a plain value (string)");
  });

  law("keeps the last turns and forgets older ones, in memory and in the store", async (world) => {
    await world.start((ctx) =>
      ctx.loop({
        name: "l",
        state: 0,
        historyPruneInterval: 5,
        historySize: 3,
        run: async (c, n: number) => {
          await c.step("s", () => n);
          if (n === 11) await c.queue.next("wait");
          return n === 12 ? Loop.break(n) : Loop.continue(n + 1);
        },
      }),
    );
    expect((await world.paths()).filter((path) => path.endsWith("/s"))).toEqual(
      [7, 8, 9, 10, 11].map((n) => `l/~${n}/s`),
    );
    await world.crash();
    await world.send("q");
    expect(await world.output()).toBe(12);
    expect((await world.paths()).filter((path) => path.endsWith("/s"))).toEqual(
      [10, 11, 12].map((n) => `l/~${n}/s`),
    );
    expect((await world.kept.read("w/1")).records.filter(({ key }) => key.endsWith("/s"))).toHaveLength(3);
  });

  law("goes on in the turn in hand after a crash, without running older ones", async (world) => {
    const seen: number[] = [];
    await world.start((ctx) =>
      ctx.loop({
        name: "l",
        state: 0,
        run: async (c, n: number) => {
          seen.push(n);
          await c.step("s", () => world.log.push(`step ${n}`));
          if (n === 3) await c.sleep("z", 10);
          return n === 4 ? Loop.break() : Loop.continue(n + 1);
        },
      }),
    );
    seen.length = 0;
    await world.crash();
    await world.clock.advance(10);
    await world.output();
    expect(Math.min(...seen)).toBe(3);
    expect(world.log).toEqual([0, 1, 2, 3, 4].map((n) => `step ${n}`));
  });

  law("gives each turn its own state object, as a replay would", async (world) => {
    const first = { list: [] as number[] };
    await world.start((ctx) =>
      ctx.loop({
        name: "l",
        state: first,
        run: async (c, s: { list: number[] }) => {
          s.list.push(1);
          await c.step("s", () => 1);
          return s.list.length < 3 ? Loop.continue(s) : Loop.break(s.list.length);
        },
      }),
    );
    expect(await world.output()).toBe(3);
    expect(first.list).toEqual([]);
  });

  law("nests: names are unique per turn, inner loops start anew in each", async (world) => {
    await world.start((ctx) =>
      ctx.loop({
        name: "outer",
        state: 0,
        run: async (c, n: number) => {
          const inner = await c.loop({
            name: "inner",
            state: 0,
            run: async (i, m: number) => {
              await i.step("s", () => m);
              return m === 2 ? Loop.break(m) : Loop.continue(m + 1);
            },
          });
          return n === 2 ? Loop.break(inner) : Loop.continue(n + 1);
        },
      }),
    );
    expect(await world.output()).toBe(2);
    expect((await world.paths()).filter((path) => path.endsWith("s"))).toHaveLength(9);
  });

  law("whose state can't be kept names the property", async (world) => {
    await world.start((ctx) =>
      ctx.loop({
        name: "l",
        state: {},
        run: () => Promise.resolve(Loop.continue({ a: Symbol("x") } as object)),
      }),
    );
    expect((await world.failure()).message).toContain(
      'The state or result of loop "l" can\'t be recorded: value.a is a symbol',
    );
  });

  law("an exhausted step in a turn ends the workflow, and recover goes on in that turn", async (world) => {
    let broken = true;
    await world.start((ctx: Context) =>
      ctx.loop({
        name: "l",
        state: 0,
        run: async (c, n: number) => {
          await c.step({
            name: "s",
            maxRetries: 0,
            run: () => {
              if (n === 2 && broken) throw new Error("down");
              world.log.push(String(n));
            },
          });
          return n === 3 ? Loop.break("done") : Loop.continue(n + 1);
        },
      }),
    );
    expect((await world.failure()).message).toContain("down");
    broken = false;
    await world.recover();
    expect(await world.output()).toBe("done");
    expect(world.log).toEqual(["0", "1", "2", "3"]);
  });
});
