import { describe, expect, test } from "vitest";
import { law, World, type Context } from "./harness.js";
import { idle } from "../testing/manual-clock.js";
import { Loop } from "./loop.js";

describe("a queue wait", () => {
  law("receives what was sent before and after it began, in order", async (world) => {
    await world.start(async (ctx) => {
      const bodies: unknown[] = [];
      for (let i = 0; i < 3; i++) bodies.push((await ctx.queue.next(`wait-${i}`)).body);
      return bodies;
    });
    for (const body of ["a", { b: 1 }, undefined]) await world.send("q", body);
    expect(await world.output()).toEqual(["a", { b: 1 }, undefined]);
    expect(await world.storedMessages()).toBe(0);
  });

  law("takes only from the queues that it names", async (world) => {
    await world.start(async (ctx) => (await ctx.queue.next("wait", { names: ["b"] })).body);
    await world.send("a", 1);
    expect(await world.status()).toBe("sleeping");
    await world.send("b", 2);
    expect(await world.output()).toBe(2);
    expect(await world.storedMessages()).toBe(1);
  });

  law("takes up to count messages at once, at least one", async (world) => {
    await world.start(async (ctx) => {
      await ctx.sleep("pause", 10);
      const first = await ctx.queue.nextBatch("first", { count: 2 });
      const second = await ctx.queue.nextBatch("second", { count: 5 });
      return [first.map(({ body }) => body), second.map(({ body }) => body)];
    });
    for (const body of [1, 2, 3]) await world.send("q", body);
    await world.clock.advance(10);
    expect(await world.output()).toEqual([[1, 2], [3]]);
    expect(await world.paths()).toEqual([
      "pause",
      "first:0",
      "first:1",
      "first:count",
      "second:0",
      "second:count",
    ]);
  });

  law("with a timeout ends with [] and owns a deadline", async (world) => {
    await world.start((ctx) => ctx.queue.nextBatch("wait", { timeout: 100 }));
    await world.clock.advance(99);
    expect(await world.status()).toBe("sleeping");
    await world.clock.advance(1);
    expect(await world.output()).toEqual([]);
    expect(await world.paths()).toEqual(["wait:deadline", "wait:count"]);
  });

  law("keeps its deadline over a crash", async (world) => {
    await world.start((ctx) => ctx.queue.nextBatch("wait", { timeout: 100 }));
    await world.clock.advance(60);
    await world.crash();
    await world.clock.advance(40);
    expect(await world.output()).toEqual([]);
  });

  law("with a timeout of 0 takes what is there and does not wait", async (world) => {
    await world.start(async (ctx) => {
      const none = await ctx.queue.nextBatch("none", { timeout: 0 });
      await ctx.sleep("pause", 10);
      const one = await ctx.queue.nextBatch("one", { timeout: 0 });
      return [none.length, one.length];
    });
    await world.send("q", 1);
    await world.clock.advance(10);
    expect(await world.output()).toEqual([0, 1]);
  });

  law("by next with a timeout throws an error that says what to use instead", async (world) => {
    await world.start((ctx) => ctx.queue.next("wait", { timeout: 100 }));
    await world.clock.advance(100);
    const error = await world.failure();
    expect(error.name).toBe("QueueTimeoutError");
    expect(error.message).toContain("queue.nextBatch");
  });

  law(
    "§4.15 a message that arrived before the deadline is received, though the worker looks later",
    async (world) => {
      const fn = async (ctx: Context): Promise<unknown[]> =>
        (await ctx.queue.nextBatch("wait", { timeout: 100 })).map(({ body }) => body);
      await world.start(fn);
      await world.clock.advance(50);
      // A process without the code takes the message: nothing runs.
      await world.crash(() => new Promise(() => undefined));
      await world.send("q", "in time");
      world.clock.set(world.clock.now() + 500);
      await world.send("q", "late");
      await world.crash(fn);
      expect(await world.output()).toEqual(["in time"]);
      expect(await world.storedMessages()).toBe(1);
    },
  );

  law("§4.13 §4.15 a crash between receipt and record neither loses nor repeats a message", async (world) => {
    const sent: number[] = [];
    await world.start((ctx) =>
      ctx.loop("l", async (c) => {
        const [message] = await c.queue.nextBatch("wait", { timeout: 1000, count: 3 });
        if (message !== undefined) await c.step("s", () => world.log.push(String(message.body)));
      }),
    );
    for (let i = 0; i < 40; i++) {
      const sending = world.handle.send("q", i).then(() => sent.push(i));
      if (i % 3 === 0) await Promise.race([sending, Promise.resolve()]);
      else await sending;
      if (i % 4 === 0) await world.crash();
    }
    await idle();
    await world.crash();
    expect(await world.storedMessages()).toBe(0);
    expect((await world.entries()).filter(({ queue }) => queue === "q").length).toBeGreaterThan(0);
  });

  law("does not lose a message that arrives between two waits", async (world) => {
    await world.start((ctx) =>
      ctx.loop("l", async (c) => {
        const message = await c.queue.next("wait");
        await c.step("s", () => world.log.push(String(message.body)));
        return message.body === 9 ? Loop.break() : undefined;
      }),
    );
    await Promise.all(Array.from({ length: 10 }, (_, i) => world.handle.send("q", i)));
    await world.output();
    expect(world.log).toEqual(Array.from({ length: 10 }, (_, i) => String(i)));
  });

  law("in two branches gives each message to one of them", async (world) => {
    const branch = { run: async (c: Context) => (await c.queue.next("wait")).body };
    await world.start((ctx) => ctx.join("j", { a: branch, b: branch }));
    await world.send("q", 1);
    await world.crash();
    await world.send("q", 2);
    expect(Object.values((await world.output()) as object).sort()).toEqual([1, 2]);
  });
});

