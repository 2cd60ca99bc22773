import { describe, expect } from "vitest";
import type { InstanceCommit } from "./ports.js";
import { law, type Context, type World } from "./harness.js";
import { Loop } from "./loop.js";

/** The commits of a world's processes from now on. */
function watchCommits(world: World): InstanceCommit[] {
  const seen: InstanceCommit[] = [];
  const commit = world.kept.commit.bind(world.kept);
  world.kept.commit = (what) => {
    seen.push(what);
    return commit(what);
  };
  return seen;
}

/** Points of the replay contract (design §4) that no other suite is about. */
describe("the replay contract", () => {
  law(
    "§4.1 entries are keyed by their name path: iterations, branches and try blocks in it",
    async (world) => {
      await world.start(async (ctx) => {
        await ctx.step("s", () => 1);
        await ctx.try("t", (c) => c.step("s", () => 2));
        await ctx.loop("l", async (c) => {
          await c.step("s", () => 3);
          await c.join("j", { b: { run: (d: Context) => d.step("s", () => 4) } });
          await c.race("r", [{ name: "b", run: (d) => d.step("s", () => 5) }]);
          return Loop.break();
        });
      });
      await world.output();
      expect((await world.paths()).filter((path) => path.endsWith("s"))).toEqual([
        "s",
        "t/s",
        "l/~0/s",
        "l/~0/j/b/s",
        "l/~0/r/b/s",
      ]);
    },
  );

  for (const [what, wait] of [
    ["a sleep", (c: Context) => c.sleep("z", 100)],
    ["a queue wait", (c: Context) => c.queue.next("q", { timeout: 100 }).catch(() => undefined)],
    [
      "the retry of a step",
      (c: Context) =>
        c.step({
          name: "s",
          retryBackoffBase: 100,
          run: ({ attempt }) => {
            if (attempt === 1) throw new Error("again");
          },
        }),
    ],
    ["a join", (c: Context) => c.join("j", { b: { run: (d: Context) => d.sleep("z", 100) } })],
  ] as const)
    law(`§4.11 catch, finally and .catch around ${what} wait with it, over a crash too`, async (world) => {
      await world.start(async (ctx) => {
        try {
          await (wait(ctx) as Promise<unknown>).catch((error: unknown) => {
            world.log.push(".catch");
            throw error;
          });
          return "went on";
        } catch (error) {
          world.log.push("catch");
          throw error;
        } finally {
          world.log.push("finally");
        }
      });
      expect([await world.status(), world.log]).toEqual(["sleeping", []]);
      await world.handle.evict();
      await world.crash();
      expect(world.log).toEqual([]);
      await world.clock.advance(100);
      expect(await world.output()).toBe("went on");
      expect(world.log).toEqual(["finally"]);
    });

  law(
    "§4.11 an error that user code throws in place of a suspension changes nothing: there is none to see",
    async (world) => {
      await world.start(async (ctx) => {
        try {
          await ctx.sleep("z", 100);
        } catch {
          return "swallowed";
        }
        return "slept";
      });
      await world.crash();
      await world.clock.advance(100);
      expect(await world.output()).toBe("slept");
    },
  );

  law("§4.12 the record of a step and what it sends become durable in one commit", async (world) => {
    const commits = watchCommits(world);
    await world.start(async (ctx) => {
      await ctx.step("s", (step) => {
        step.queue.send("q", 1);
        step.queue.send("q", 2);
        return "out";
      });
      return (await ctx.queue.nextBatch("w", { count: 2 })).map(({ body }) => body);
    });
    expect(await world.output()).toEqual([1, 2]);
    const withStep = commits.filter(({ puts }) => puts.has("h/s"));
    expect(withStep).toHaveLength(1);
    expect([...(withStep[0]?.puts.keys() ?? [])].filter((key) => key.startsWith("q/"))).toHaveLength(2);
  });

  law("§4.12 of a step that is killed before its commit nothing is sent", async (world) => {
    let hangs = true;
    await world.start(async (ctx) => {
      await ctx.step("s", async (step) => {
        step.queue.send("q", "sent");
        if (hangs) await new Promise(() => undefined);
      });
      return (await ctx.queue.nextBatch("w", { count: 9 })).map(({ body }) => body);
    });
    expect(await world.storedMessages()).toBe(0);
    hangs = false;
    await world.crash();
    expect(await world.output()).toEqual(["sent"]);
  });

  law(
    "§4.12 what a failed attempt sends is dropped, so that its retry does not send twice",
    async (world) => {
      await world.start(async (ctx) => {
        await ctx.step("s", (step) => {
          step.queue.send("q", step.attempt);
          if (step.attempt === 1) throw new Error("again");
        });
        return (await ctx.queue.nextBatch("w", { count: 9 })).map(({ body }) => body);
      });
      await world.clock.advance(100);
      expect(await world.output()).toEqual([2]);
    },
  );

  law("§4.16 a variable that a step writes holds its initial value after a replay", async (world) => {
    await world.start(async (ctx) => {
      let written = "initial";
      await ctx.step("s", () => {
        written = "by the step";
      });
      await ctx.queue.next("wait");
      return written;
    });
    await world.crash();
    await world.send("q");
    expect(await world.output()).toBe("initial");
  });

  law("§4.15 a gate costs the same after ten entries and after a thousand", async (world) => {
    const costs: number[] = [];
    const commits = watchCommits(world);
    await world.start(async (ctx) => {
      for (let i = 0; i < 1000; i++) {
        await ctx.step(`s${i}`, () => i);
        if (i !== 10 && i !== 999) continue;
        const [before, reads] = [commits.length, world.store.reads];
        await ctx.getVersion(`g${i}`, 2);
        await ctx.step(`after${i}`, () => i);
        const written = commits.slice(before).reduce((sum, { puts }) => sum + puts.size, 0);
        costs.push(written, world.store.reads - reads);
      }
    });
    await world.output();
    expect(costs.slice(0, 2)).toEqual(costs.slice(2, 4));
    expect(costs[1]).toBe(0);
  });
});
