import { describe, expect } from "vitest";
import { idle } from "../testing/manual-clock.js";
import { CriticalError, RollbackError } from "./errors.js";
import { law, undoable, type Context } from "./harness.js";
import { Loop } from "./loop.js";

describe("rollback", () => {
  law(
    "undoes completed steps in reverse order, with their outputs, then fails with the first error",
    async (world) => {
      await world.start(async (ctx) => {
        await ctx.rollbackCheckpoint("c");
        await undoable(world, ctx, "a");
        await ctx.step("plain", () => 1);
        await undoable(world, ctx, "b");
        await ctx.step("bad", () => {
          throw new CriticalError("stop");
        });
      });
      const error = await world.failure();
      expect(error.message).toBe("stop");
      expect(world.log).toEqual(["do a", "do b", "undo b-id", "undo a-id"]);
      expect((await world.entry("a")).rolledBackAt).toBeDefined();
    },
  );

  law("is begun by RollbackError without retries, in a step and in workflow code", async (world) => {
    await world.start(async (ctx) => {
      await ctx.rollbackCheckpoint("c");
      await undoable(world, ctx, "a");
      throw new RollbackError("undo all");
    });
    expect((await world.failure()).name).toBe("RollbackError");
    expect(world.log).toEqual(["do a", "undo a-id"]);
  });

  law("runs each handler once, also when it is interrupted by a crash", async (world) => {
    let block: (() => void) | undefined;
    let blocking = true;
    await world.start(async (ctx) => {
      await ctx.rollbackCheckpoint("c");
      for (const name of ["a", "b", "c1"]) {
        await ctx.step({
          name,
          run: () => name,
          rollback: async () => {
            world.log.push(`undo ${name}`);
            if (name === "b" && blocking) await new Promise<void>((resolve) => (block = resolve));
          },
        });
      }
      throw new Error("fail");
    });
    expect(world.log).toEqual(["undo c1", "undo b"]);
    expect(block).toBeDefined();
    blocking = false;
    await world.crash();
    expect((await world.failure()).message).toBe("fail");
    expect(world.log).toEqual(["undo c1", "undo b", "undo b", "undo a"]); // b had not ended: it runs again
  });

  law(
    "§4.15 runs the handlers of the turn in hand inside a failing loop, and of no earlier turn",
    async (world) => {
      await world.start((ctx) =>
        ctx.loop({
          name: "orders",
          state: 0,
          run: async (c, n: number) => {
            await c.rollbackCheckpoint("c");
            await undoable(world, c, `reserve-${n}`);
            await undoable(world, c, `charge-${n}`);
            if (n === 2)
              await c.step("confirm", () => {
                throw new CriticalError("no");
              });
            return Loop.continue(n + 1);
          },
        }),
      );
      await world.failure();
      expect(world.log.filter((line) => line.startsWith("undo"))).toEqual([
        "undo charge-2-id",
        "undo reserve-2-id",
      ]);
    },
  );

  law("runs the handlers of finished joins and of the winner of a race", async (world) => {
    await world.start(async (ctx) => {
      await ctx.rollbackCheckpoint("c");
      await ctx.join("j", {
        a: { run: (c: Context) => undoable(world, c, "a") },
        b: { run: (c: Context) => undoable(world, c, "b") },
      });
      await ctx.race("r", [
        { name: "w", run: (c): Promise<unknown> => undoable(world, c, "w") },
        {
          name: "l",
          run: async (c) => {
            await undoable(world, c, "l");
            await c.sleep("z", 1000);
          },
        },
      ]);
      await ctx.step("bad", () => {
        throw new CriticalError("stop");
      });
    });
    await world.failure();
    const undone = world.log.filter((line) => line.startsWith("undo"));
    expect(undone[0]).toBe("undo w-id");
    expect(undone.slice(1).sort()).toEqual(["undo a-id", "undo b-id"]);
  });

  law("goes on behind a race that failed, and undoes what its branches did", async (world) => {
    const losing = (name: string) => ({
      name,
      run: async (c: Context): Promise<void> => {
        await undoable(world, c, name);
        throw new Error(`no ${name}`);
      },
    });
    await world.start(async (ctx) => {
      await ctx.rollbackCheckpoint("c");
      await ctx.try({ name: "t", run: (c: Context) => c.race("r", [losing("x"), losing("y")]) });
      await undoable(world, ctx, "after");
      await ctx.step("bad", () => {
        throw new CriticalError("stop");
      });
    });
    await world.failure();
    const undone = world.log.filter((line) => line.startsWith("undo"));
    expect(undone[0]).toBe("undo after-id");
    expect(undone.slice(1).sort()).toEqual(["undo x-id", "undo y-id"]);
  });

  law("runs the handlers of a join whose other branch failed", async (world) => {
    await world.start(async (ctx) => {
      await ctx.rollbackCheckpoint("c");
      await ctx.join("j", {
        good: { run: (c: Context) => undoable(world, c, "a") },
        bad: {
          run: (c: Context) =>
            c.step({
              name: "s",
              maxRetries: 0,
              run: () => {
                throw new Error("no");
              },
            }),
        },
      });
    });
    expect((await world.failure()).name).toBe("JoinError");
    expect(world.log).toEqual(["do a", "undo a-id"]);
  });

  law(
    "tries a failing handler again, tells onError, and leaves the rest when it fails for good",
    async (world) => {
      await world.start(async (ctx) => {
        await ctx.rollbackCheckpoint("c");
        await undoable(world, ctx, "a");
        await ctx.step({
          name: "b",
          run: () => 1,
          rollback: () => {
            world.log.push("try b");
            throw new Error("can't undo");
          },
        });
        throw new Error("fail");
      });
      await world.clock.advance(10_000);
      expect((await world.failure()).message).toBe("fail");
      expect(world.log).toEqual(["do a", "try b", "try b", "try b", "try b"]);
      expect((await world.entry("b")).rollbackError?.message).toBe("can't undo");
      expect(world.events.filter((event) => "rollback" in event)).toHaveLength(4);
    },
  );

  law("a handler that fails once is tried again after its pause, over a crash", async (world) => {
    let failures = 1;
    await world.start(async (ctx) => {
      await ctx.rollbackCheckpoint("c");
      await undoable(world, ctx, "a");
      await ctx.step({
        name: "b",
        run: () => 1,
        rollback: () => {
          if (failures-- > 0) throw new Error("once");
          world.log.push("undo b");
        },
      });
      throw new Error("fail");
    });
    expect(await world.status()).toBe("rolling_back");
    await world.crash();
    await world.clock.advance(100);
    await world.failure();
    expect(world.log).toEqual(["do a", "undo b", "undo a-id"]);
  });

  law("needs a checkpoint before the step: told at the call", async (world) => {
    await world.start((ctx) => undoable(world, ctx, "a"));
    const error = await world.failure();
    expect(error.code).toBe("rollback_checkpoint_missing");
    expect(error.message).toContain("ctx.rollbackCheckpoint");
    expect(world.log).toEqual([]);
  });

  law("a checkpoint covers scopes inside, not the scope around", async (world) => {
    await world.start(async (ctx) => {
      await ctx.rollbackCheckpoint("outer");
      await ctx.try("inside", (c) => undoable(world, c, "a"));
      return "fine";
    });
    expect(await world.output()).toBe("fine");
    await world.crash();
  });

  law("a checkpoint set in a scope inside does not cover the scope around", async (world) => {
    await world.start(async (ctx) => {
      await ctx.try("inside", (c) => c.rollbackCheckpoint("inner"));
      await undoable(world, ctx, "a");
    });
    expect((await world.failure()).code).toBe("rollback_checkpoint_missing");
  });

  law("does not happen for a failure that is caught", async (world) => {
    await world.start(async (ctx) => {
      await ctx.rollbackCheckpoint("c");
      await undoable(world, ctx, "a");
      await ctx.tryStep("bad", () => {
        throw new CriticalError("stop");
      });
      return "fine";
    });
    expect(await world.output()).toBe("fine");
    expect(world.log).toEqual(["do a"]);
  });

  law("recover after a rollback runs the undone steps again", async (world) => {
    let broken = true;
    await world.start(async (ctx) => {
      await ctx.rollbackCheckpoint("c");
      await undoable(world, ctx, "a");
      await ctx.step("bad", () => {
        if (broken) throw new CriticalError("stop");
      });
      return "done";
    });
    await world.failure();
    broken = false;
    await world.recover();
    expect(await world.output()).toBe("done");
    expect(world.log).toEqual(["do a", "undo a-id", "do a"]);
    await idle();
  });

  law(
    "a handler that takes longer than the step's timeout is tried again, and given up at last",
    async (world) => {
      await world.start(async (ctx) => {
        await ctx.rollbackCheckpoint("c");
        await undoable(world, ctx, "a");
        await ctx.step({
          name: "b",
          timeout: 50,
          run: () => 1,
          rollback: () => {
            world.log.push("try b");
            return new Promise(() => undefined);
          },
        });
        throw new Error("fail");
      });
      await world.clock.advance(49);
      expect(world.log).toEqual(["do a", "try b"]);
      await world.clock.advance(10_000);
      expect((await world.failure()).message).toBe("fail");
      expect(world.log).toEqual(["do a", "try b", "try b", "try b", "try b"]);
      expect((await world.entry("b")).rollbackError).toMatchObject({ code: "step_timeout" });
    },
  );

  law(
    "has handlers time out after 30 s unless the step says otherwise, and goes on to those before",
    async (world) => {
      let hangs = true;
      await world.start(async (ctx) => {
        await ctx.rollbackCheckpoint("c");
        await undoable(world, ctx, "a");
        await ctx.step({
          name: "b",
          run: () => 1,
          rollback: () => (hangs ? new Promise(() => undefined) : undefined),
        });
        throw new Error("fail");
      });
      await world.clock.advance(29_999);
      expect(await world.status()).toBe("rolling_back");
      hangs = false;
      await world.clock.advance(101);
      await world.failure();
      expect(world.log).toEqual(["do a", "undo a-id"]);
    },
  );

  law("finds the handlers in a join that had ended before a crash", async (world) => {
    await world.start(async (ctx) => {
      await ctx.rollbackCheckpoint("c");
      await ctx.join("j", { a: { run: (c: Context) => undoable(world, c, "a") } });
      await ctx.queue.next("wait");
      throw new Error("fail");
    });
    await world.crash();
    await world.send("q");
    expect((await world.failure()).message).toBe("fail");
    expect(world.log).toEqual(["do a", "undo a-id"]);
  });
});
