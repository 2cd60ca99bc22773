import { describe, expect, test } from "vitest";
import { commitOf } from "../store/contract.js";
import { idle } from "../testing/manual-clock.js";
import { createEngine } from "./engine.js";
import { CriticalError } from "./errors.js";
import { law, World, type Context } from "./harness.js";
import { Loop } from "./loop.js";

describe("a workflow", () => {
  law("gets the input of its first start for ever, and gives its output", async (world) => {
    const fn = async (ctx: Context, input: { n: number; at: Date }): Promise<unknown> => {
      await ctx.sleep("z", 10);
      return { n: input.n, at: input.at.getTime() };
    };
    await world.start(fn, { n: 1, at: new Date(7) });
    await world.crash();
    await world.clock.advance(10);
    expect(await world.output()).toEqual({ n: 1, at: 7 });
    await world.crash(() => {
      throw new Error("a completed workflow is not run again");
    });
    expect(await world.output()).toEqual({ n: 1, at: 7 });
  });

  law("keeps its error, which its caller gets", async (world) => {
    await world.start(() => {
      throw new TypeError("mine");
    });
    await world.crash();
    const error = await world.failure();
    expect([error.name, error.message]).toEqual(["TypeError", "mine"]);
  });

  law("that sleeps is woken when it is due, by whichever process is there", async (world) => {
    await world.start(async (ctx) => {
      await ctx.sleep("long", 86_400_000 * 60);
      return "woken";
    });
    await world.clock.advance(86_400_000 * 30);
    await world.crash();
    await world.clock.advance(86_400_000 * 30 - 1);
    expect(await world.status()).toBe("sleeping");
    await world.clock.advance(1);
    expect(await world.output()).toBe("woken");
  });

  law("that was due while no process ran is woken when one starts", async (world) => {
    await world.start(async (ctx) => {
      await ctx.sleep("z", 1000);
      return "woken";
    });
    world.clock.set(world.clock.now() + 5000);
    await world.crash();
    expect(await world.output()).toBe("woken");
  });

  law("is not woken early when the clock is set back, and goes on when it has caught up", async (world) => {
    await world.start(async (ctx) => {
      await ctx.sleep("z", 1000);
      return "woken";
    });
    world.clock.set(world.clock.now() - 3_600_000);
    await world.crash();
    await world.clock.advance(3_600_000 + 999);
    expect(await world.status()).toBe("sleeping");
    await world.clock.advance(1);
    expect(await world.output()).toBe("woken");
  });

  law(
    "that has waited for a second is not run again by the process after one that was killed",
    async (world) => {
      await world.start(async (ctx) => {
        world.log.push("run");
        await ctx.step("a", () => 1);
        await ctx.queue.next("wait");
      });
      await world.clock.advance(1000);
      const runs = world.log.length;
      await world.crash();
      await world.clock.advance(10_000);
      expect(world.log.length).toBe(runs);
      await world.send("q");
      await world.output();
      expect(world.log.length).toBe(runs + 1);
    },
  );

  law(
    "sees messages in the order of their sending when the clock is set back between them",
    async (world) => {
      await world.start(async (ctx) => {
        await ctx.sleep("z", 10);
        return (await ctx.queue.nextBatch("wait", { count: 3 })).map(({ body, createdAt }) => [
          body,
          createdAt,
        ]);
      });
      for (const body of [1, 2, 3]) {
        await world.send("q", body);
        world.clock.set(world.clock.now() - 100);
      }
      await world.clock.advance(1000);
      const received = (await world.output()) as [number, number][];
      expect(received.map(([body]) => body)).toEqual([1, 2, 3]);
      const [first = 0] = received.map(([, at]) => at);
      expect(received.map(([, at]) => at - first)).toEqual([0, -100, -200]);
    },
  );

  law(
    "takes a message that comes before the deadline when the clock was set back before the wait",
    async (world) => {
      await world.start(async (ctx) => {
        await ctx.queue.next("first");
        await ctx.queue.next("second");
        return (await ctx.queue.nextBatch("third", { timeout: 100 })).length;
      });
      await world.send("q", 1);
      world.clock.set(world.clock.now() - 1000);
      await world.send("q", 2);
      await world.send("q", 3);
      await world.clock.advance(1000);
      expect(await world.output()).toBe(1);
    },
  );
});

test("an instance that does not exist is named, and not made by asking for it", async () => {
  const world = new World(false);
  await world.start(() => "done");
  const engine = createEngine({ store: world.kept, clock: world.clock, workflows: { w: () => 1 } });
  await expect(engine.handle("w", "none").status()).rejects.toThrow('There is no instance "w/none"');
  await expect(engine.handle("nothing", "1").status()).rejects.toMatchObject({ code: "unknown_workflow" });
  expect((await world.kept.instances({ limit: 10 })).map(({ instance }) => instance)).toEqual(["w/1"]);
  await world.end();
});

