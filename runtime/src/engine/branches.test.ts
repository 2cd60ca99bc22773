import { describe, expect, test } from "vitest";
import { idle } from "../testing/manual-clock.js";
import { commitOf } from "../store/contract.js";
import { encodeEntry } from "./entry.js";
import { CancelledError, JoinError, RaceError } from "./errors.js";
import { law, World, type Context } from "./harness.js";

describe("a join", () => {
  law("gives the outputs of all branches by name", async (world) => {
    await world.start((ctx) =>
      ctx.join("j", {
        a: { run: (c: Context) => c.step("s", () => 1) },
        b: {
          run: async (c: Context) => {
            await c.sleep("z", 20);
            return c.step("s", () => ({ b: 2 }));
          },
        },
        c: { run: () => undefined },
      }),
    );
    await world.clock.advance(10);
    await world.crash();
    await world.clock.advance(10);
    expect(await world.output()).toEqual({ a: 1, b: { b: 2 }, c: undefined });
  });

  law("runs its branches at the same time", async (world) => {
    const begin = world.clock.now();
    const sleeper = (ms: number) => ({ run: (c: Context) => c.sleep("z", ms) });
    await world.start((ctx) => ctx.join("j", { a: sleeper(100), b: sleeper(100), c: sleeper(100) }));
    await world.clock.advance(100);
    expect(await world.status()).toBe("completed");
    expect(world.clock.now() - begin).toBe(100);
  });

  law("that has failed branches throws JoinError after all have ended, each run once", async (world) => {
    await world.start(async (ctx) => {
      try {
        await ctx.join("j", {
          bad: {
            run: (c: Context) =>
              c.step({
                name: "s",
                maxRetries: 0,
                run: () => {
                  world.log.push("bad");
                  throw new Error("no");
                },
              }),
          },
          worse: {
            run: () => {
              throw new TypeError("mine");
            },
          },
          slow: {
            run: async (c: Context) => {
              await c.sleep("z", 50);
              await c.step("s", () => world.log.push("slow"));
            },
          },
        });
      } catch (error) {
        if (!(error instanceof JoinError)) throw error;
        await ctx.sleep("after", 10);
        return Object.entries(error.errors).map(([name, { message }]) => `${name}: ${message}`);
      }
    });
    await world.crash();
    await world.clock.advance(50);
    await world.crash();
    await world.clock.advance(10);
    expect(await world.output()).toEqual([expect.stringMatching(/^bad: Step "s" failed/), "worse: mine"]);
    expect(world.log).toEqual(["bad", "slow"]);
  });

  law("nests, and finds each branch by its path", async (world) => {
    await world.start((ctx) =>
      ctx.join("outer", {
        x: { run: (c: Context) => c.join("inner", { y: { run: (d: Context) => d.step("s", () => 7) } }) },
      }),
    );
    expect(await world.output()).toEqual({ x: { y: 7 } });
    expect(await world.paths()).toContain("outer/x/inner/y/s");
  });

  law("can be recovered: failed steps of its branches run again, the others do not", async (world) => {
    let broken = true;
    await world.start((ctx) =>
      ctx.join("j", {
        good: {
          run: (c: Context) =>
            c.step("s", () => {
              world.log.push("good");
              return 1;
            }),
        },
        bad: {
          run: (c: Context) =>
            c.step({
              name: "s",
              maxRetries: 0,
              run: () => {
                if (broken) throw new Error("down");
                world.log.push("bad");
                return 2;
              },
            }),
        },
      }),
    );
    expect((await world.failure()).name).toBe("JoinError");
    broken = false;
    await world.recover();
    expect(await world.output()).toEqual({ good: 1, bad: 2 });
    expect(world.log).toEqual(["good", "bad"]);
  });

  law("with 200 branches of 5 steps each gives them all", async (world) => {
    const branches = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [
        `b${i}`,
        {
          run: async (c: Context) => {
            for (let n = 0; n < 5; n++) await c.step(`s${n}`, () => n);
            await c.sleep("z", i);
            return i;
          },
        },
      ]),
    );
    await world.start((ctx) => ctx.join("j", branches));
    await world.clock.advance(100);
    await world.crash();
    await world.clock.advance(200);
    expect(Object.values((await world.output()) as object)).toEqual(Array.from({ length: 200 }, (_, i) => i));
  });
});