describe("a completable message", () => {
  law("must be completed before the next wait", async (world) => {
    await world.start(async (ctx) => {
      await ctx.queue.next("first", { completable: true });
      await ctx.queue.next("second", { completable: true });
    });
    await world.send("q", 1);
    const error = await world.failure();
    expect(error.code).toBe("message_not_completed");
    expect(error.message).toContain("message.complete(response)");
  });

  law("is completed once: on replay completing it again does nothing", async (world) => {
    await world.start((ctx) =>
      ctx.loop("l", async (c) => {
        const message = await c.queue.next("wait", { completable: true });
        await c.step("s", () => world.log.push(String(message.body)));
        await message.complete?.({ done: message.body });
        await c.sleep("pause", 10);
        return message.body === 2 ? Loop.break("done") : undefined;
      }),
    );
    await world.send("q", 1);
    await world.crash();
    await world.clock.advance(10);
    await world.send("q", 2);
    await world.clock.advance(10);
    expect(await world.output()).toBe("done");
    expect(world.log).toEqual(["1", "2"]);
  });

  law("refuses a second completion and a response that can't be kept", async (world) => {
    await world.start(async (ctx) => {
      const message = await ctx.queue.next("wait", { completable: true });
      await message.complete?.(() => 1).catch((error: unknown) => world.log.push((error as Error).message));
      await message.complete?.(1);
      await message.complete?.(2).catch((error: unknown) => world.log.push((error as Error).message));
    });
    await world.send("q", 1);
    await world.output();
    expect(world.log.at(-2)).toContain("is a function");
    expect(world.log.at(-1)).toContain("is completed already");
  });
});

test("a message whose body can't be kept is refused when it is sent", async () => {
  const world = new World(false);
  await world.start((ctx) => ctx.queue.next("wait"));
  await expect(world.handle.send("q", { f: () => 1 })).rejects.toThrow("value.f is the function");
  await expect(world.handle.send("q", "x".repeat(1_100_000))).rejects.toThrow("the limit is 1048576");
  await world.end();
});