describe("cancel", () => {
  law("ends a waiting workflow for good, also over a crash", async (world) => {
    await world.start(async (ctx) => {
      await ctx.sleep("z", 10);
      world.log.push("went on");
    });
    await world.handle.cancel();
    expect(await world.status()).toBe("cancelled");
    await world.crash();
    await world.clock.advance(1000);
    await world.send("q");
    expect(await world.status()).toBe("cancelled");
    expect(world.log).toEqual([]);
    await expect(world.handle.result()).rejects.toThrow("was cancelled");
  });

  law("§4.15 is not overwritten by the run in progress", async (world) => {
    let release: (() => void) | undefined;
    await world.start(async (ctx) => {
      await ctx.step(
        "long",
        (step) =>
          new Promise<void>((resolve) => {
            release = resolve;
            step.abortSignal.addEventListener("abort", () => world.log.push("told to stop"));
          }),
      );
      await ctx.step("after", () => world.log.push("after"));
    });
    await world.handle.cancel();
    release?.();
    await idle();
    expect(await world.status()).toBe("cancelled");
    await world.crash();
    expect(await world.status()).toBe("cancelled");
    expect(world.log).toEqual(["told to stop"]);
    expect(await world.paths()).toEqual([]);
  });

  law("of one that has ended does nothing", async (world) => {
    await world.start(() => "done");
    await world.handle.cancel();
    expect(await world.output()).toBe("done");
  });
});

describe("evict", () => {
  law("§4.15 reaches the branches of races and joins", async (world) => {
    const stuck = {
      run: (c: Context): Promise<unknown> =>
        c.step(
          "s",
          (step) =>
            new Promise((resolve) => {
              step.abortSignal.addEventListener("abort", () => {
                world.log.push(`aborted ${step.isEvicted()}`);
                resolve(0);
              });
            }),
        ),
    };
    await world.start(async (ctx) => {
      await ctx.race("r", [
        { name: "a", run: (c): Promise<unknown> => c.join("j", { x: stuck, y: stuck }) },
        { name: "b", ...stuck },
      ]);
    });
    await world.handle.evict();
    expect(world.log).toEqual(["aborted true", "aborted true", "aborted true"]);
  });

  law(
    "records a body that still completes within the grace time, and not one that fails because of it",
    async (world) => {
      world.options = { graceMs: 1000 };
      let first = true;
      await world.start(async (ctx) =>
        ctx.join("j", {
          good: {
            run: (c: Context) =>
              c.step("s", (step) =>
                first
                  ? new Promise((resolve) => {
                      step.abortSignal.addEventListener("abort", () => {
                        resolve("in time");
                      });
                    })
                  : "again",
              ),
          },
          bad: {
            run: (c: Context) =>
              c.step("s", (step) =>
                first
                  ? new Promise((_, reject) => {
                      step.abortSignal.addEventListener("abort", () => {
                        reject(new Error("stopped"));
                      });
                    })
                  : `attempt ${step.attempt}`,
              ),
          },
        }),
      );
      await world.handle.evict();
      first = false;
      await world.crash();
      expect(await world.output()).toEqual({ good: "in time", bad: "attempt 1" });
    },
  );

  law("goes on from history afterwards", async (world) => {
    await world.start(async (ctx) => {
      await ctx.step("a", () => world.log.push("a"));
      const { body } = await ctx.queue.next("wait");
      return body;
    });
    await world.handle.evict();
    await world.send("q", 7);
    expect(await world.output()).toBe(7);
    expect(world.log).toEqual(["a"]);
  });
});

describe("recover", () => {
  law("runs the step that ended it again, with its retries reset", async (world) => {
    let broken = true;
    await world.start(async (ctx) => {
      await ctx.step("fine", () => world.log.push("fine"));
      return ctx.step({
        name: "bad",
        maxRetries: 1,
        run: (step) => {
          if (broken) throw new Error("down");
          return step.attempt;
        },
      });
    });
    await world.clock.advance(1000);
    await world.failure();
    broken = false;
    await world.recover();
    expect(await world.output()).toBe(1);
    expect(world.log).toEqual(["fine"]);
  });

  law("leaves failures alone that were caught", async (world) => {
    let broken = true;
    await world.start(async (ctx) => {
      const caught = await ctx.tryStep("caught", () => {
        world.log.push("caught");
        throw new CriticalError("stop");
      });
      await ctx.step("bad", () => {
        if (broken) throw new CriticalError("down");
      });
      return caught.ok;
    });
    await world.failure();
    broken = false;
    await world.recover();
    expect(await world.output()).toBe(false);
    expect(world.log).toEqual(["caught"]);
  });

  law("finds the step behind an error that user code wrapped", async (world) => {
    let broken = true;
    await world.start(async (ctx) => {
      try {
        return await ctx.step("bad", () => {
          if (broken) throw new CriticalError("down");
          return "up";
        });
      } catch (error) {
        throw new Error("wrapped", { cause: error });
      }
    });
    expect((await world.failure()).message).toBe("wrapped");
    broken = false;
    await world.recover();
    expect(await world.output()).toBe("up");
  });

  law("does nothing to a workflow that has not failed", async (world) => {
    await world.start((ctx) => ctx.sleep("z", 10));
    await world.recover();
    expect(await world.status()).toBe("sleeping");
  });
});

