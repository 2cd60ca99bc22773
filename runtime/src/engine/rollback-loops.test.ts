import { describe, expect } from "vitest";
import { law, undoable, type Context, type World } from "./harness.js";
import { Loop } from "./loop.js";

const undone = (world: World): string[] => world.log.filter((line) => line.startsWith("undo"));

/** One order per turn, with a checkpoint of the turn's own, as in the seed's "Rollback". */
const checkout = (world: World) => (ctx: Context) =>
  ctx.loop("orders", async (c) => {
    const { body } = await c.queue.next("wait-order");
    await c.rollbackCheckpoint("checkout");
    await undoable(world, c, "reserve", String(body));
    await undoable(world, c, "charge", String(body));
    await c.step({
      name: "confirm",
      maxRetries: 0,
      run: () => {
        if (body === "bad") throw new Error("no");
      },
    });
  });

describe("a rollback and loops", () => {
  law("§4.15 undoes the steps of the turn that fails", async (world) => {
    await world.start(checkout(world));
    await world.send("orders", "bad");
    await world.failure();
    expect(world.log).toEqual(["do reserve-bad", "do charge-bad", "undo charge-bad", "undo reserve-bad"]);
  });

  law("leaves alone what turns that have ended did under a checkpoint of their own", async (world) => {
    await world.start(checkout(world));
    await world.send("orders", "1");
    await world.send("orders", "2");
    await world.crash();
    await world.send("orders", "bad");
    await world.failure();
    expect(undone(world)).toEqual(["undo charge-bad", "undo reserve-bad"]);
  });

  /** Reserves `count` items, each in a turn; waits in the turn of item `waitsAt`. */
  const items = (world: World, count: number, waitsAt?: number) => async (ctx: Context) => {
    await ctx.rollbackCheckpoint("c");
    await ctx.loop({
      name: "reserve",
      state: 100,
      historyPruneInterval: 3,
      run: async (c, n: number) => {
        if (n >= 104) await undoable(world, c, "s", String(n)); // the first turns do nothing to undo
        if (n === waitsAt && (await c.queue.next("wait")).body === "bad") throw new Error("bad item");
        return n === 100 + count ? Loop.break(n) : Loop.continue(n + 1);
      },
    });
  };

  law(
    "undoes all turns of a finished loop, however long, when the checkpoint comes before it",
    async (world) => {
      await world.start(async (ctx) => {
        await items(world, 40)(ctx);
        await ctx.queue.next("wait");
        throw new Error("fail");
      });
      await world.crash();
      await world.send("q");
      expect((await world.failure()).message).toBe("fail");
      expect(undone(world)).toEqual(Array.from({ length: 37 }, (_, i) => `undo s-${140 - i}`));
      const turns = (await world.paths()).filter((path) => path.startsWith("reserve/"));
      expect(turns).toContain("reserve/~4/s"); // kept for the rollback
      expect(turns.filter((path) => /~[0-3]\//.test(path))).toEqual([]);
    },
  );

  law("undoes the finished turns of a loop that fails when the checkpoint comes before it", async (world) => {
    await world.start((ctx) => items(world, 40, 110)(ctx));
    await world.crash();
    await world.send("q", "bad");
    expect((await world.failure()).message).toBe("bad item");
    expect(undone(world)).toEqual(Array.from({ length: 7 }, (_, i) => `undo s-${110 - i}`));
  });

  law("goes on undoing after a crash in the midst of it, each once", async (world) => {
    let killed = false;
    await world.start(async (ctx) => {
      await ctx.rollbackCheckpoint("c");
      await ctx.loop({
        name: "l",
        state: 0,
        run: async (c, n: number) => {
          await c.step({
            name: "s",
            run: () => n,
            rollback: async (_, output) => {
              if (output === 1 && !killed) await new Promise(() => (killed = true)); // until it is killed
              world.log.push(`undo s-${output}`);
            },
          });
          if (n === 3) throw new Error("fail");
          return Loop.continue(n + 1);
        },
      });
    });
    expect(undone(world)).toEqual(["undo s-3", "undo s-2"]);
    await world.crash();
    expect((await world.failure()).message).toBe("fail");
    expect(undone(world)).toEqual(["undo s-3", "undo s-2", "undo s-1", "undo s-0"]);
  });

  law("a checkpoint around an outer loop covers the turns of an inner one", async (world) => {
    await world.start(async (ctx) => {
      await ctx.rollbackCheckpoint("c");
      await ctx.loop({
        name: "o",
        state: 0,
        run: async (outer, i: number) => {
          await outer.loop({
            name: "i",
            state: 0,
            run: async (inner, j: number) => {
              await undoable(world, inner, "s", `${i}.${j}`);
              return j === 1 ? Loop.break() : Loop.continue(j + 1);
            },
          });
          return i === 1 ? Loop.break() : Loop.continue(i + 1);
        },
      });
      throw new Error("fail");
    });
    await world.failure();
    expect(undone(world)).toEqual(["undo s-1.1", "undo s-1.0", "undo s-0.1", "undo s-0.0"]);
  });

  law(
    "recover after a rollback runs again what was undone in finished loops, joins and races",
    async (world) => {
      let broken = true;
      await world.start(async (ctx) => {
        await ctx.rollbackCheckpoint("c");
        const sum = await ctx.loop({
          name: "l",
          state: { n: 0, sum: 0 },
          run: async (c, { n, sum }: { n: number; sum: number }) => {
            await c.step("plain", () => world.log.push(`plain ${n}`));
            if (n > 0) await undoable(world, c, "s", String(n));
            return n === 2 ? Loop.break(sum + n) : Loop.continue({ n: n + 1, sum: sum + n });
          },
        });
        await ctx.join("j", { a: { run: (c: Context) => undoable(world, c, "a") } });
        await ctx.race("r", [{ name: "w", run: (c): Promise<unknown> => undoable(world, c, "w") }]);
        if (broken) throw new Error("fail");
        return sum;
      });
      await world.failure();
      expect(undone(world)).toEqual(["undo w-id", "undo a-id", "undo s-2", "undo s-1"]);
      world.log.splice(0);
      broken = false;
      await world.recover();
      expect(await world.output()).toBe(3);
      expect(world.log).toEqual(["do s-1", "do s-2", "do a", "do w"]);
    },
  );
});
