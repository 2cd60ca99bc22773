import { describe, expect } from "vitest";
import { law } from "./harness.js";
import { Loop } from "./loop.js";

describe("getVersion", () => {
  law("gives a new instance the latest and pins it", async (world) => {
    await world.start(async (ctx) => {
      const v = await ctx.getVersion("g", 2);
      await ctx.sleep("pause", 10);
      return v;
    });
    await world.crash(async (ctx) => {
      const v = await ctx.getVersion("g", 5);
      await ctx.sleep("pause", 10);
      return v;
    });
    await world.clock.advance(10);
    expect(await world.output()).toBe(2);
  });

  law("gives 1 to an instance that already was past this point", async (world) => {
    await world.start(async (ctx) => {
      await ctx.step("a", () => 1);
      await ctx.sleep("pause", 10);
    });
    await world.redeploy(async (ctx) => {
      const v = await ctx.getVersion("g", 2);
      if (v >= 2) await ctx.step("inserted", () => 1);
      await ctx.step("a", () => 1);
      await ctx.sleep("pause", 10);
      return v;
    });
    await world.clock.advance(10);
    expect(await world.output()).toBe(1);
  });

  law(
    "is resolved anew in each turn of a loop: the one in flight keeps the old code, the next takes the new",
    async (world) => {
      await world.start((ctx) =>
        ctx.loop("l", async (c) => {
          await c.step("old", () => 1);
          await c.sleep("idle", 10);
        }),
      );
      await world.redeploy((ctx) =>
        ctx.loop({
          name: "l",
          run: async (c) => {
            const v = await c.getVersion("g", 2);
            world.log.push(String(v));
            if (v === 1) await c.step("old", () => 1);
            else await c.step("new", () => 1);
            await c.sleep("idle", 10);
            return world.log.includes("2") ? Loop.break() : undefined;
          },
        }),
      );
      await world.clock.advance(20);
      await world.output();
      expect([...new Set(world.log)]).toEqual(["1", "2"]);
    },
  );

  law("refuses a latest that is no whole number of at least 1", async (world) => {
    await world.start((ctx) => ctx.getVersion("g", 0));
    expect((await world.failure()).code).toBe("version_latest");
  });

  law("can be retired with removed", async (world) => {
    await world.start(async (ctx) => {
      await ctx.getVersion("g", 2);
      await ctx.sleep("pause", 10);
    });
    await world.redeploy(async (ctx) => {
      await ctx.removed("g", "version_check");
      await ctx.step("new", () => 1).catch(() => undefined);
      await ctx.sleep("pause", 10);
    });
    await world.clock.advance(10);
    expect((await world.failure()).message).toContain('a sleep "pause"'); // only the sleep is missed by the new step
  });
});

describe("removed", () => {
  law("visits the old entry, so that what follows may be new", async (world) => {
    await world.start(async (ctx) => {
      await ctx.step("a", () => 1);
      await ctx.sleep("pause", 10);
    });
    await world.redeploy(async (ctx) => {
      await ctx.removed("a", "step");
      await ctx.sleep("pause", 10);
      await ctx.step("b", () => 1);
      return "done";
    });
    await world.clock.advance(10);
    expect(await world.output()).toBe("done");
  });

  law("records a placeholder in new instances", async (world) => {
    await world.start(async (ctx) => {
      await ctx.removed("a", "step");
      await ctx.step("b", () => 1);
    });
    await world.output();
    expect(await world.entry("a")).toMatchObject({ kind: "removed", was: "step" });
  });

  law("covers a loop with all that is in it", async (world) => {
    await world.start(async (ctx) => {
      await ctx.loop({
        name: "l",
        state: 0,
        run: async (c, n: number) => {
          await c.step("s", () => 1);
          await c.sleep("z", 10);
          return n < 3 ? Loop.continue(n + 1) : Loop.break();
        },
      });
    });
    await world.redeploy(async (ctx) => {
      await ctx.removed("l", "loop");
      await ctx.step("b", () => 1);
      return "done";
    });
    await world.clock.advance(10);
    expect(await world.output()).toBe("done");
  });

  law("covers a queue wait with the entries that it generated", async (world) => {
    await world.start(async (ctx) => {
      await ctx.queue.nextBatch("wait", { timeout: 100, count: 2 });
      await new Promise(() => undefined);
    });
    await world.send("q", 1);
    await world.crash(async (ctx) => {
      await ctx.removed("wait", "message");
      await ctx.step("b", () => 1);
      return "done";
    });
    expect(await world.output()).toBe("done");
  });

  law("with the wrong kind diverges and says the right one", async (world) => {
    await world.start(async (ctx) => {
      await ctx.sleep("a", 10);
    });
    await world.redeploy(async (ctx) => {
      await ctx.removed("a", "step");
    });
    await world.clock.advance(10);
    expect((await world.failure()).message).toContain('removed("a", "sleep")');
  });

  law("refuses a kind that does not exist", async (world) => {
    await world.start((ctx) => ctx.removed("a", "activity" as never));
    expect((await world.failure()).code).toBe("removed_kind");
  });
});

describe("the options of a queue wait over a deploy", () => {
  law("a timeout that is added reads back what was received", async (world) => {
    await world.start(async (ctx) => {
      const m = await ctx.queue.next("wait");
      await ctx.sleep("pause", 10);
      return m.body;
    });
    await world.send("q", 1);
    await world.redeploy(async (ctx) => {
      const [m] = await ctx.queue.nextBatch("wait", { timeout: 100 });
      await ctx.sleep("pause", 10);
      return m?.body;
    });
    await world.clock.advance(10);
    expect(await world.output()).toBe(1);
  });

  law("a timeout that is dropped diverges: its deadline is never visited", async (world) => {
    await world.start(async (ctx) => {
      await ctx.queue.nextBatch("wait", { timeout: 100 });
      await ctx.sleep("pause", 10);
    });
    await world.send("q", 1);
    await world.redeploy(async (ctx) => {
      await ctx.queue.nextBatch("wait");
      await ctx.sleep("pause", 10);
    });
    await world.clock.advance(10);
    const error = await world.failure();
    expect(error.message).toContain("wait:deadline");
    expect(error.message).toContain('removed("wait", "message")');
  });
});