describe("replayFrom", () => {
  law("forgets the step and all after it, and runs again from there", async (world) => {
    let version = 1;
    await world.start(async (ctx) => {
      const out: string[] = [];
      for (const name of ["a", "b", "c"]) out.push(await ctx.step(name, () => `${name}${version}`));
      return out;
    });
    version = 2;
    await world.replayFrom("b");
    expect(await world.output()).toEqual(["a1", "b2", "c2"]);
  });

  law("has the messages that were received after the step wait again, before all others", async (world) => {
    await world.start((ctx) =>
      ctx.loop({
        name: "l",
        state: [] as unknown[],
        run: async (c, seen: unknown[]) => {
          if (seen.length === 2) await c.step("two", () => world.log.push("two"));
          const { body } = await c.queue.next("wait", { names: seen.length < 4 ? ["a"] : ["b"] });
          return seen.length === 4 ? Loop.break([...seen, body]) : Loop.continue([...seen, body]);
        },
      }),
    );
    for (const body of [1, 2, 3, 4]) await world.send("a", body);
    await world.send("a", 5);
    await world.replayFrom("l/~2/two");
    await idle();
    await world.crash();
    expect((await world.entry("l")).state).toEqual([1, 2, 3, 4]);
    expect(world.log).toEqual(["two", "two"]);
    expect(await world.storedMessages()).toBe(1);
    await world.send("b", "end");
    expect(await world.output()).toEqual([1, 2, 3, 4, "end"]);
  });

  law("without a step has every message that was received wait again, in order", async (world) => {
    await world.start(async (ctx) => [
      ...(await ctx.queue.nextBatch("first", { count: 2 })).map(({ body }) => body),
      (await ctx.queue.next("second", { names: ["late"] })).body,
    ]);
    await world.send("q", 1);
    await world.send("q", 2);
    await world.replayFrom();
    await world.send("q", 3);
    await world.crash();
    await world.send("late", "x");
    expect(await world.output()).toEqual([1, 2, "x"]);
  });

  law("without a step begins at the beginning", async (world) => {
    let version = 1;
    await world.start((ctx) => ctx.step("a", () => version));
    version = 2;
    await world.replayFrom();
    expect(await world.output()).toBe(2);
  });

  law("inside a loop goes back to the turn in hand, keeping its state", async (world) => {
    let version = 1;
    await world.start((ctx) =>
      ctx.loop({
        name: "l",
        state: 0,
        run: async (c, n: number) => {
          const a = await c.step("a", () => `${n}.${version}`);
          if (n === 2) {
            await c.queue.next("wait");
            return Loop.break(a);
          }
          return Loop.continue(n + 1);
        },
      }),
    );
    version = 2;
    await world.replayFrom("l/~2/a");
    await world.send("q");
    expect(await world.output()).toBe("2.2");
  });

  law("inside a finished join runs the branch again", async (world) => {
    let version = 1;
    await world.start((ctx) =>
      ctx.join("j", {
        a: { run: (c: Context) => c.step("s", () => version) },
        b: { run: (c: Context) => c.step("s", () => version) },
      }),
    );
    version = 2;
    await world.replayFrom("j/b/s");
    expect(await world.output()).toEqual({ a: 1, b: 2 });
  });

  law("is refused for what is not there, is no step, or while a step runs", async (world) => {
    await world.start(async (ctx) => {
      await ctx.sleep("z", 0);
      await ctx.step("stuck", () => new Promise(() => undefined));
    });
    await expect(world.replayFrom("z")).rejects.toMatchObject({ code: "workflow_in_flight" });
    await world.handle.cancel();
    await expect(world.replayFrom("none")).rejects.toMatchObject({ code: "entry_not_found" });
    await expect(world.replayFrom("z")).rejects.toMatchObject({ code: "not_a_step" });
  });
});