describe("a race", () => {
  law("§4.8 gives the first branch to end well, and forgets the entries of the others", async (world) => {
    await world.start((ctx) =>
      ctx.race("r", [
        {
          name: "slow",
          run: async (c): Promise<unknown> => {
            await c.step("s", () => 1);
            await c.sleep("z", 1000);
            return "slow";
          },
        },
        {
          name: "fast",
          run: async (c) => {
            await c.step("s", () => 1);
            await c.sleep("z", 10);
            return "fast";
          },
        },
      ]),
    );
    expect(await world.paths()).toContain("r/slow/s");
    await world.clock.advance(10);
    expect(await world.output()).toEqual({ winner: "fast", value: "fast" });
    expect(await world.paths()).toEqual(["r", "r/fast/s", "r/fast/z"]);
    expect((await world.kept.read("w/1")).records.filter(({ key }) => key.includes("slow"))).toEqual([]);
  });

  law("leaves no record of a loser, however few turns of the microtask queue behind it is", async (world) => {
    const later = async (turns: number): Promise<void> => {
      for (let turn = 0; turn < turns; turn++) await undefined;
    };
    /** Branches whose end became durable without that of their race. */
    const torn: string[] = [];
    const commit = world.kept.commit.bind(world.kept);
    world.kept.commit = (what) => {
      for (const key of what.puts.keys())
        if (/^h\/r\d+-\d+\/[ab]$/.test(key) && !what.puts.has(key.slice(0, -2))) torn.push(key);
      return commit(what);
    };
    await world.start(async (ctx) => {
      for (let a = 0; a < 12; a++)
        for (let b = 0; b < 12; b++)
          await ctx.race(`r${a}-${b}`, [
            {
              name: "a",
              run: async (c) => {
                await c.step("s", () => later(a));
                await later(a % 3);
              },
            },
            {
              name: "b",
              run: async (c) => {
                await c.step("s", () => later(b));
                await later(b % 4);
              },
            },
          ]);
    });
    await world.output();
    expect(torn).toEqual([]);
    const { records } = await world.kept.read("w/1");
    const branches = records.filter(({ key }) => /^h\/r\d+-\d+\/[ab]$/.test(key));
    expect(branches).toHaveLength(144); // the winner's of each
  });

  law("is won by a branch whose end is recorded, though its victory is not", async (world) => {
    await world.start((ctx) =>
      ctx.race("r", [
        { name: "a", run: (c) => c.sleep("z", 1000).then(() => "slept") },
        { name: "b", run: (c) => c.queue.next("q").then(() => "received") },
      ]),
    );
    const ended = {
      kind: "branch",
      seq: 9,
      status: "completed",
      startedAt: 1,
      completedAt: 1,
      detail: 0,
    } as const;
    await world.kept.commit(
      commitOf("w/1", { puts: { "h/r/a": encodeEntry({ ...ended, value: "first" }) }, due: 0 }),
    );
    await world.crash();
    await world.clock.advance(1000);
    expect(await world.output()).toEqual({ winner: "a", value: "first" });
    expect(await world.paths()).toEqual(["r", "r/a/z"]);
  });

  law("tells the losers to stop: signal, waits and later entries", async (world) => {
    await world.start(async (ctx) => {
      const result = await ctx.race("r", [
        {
          name: "step",
          run: (c): Promise<unknown> =>
            c.step(
              "s",
              (step) =>
                new Promise((resolve) => {
                  step.abortSignal.addEventListener("abort", () => {
                    world.log.push("aborted");
                    resolve(1);
                  });
                }),
            ),
        },
        {
          name: "wait",
          run: async (c) => {
            try {
              await c.queue.next("w");
            } catch (error) {
              world.log.push(error instanceof CancelledError ? "cancelled" : "?");
              await c.step("late", () => world.log.push("ran")).catch(() => world.log.push("refused"));
              throw error;
            }
          },
        },
        {
          name: "fast",
          run: async (c) => {
            await c.sleep("z", 10);
            return "fast";
          },
        },
      ]);
      await ctx.sleep("after", 10);
      return result.winner;
    });
    await world.clock.advance(20);
    expect(await world.output()).toBe("fast");
    expect([...world.log].sort()).toEqual(["aborted", "cancelled", "refused"]);
  });

  law("takes no completion of a message from a loser: it waits again, unanswered", async (world) => {
    await world.start((ctx) =>
      ctx.race("r", [
        {
          name: "slow",
          run: async (c): Promise<void> => {
            const message = await c.queue.next("q", { completable: true });
            try {
              await c.sleep("z", 1000);
            } finally {
              await message.complete?.("late").catch((error: unknown) => {
                world.log.push(error instanceof CancelledError ? "refused" : String(error));
              });
            }
          },
        },
        { name: "fast", run: (c): Promise<unknown> => c.sleep("f", 10) },
      ]),
    );
    await world.send("q", 1);
    await world.clock.advance(10);
    expect(world.log).toEqual(["refused"]);
    expect(await world.storedMessages()).toBe(1);
    const { records } = await world.kept.read("w/1");
    expect(records.filter(({ key }) => key.startsWith("h/r/slow"))).toEqual([]);
  });

  law("goes on at once when there is a winner, though a loser's body still runs", async (world) => {
    await world.start(async (ctx) => {
      const { winner } = await ctx.race("r", [
        { name: "primary", run: (c): Promise<unknown> => c.step("s", () => new Promise(() => undefined)) },
        { name: "timeout", run: (c) => c.sleep("z", 200) },
      ]);
      return winner;
    });
    await world.clock.advance(200);
    expect(await world.output()).toBe("timeout");
  });

  law("begins no retry in a branch that has just lost", async (world) => {
    world.options = { graceMs: 60_000 };
    const fn = async (ctx: Context): Promise<void> => {
      await ctx.race<unknown>("r", [
        {
          name: "failing",
          run: (c) =>
            c.step({
              name: "s",
              maxRetries: 1,
              retryBackoffBase: 10,
              run: () => Promise.reject(new Error("not yet")),
            }),
        },
        {
          name: "timer",
          run: async (c) => {
            for (let n = 0; n < 5; n++) await c.step(`first-${n}`, () => n);
            await c.sleep("z", 10); // its time comes with the retry's, and behind it
          },
        },
      ]);
      await ctx.sleep("rest", 1000);
    };
    await world.start(fn);
    await world.clock.advance(10);
    expect((await world.entries()).find(({ kind }) => kind === "race")?.winner).toBe("timer");
    await world.redeploy(fn); // waits for bodies in flight: there are none
    expect(await world.status()).toBe("sleeping");
  });

  law("forgets losers that end in the same turn as the winner, with or without entries", async (world) => {
    const turns = async (count: number): Promise<string> => {
      for (let turn = 0; turn < count; turn++) await Promise.resolve();
      return "late";
    };
    await world.start(async (ctx) => {
      for (let count = 0; count < 12; count++)
        await ctx.race<unknown>(`r${count}`, [
          { name: "winner", run: (c) => c.rollbackCheckpoint("mark") },
          { name: "pure", run: () => turns(count) },
          { name: "failing", run: () => turns(count).then(() => Promise.reject(new Error("late"))) },
        ]);
      await ctx.sleep("rest", 1000);
    });
    await idle();
    const statuses = async (): Promise<unknown[]> =>
      (await world.history()).entries
        .filter(({ kind }) => kind === "race")
        .map(({ winner, branches = {} }) => [
          winner,
          ...Object.entries(branches).map(([name, { status }]) => `${name} ${status}`),
        ]);
    const before = await statuses();
    expect(before).toHaveLength(12);
    await world.crash();
    expect(await statuses()).toEqual(before);
  });

  law("§4.15 does not lose a message that a losing branch received and did nothing with", async (world) => {
    const fn = async (ctx: Context): Promise<unknown> => {
      const { winner } = await ctx.race<unknown>("r", [
        { name: "timer", run: (c) => c.sleep("z", 10) },
        {
          name: "message",
          run: async (c) => {
            const { body } = await c.queue.next("w");
            await c.step("use", () => new Promise(() => undefined));
            return body;
          },
        },
      ]);
      return [
        winner,
        ...(await ctx.queue.nextBatch("later", { timeout: 0, count: 5 })).map(({ body }) => body),
      ];
    };
    await world.start(fn);
    await world.send("q", 1);
    await world.send("q", 2);
    await world.clock.advance(10);
    expect(await world.output()).toEqual(["timer", 1, 2]);
    expect((await world.paths()).filter((path) => path.startsWith("r/message"))).toEqual([]);
  });

  law("does not give a message twice that a losing branch had used in a step", async (world) => {
    await world.start(async (ctx) => {
      const { winner } = await ctx.race<unknown>("r", [
        { name: "timer", run: (c) => c.sleep("z", 10) },
        {
          name: "message",
          run: async (c) => {
            const { body } = await c.queue.next("w");
            await c.step("use", () => world.log.push(`used ${body}`));
            await c.queue.next("w2");
            await c.sleep("long", 1000);
          },
        },
      ]);
      return [
        winner,
        ...(await ctx.queue.nextBatch("later", { timeout: 0, count: 5 })).map(({ body }) => body),
      ];
    });
    await world.send("q", 1);
    await world.send("q", 2);
    await world.clock.advance(10);
    expect(await world.output()).toEqual(["timer", 2]);
    expect(world.log).toEqual(["used 1"]);
  });

  law("keeps its winner over a crash", async (world) => {
    const fn = async (ctx: Context): Promise<unknown> => {
      const { winner, value } = await ctx.race<string>("r", [
        {
          name: "a",
          run: (c) =>
            c.step("s", () => {
              world.log.push("a");
              return "A";
            }),
        },
        {
          name: "b",
          run: async (c) => {
            await c.sleep("z", 5);
            return "B";
          },
        },
      ]);
      await ctx.sleep("pause", 100);
      return [winner, value];
    };
    await world.start(fn);
    await world.crash();
    await world.clock.advance(100);
    expect(await world.output()).toEqual(["a", "A"]);
    expect(world.log).toEqual(["a"]);
  });

  law(
    "goes on while a branch that failed is not the last, and throws RaceError when all failed",
    async (world) => {
      await world.start(async (ctx) => {
        const first = await ctx.race<unknown>("one", [
          {
            name: "bad",
            run: () => {
              throw new Error("no");
            },
          },
          {
            name: "good",
            run: async (c) => {
              await c.sleep("z", 10);
              return 1;
            },
          },
        ]);
        const second = await ctx
          .race("all", [
            {
              name: "a",
              run: () => {
                throw new Error("first");
              },
            },
            {
              name: "b",
              run: (c) =>
                c.step({
                  name: "s",
                  maxRetries: 0,
                  run: () => {
                    throw new Error("second");
                  },
                }),
            },
          ])
          .catch((error: unknown) => error as RaceError);
        if (!(second instanceof RaceError)) throw new Error("it was won");
        return [first, second.errors.map(({ name }) => name), second.message];
      });
      await world.clock.advance(10);
      const [first, names, message] = (await world.output()) as [unknown, string[], string];
      expect(first).toEqual({ winner: "good", value: 1 });
      expect(names).toEqual(["a", "b"]);
      expect(message).toContain("first");
      expect(message).toContain("second");
    },
  );

  law("inside a lost branch ends too, with joins and loops in it", async (world) => {
    await world.start(async (ctx) => {
      const { winner } = await ctx.race("outer", [
        {
          name: "deep",
          run: (c): Promise<unknown> =>
            c.loop(
              "l",
              (l) =>
                l.join("j", {
                  x: { run: (d: Context) => d.race("inner", [{ name: "n", run: (e) => e.queue.next("w") }]) },
                  y: { run: (d: Context) => d.sleep("z", 10_000) },
                }) as never,
            ),
        },
        { name: "timer", run: (c) => c.sleep("z", 10) },
      ]);
      await ctx.step("after", () => 1);
      return winner;
    });
    await world.clock.advance(10);
    expect(await world.output()).toBe("timer");
    expect((await world.paths()).some((path) => path.includes("deep"))).toBe(false);
  });

  test("a loser that never ends does not keep the instance busy", async () => {
    const world = new World(false);
    await world.start(async (ctx) => {
      await ctx.race("r", [
        { name: "stuck", run: () => new Promise(() => undefined) },
        { name: "ok", run: (c) => c.step("s", () => undefined) },
      ]);
      await ctx.sleep("long", 100_000);
    });
    await idle();
    expect(await world.status()).toBe("sleeping");
    await world.clock.advance(40_000);
    const reads = world.store.reads;
    await world.clock.advance(60_000);
    expect(world.store.reads).toBeGreaterThan(reads); // it had been dropped
    expect(await world.output()).toBeUndefined();
    await world.end();
  });
});