describe("a record that can't be read", () => {
  const damages: readonly (readonly [string, (text: string) => string, string])[] = [
    ["cut", (text) => text.slice(0, -3), "its checksum does not match"],
    ["altered", (text) => text.replace("one", "two"), "its checksum does not match"],
    ["newer", (text) => `9${text.slice(1)}`, "written by a newer version (record format 9"],
    ["empty", () => "", "it has no header"],
  ];
  for (const [what, damage, message] of damages) {
    test(`parks its instance, naming instance and entry, and no other (${what})`, async () => {
      const world = new World(false);
      const fn = async (ctx: Context): Promise<string> => {
        await ctx.step("a", () => "one");
        await ctx.sleep("z", 10);
        return "done";
      };
      await world.start(fn);
      const { records } = await world.kept.read("w/1");
      const text = records.find(({ key }) => key === "h/a")?.value ?? "";
      const put = (value: string): Promise<void> =>
        world.kept.commit({
          instance: "w/1",
          puts: new Map([["h/a", value]]),
          deletes: new Set(),
          deleteRanges: [],
          due: undefined,
          removeInstance: false,
        });
      await put(damage(text));
      await world.crash();
      await world.clock.advance(10);
      expect(await world.status()).toBe("parked");
      await expect(world.handle.result()).rejects.toThrow(`Record "h/a" of instance "w/1" can't be read`);
      await expect(world.handle.result()).rejects.toThrow(message);
      await put(text); // nothing else was lost: with the record restored it goes on
      await world.crash();
      expect(await world.output()).toBe("done");
      await world.end();
    });
  }
});

describe("a message, a status or an input that can't be read", () => {
  const put = (world: World, key: string, value: string): Promise<void> =>
    world.kept.commit(commitOf("w/1", { puts: { [key]: value } }));
  const waiter = async (ctx: Context, input: string): Promise<unknown> => {
    await ctx.queue.next("begin", { names: ["begin"] });
    return [input, (await ctx.queue.nextBatch("all", { names: ["q"], count: 2000 })).length];
  };

  for (const prefix of ["q/", "w", "wi"])
    test(`parks its instance, names the record, and leaves it as it is (${prefix})`, async () => {
      const world = new World(false);
      await world.start(waiter, "in");
      await world.send("q", 1);
      const { records } = await world.kept.read("w/1");
      const { key, value } = records.find((record) => record.key.startsWith(prefix)) ?? {
        key: "",
        value: "",
      };
      await put(world, key, value.slice(0, -2));
      await world.crash();
      expect(await world.status()).toBe("parked");
      await expect(world.handle.result()).rejects.toThrow(`Record "${key}" of instance "w/1" can't be read`);
      if (prefix === "q/")
        await expect(world.handle.send("q", 2)).rejects.toMatchObject({ code: "corrupt_record" });
      await put(world, key, value);
      await world.crash();
      await world.send("begin");
      expect(await world.output()).toEqual(["in", 1]);
      await world.end();
    });

  law("parks its instance when it comes up later, beyond what is held in memory", async (world) => {
    await world.start(waiter, "in");
    for (let i = 0; i < 30; i++)
      await Promise.all(Array.from({ length: 50 }, () => world.handle.send("q", "x")));
    const { records } = await world.kept.read("w/1");
    const { key, value } = records.filter((record) => record.key.startsWith("q/"))[700] ?? {
      key: "",
      value: "",
    };
    await put(world, key, value.slice(0, -2));
    await world.crash();
    await world.send("begin");
    await expect(world.handle.result()).rejects.toThrow(`Record "${key}" of instance "w/1" can't be read`);
    await world.handle.evict();
    const seen = await world.handle.use(async (run) => {
      const { status } = run;
      await run.settled();
      return [status, run.status];
    });
    expect(seen).toEqual(["running", "parked"]); // never asleep: it has not looked at all messages yet
    await put(world, key, value);
    await world.crash();
    await world.send("begin");
    expect(await world.output()).toEqual(["in", 1500]);
  });
});

describe("a store that fails", () => {
  test("has the instance dropped and tried again after a pause, and nothing is lost", async () => {
    const world = new World(false);
    await world.start(async (ctx) => {
      await ctx.sleep("z", 10);
      await ctx.step("a", () => world.log.push("a"));
      return "done";
    });
    world.store.failing = new Error("disk is full");
    await world.clock.advance(10);
    expect(world.faults.splice(0).map(String)).toEqual([
      expect.stringContaining('A commit of instance "w/1" was not stored: disk is full'),
    ]);
    await world.clock.advance(1000);
    expect(world.faults.splice(0)).toHaveLength(1);
    world.store.failing = undefined;
    await world.clock.advance(2000);
    expect(await world.output()).toBe("done");
    expect(world.log).toEqual(["a", "a", "a"]); // its outcome could not be kept twice
    await world.end();
  });
});
