import { describe, expect, test } from "vitest";
import { lateRemovals } from "../manifest/late-removals.js";
import { REPLAY_FLAGS } from "../manifest/replay-flags.js";
import { CriticalError, HistoryDivergedError } from "./errors.js";
import { law, World, type Context } from "./harness.js";
import { Loop } from "./loop.js";
import type { Block } from "../manifest/format.js";

/** The setting of code whose manifest has that body. */
const declaring = (body: Block): ReturnType<typeof lateRemovals> =>
  lateRemovals({
    name: "w",
    file: "w.ts",
    engine: "stepproof",
    hash: "",
    body,
    functions: {},
    stateType: null,
    queues: {},
  });

/** Fails in its first attempts, then gives its name. */
const flaky =
  (failures: number) =>
  (step: { name: string; attempt: number }): string => {
    if (step.attempt <= failures) throw new Error("not yet");
    return step.name;
  };

test("the engine is the row `stepproof` of the replay flags", () => {
  expect(REPLAY_FLAGS.stepproof).toEqual({
    newStepNeedsVisitedSiblings: true,
    scopeEnd: "direct-children",
    rootValidated: true,
    lateRemovedAccepted: true,
    gateCountsFinishedScopes: false,
    branchSetChecked: true,
    terminalFailureReplayed: true,
  });
});

describe("mended points", () => {
  law("§4.5 a step retried after a join in the same iteration does not diverge", async (world) => {
    await world.start((ctx) =>
      ctx.loop("l", async (c) => {
        await c.join("j", {
          a: { run: (b: Context) => b.step("in-a", () => 1) },
          b: { run: (b: Context) => b.step("in-b", () => 2) },
        });
        await c.step("after", flaky(2));
        return Loop.break("done");
      }),
    );
    await world.crash();
    await world.clock.advance(10_000);
    expect(await world.output()).toBe("done");
  });

  law("§4.5 a step retried after an inner loop in the same iteration does not diverge", async (world) => {
    await world.start((ctx) =>
      ctx.loop("outer", async (c) => {
        await c.loop({
          name: "inner",
          state: 0,
          run: async (i, n: number) => {
            await i.step("s", () => n);
            return n < 3 ? Loop.continue(n + 1) : Loop.break(n);
          },
        });
        await c.step("after", flaky(2));
        return Loop.break("done");
      }),
    );
    await world.crash();
    await world.clock.advance(10_000);
    expect(await world.output()).toBe("done");
  });

  law(
    "§4.5 the root is validated: a recorded entry that the new code leaves out diverges at the end",
    async (world) => {
      await world.start(async (ctx) => {
        await ctx.step("old", () => 1);
        await ctx.sleep("pause", 10);
      });
      await world.redeploy(async (ctx) => {
        await ctx.sleep("pause", 10);
      });
      await world.clock.advance(10);
      const error = await world.failure();
      expect(error.name).toBe("HistoryDivergedError");
      expect(error.message).toContain('a step "old" was recorded');
      expect(error.message).toContain('`await ctx.removed("old", "step")`');
    },
  );

  law("§4.5 what lies inside a finished loop, join or race never counts", async (world) => {
    const fn = async (ctx: Context): Promise<string> => {
      await ctx.loop({
        name: "l",
        state: 0,
        run: async (c, n: number) => {
          await c.step(`s${n}`, () => n);
          return n < 2 ? Loop.continue(n + 1) : Loop.break(n);
        },
      });
      await ctx.join("j", { a: { run: (c: Context) => c.step("x", () => 1) } });
      await ctx.race("r", [{ name: "a", run: (c) => c.step("x", () => 1) }]);
      await ctx.sleep("pause", 10);
      await ctx.step("last", () => 1);
      return "done";
    };
    await world.start(fn);
    await world.crash(async (ctx) => {
      await ctx.loop("l", () => {
        throw new Error("a finished loop is not run again");
      });
      await ctx.join("j", {
        a: {
          run: () => {
            throw new Error("a finished branch is not run again");
          },
        },
      });
      await ctx.race("r", [
        {
          name: "a",
          run: () => {
            throw new Error("nor is a finished race");
          },
        },
      ]);
      await ctx.sleep("pause", 10);
      await ctx.step("last", () => 1);
      return "done";
    });
    await world.clock.advance(10);
    expect(await world.output()).toBe("done");
  });

  law("§4.7 a gate after a finished loop gives a new instance the latest version", async (world) => {
    await world.start(async (ctx) => {
      await ctx.loop({
        name: "l",
        state: 0,
        run: async (c, n: number) => {
          await c.step("s", () => n);
          return n < 30 ? Loop.continue(n + 1) : Loop.break(n);
        },
      });
      await ctx.step("flaky", flaky(1));
      return ctx.getVersion("gate", 2);
    });
    await world.clock.advance(1000);
    expect(await world.output()).toBe(2);
  });

  law("§4.7 a gate after a finished join gives a new instance the latest version", async (world) => {
    await world.start(async (ctx) => {
      await ctx.join("j", { a: { run: (c: Context) => c.step("s", () => 1) } });
      await ctx.sleep("pause", 10);
      return ctx.getVersion("gate", 2);
    });
    await world.crash();
    await world.clock.advance(10);
    expect(await world.output()).toBe(2);
  });

  for (const kind of ["critical", "timeout", "exhausted"] as const) {
    law(`§4.10 a failure (${kind}) caught by tryStep is replayed, not run again`, async (world) => {
      await world.start(async (ctx) => {
        const result = await ctx.tryStep({
          name: "bad",
          timeout: 20,
          maxRetries: kind === "exhausted" ? 0 : 5,
          run: () => {
            world.log.push("run");
            if (kind === "timeout") return new Promise(() => undefined);
            throw kind === "critical" ? new CriticalError("stop") : new Error("no");
          },
        });
        world.log.push(JSON.stringify(result));
        await ctx.sleep("pause", 1000);
        return result;
      });
      await world.clock.advance(30);
      await world.crash();
      await world.clock.advance(1000);
      expect(await world.output()).toMatchObject({ ok: false, failure: { kind } });
      expect(world.log.filter((line) => line === "run")).toHaveLength(1);
      expect(new Set(world.log.filter((line) => line !== "run")).size).toBe(1);
    });
  }

  law("§4.10 user code sees the same error on the first run and on replay", async (world) => {
    const describeError = (error: unknown): string => {
      const { name, message, stack, code, ...rest } = error as Error & { code?: string };
      return JSON.stringify({
        class: (error as object).constructor.name,
        name,
        message,
        stack,
        code,
        own: { ...rest },
      });
    };
    class CardError extends CriticalError {
      reason = "declined";
      override name = "CardError";
    }
    await world.start(async (ctx) => {
      const seen: string[] = [];
      const attempts: [string, () => Promise<unknown>][] = [
        [
          "critical",
          () =>
            ctx.step("critical", () => {
              throw new CardError("card");
            }),
        ],
        [
          "exhausted",
          () =>
            ctx.step({
              name: "exhausted",
              maxRetries: 0,
              run: () => {
                throw new TypeError("no");
              },
            }),
        ],
        [
          "join",
          () =>
            ctx.join("join", {
              a: {
                run: () => {
                  throw new RangeError("branch");
                },
              },
              b: { run: () => 1 },
            }),
        ],
        [
          "race",
          () =>
            ctx.race("race", [
              {
                name: "a",
                run: (c) =>
                  c.step({
                    name: "s",
                    maxRetries: 0,
                    run: () => {
                      throw new Error("branch");
                    },
                  }),
              },
            ]),
        ],
      ];
      for (const [, attempt] of attempts)
        await attempt().catch((error: unknown) =>
          seen.push(
            describeError(error),
            ...Object.values((error as { errors?: object }).errors ?? {}).map(describeError),
          ),
        );
      world.log.push(
        JSON.stringify(seen.map((text) => text.replace(/"stack":"(Step|Join|Race)[^,]*",/, ""))),
      );
      await ctx.sleep("pause", 1000);
    });
    await world.crash();
    await world.clock.advance(1000);
    await world.output();
    expect(world.log.length).toBeGreaterThanOrEqual(2);
    expect(new Set(world.log).size).toBe(1);
    expect(world.log[0]).toContain("declined");
  });

  law("§4.8 a branch added to a recorded join diverges and is named", async (world) => {
    await world.start(async (ctx) => {
      await ctx.join("j", { a: { run: () => 1 } });
      await ctx.sleep("pause", 10);
    });
    await world.crash(async (ctx) => {
      await ctx.join("j", { a: { run: () => 1 }, b: { run: () => 2 } });
      await ctx.sleep("pause", 10);
    });
    await world.clock.advance(10);
    const error = await world.failure();
    expect(error.name).toBe("HistoryDivergedError");
    expect(error.message).toContain('branch "b" is new');
  });

  law("§4.8 a branch taken from a recorded race diverges and is named", async (world) => {
    await world.start(async (ctx) => {
      await ctx.race("r", [
        { name: "a", run: (c) => c.sleep("s", 50) },
        { name: "b", run: (c) => c.sleep("s", 90) },
      ]);
    });
    await world.crash(async (ctx) => {
      await ctx.race("r", [{ name: "a", run: (c) => c.sleep("s", 50) }]);
    });
    await world.clock.advance(50);
    expect((await world.failure()).message).toContain('branch "b" was recorded and is gone');
  });

  law("§4.8 branches may change their order", async (world) => {
    const a = { run: (c: Context) => c.sleep("s", 50) };
    await world.start(async (ctx) => {
      await ctx.join("j", { a, b: a });
      return "done";
    });
    await world.crash(async (ctx) => {
      await ctx.join("j", { b: a, a });
      return "done";
    });
    await world.clock.advance(50);
    expect(await world.output()).toBe("done");
  });

  law(
    "§4.6 removed may come after the new step when the manifest declares it in that scope",
    async (world) => {
      const after = async (ctx: Context): Promise<string> => {
        await ctx.step("validate-v2", () => 2);
        await ctx.removed("validate-v1", "step");
        await ctx.sleep("pause", 10);
        return "done";
      };
      world.options = {
        declaresRemoved: declaring([
          {
            kind: "choice",
            guard: { text: "", source: "constant", gate: null },
            arms: [[{ kind: "removed", name: ["validate-v1"], was: "step" }]],
          },
        ]),
      };
      await world.start(async (ctx) => {
        await ctx.step("validate-v1", () => 1);
        await new Promise(() => undefined);
      });
      await world.crash(after);
      await world.clock.advance(10);
      expect(await world.output()).toBe("done");
    },
  );

  law("§4.6 removed after the new step diverges without a manifest", async (world) => {
    await world.start(async (ctx) => {
      await ctx.step("validate-v1", () => 1);
      await new Promise(() => undefined);
    });
    await world.crash(async (ctx) => {
      await ctx.step("validate-v2", () => 2);
      await ctx.removed("validate-v1", "step");
      await ctx.sleep("pause", 10);
    });
    await world.clock.advance(10);
    expect((await world.failure()).name).toBe("HistoryDivergedError");
  });

  law("§4.6 a removed that the manifest declares in another scope does not excuse", async (world) => {
    world.options = {
      declaresRemoved: declaring([
        {
          kind: "loop",
          name: ["l"],
          stateType: null,
          pruneInterval: null,
          body: [{ kind: "removed", name: ["old"], was: "step" }],
        },
      ]),
    };
    await world.start(async (ctx) => {
      await ctx.step("old", () => 1);
      await new Promise(() => undefined);
    });
    await world.crash(async (ctx) => {
      await ctx.step("new", () => 2);
      await ctx.sleep("pause", 10);
    });
    await world.clock.advance(10);
    expect((await world.failure()).name).toBe("HistoryDivergedError");
  });

  law("§4.15 a finished step without output in a join branch is not run again", async (world) => {
    await world.start(async (ctx) => {
      await ctx.join("j", {
        a: {
          run: async (c: Context) => {
            await c.step("void", () => {
              world.log.push("void");
            });
            await c.sleep("s", 50);
          },
        },
        b: {
          run: async (c: Context) => {
            await c.step("one", () => 1);
            await c.step("two", () => 2);
          },
        },
      });
    });
    await world.crash();
    await world.clock.advance(50);
    await world.output();
    expect(world.log).toEqual(["void"]);
  });
});

describe("history and code", () => {
  law("§4.4 a new step ahead of recorded entries diverges and names them", async (world) => {
    await world.start(async (ctx) => {
      await ctx.step("a", () => 1);
      await ctx.sleep("pause", 10);
    });
    await world.redeploy(async (ctx) => {
      await ctx.step("zero", () => world.log.push("ran"));
      await ctx.step("a", () => 1);
      await ctx.sleep("pause", 10);
    });
    await world.clock.advance(10);
    const error = await world.failure();
    expect(error.name).toBe("HistoryDivergedError");
    expect(error.message).toContain('Step "zero" is new');
    expect(error.message).toContain('a step "a"');
    expect(error.message).toContain("ctx.getVersion");
    expect(world.log).toEqual([]);
  });

  law("§4.4 a sleep moved ahead of recorded entries does not diverge", async (world) => {
    await world.start(async (ctx) => {
      await ctx.step("a", () => 1);
      await ctx.sleep("pause", 10);
      return "old";
    });
    await world.redeploy(async (ctx) => {
      await ctx.sleep("pause", 10);
      await ctx.step("a", () => 1);
      return "new";
    });
    await world.clock.advance(10);
    expect(await world.output()).toBe("new");
  });

  law("§4.3 an entry found under its name with another kind diverges", async (world) => {
    await world.start(async (ctx) => {
      await ctx.sleep("a", 10);
    });
    await world.redeploy(async (ctx) => {
      await ctx.step("a", () => 1);
    });
    await world.clock.advance(10);
    const error = await world.failure();
    expect(error.message).toContain('"a" was recorded as a sleep, but the code now has a step of that name');
  });

  law(
    "divergence can't be swallowed, is not rolled back, and can be recovered with the right code",
    async (world) => {
      const old = async (ctx: Context): Promise<string> => {
        await ctx.rollbackCheckpoint("c");
        await ctx.step({
          name: "a",
          run: () => 1,
          rollback: () => {
            world.log.push("rolled back");
          },
        });
        await ctx.sleep("pause", 10);
        return "done";
      };
      await world.start(old);
      await world.redeploy(async (ctx) => {
        await ctx.rollbackCheckpoint("c");
        await ctx.step("zero", () => 1).catch(() => undefined);
        return "swallowed";
      });
      await world.clock.advance(10);
      expect((await world.failure()).name).toBe("HistoryDivergedError");
      await world.crash(old);
      await world.recover();
      await world.clock.advance(10);
      expect(await world.output()).toBe("done");
      expect(world.log).toEqual([]);
    },
  );

  law("§4.1 a try block that is renamed silently runs its steps again", async (world) => {
    await world.start(async (ctx) => {
      await ctx.try("a", (c) => c.step("s", () => world.log.push("ran")));
      await ctx.sleep("pause", 10);
    });
    await world.redeploy(async (ctx) => {
      await ctx.try("b", (c) => c.step("s", () => world.log.push("ran")));
      await ctx.sleep("pause", 10);
    });
    await world.clock.advance(10);
    await world.output();
    expect(world.log).toEqual(["ran", "ran"]);
  });

  test("resumed in memory and run again give the same history", async () => {
    const histories: unknown[] = [];
    for (const rerun of [false, true]) {
      const world = new World(rerun);
      await world.start(async (ctx) => {
        await ctx.step("a", () => ({ when: new Date(0) }));
        await ctx.loop({
          name: "l",
          state: { n: 0 },
          historyPruneInterval: 2,
          run: async (c, s: { n: number }) => {
            const messages = await c.queue.nextBatch("wait", { timeout: 100, count: 2 });
            await c.step("s", flaky(s.n % 2));
            await c.sleep("z", 5);
            return s.n === 5 ? Loop.break(messages.length) : Loop.continue({ n: s.n + 1 });
          },
        });
        await ctx.join("j", {
          a: { run: (c: Context) => c.sleep("s", 10) },
          b: { run: (c: Context) => c.step("t", flaky(1)) },
        });
        await ctx.race("r", [
          { name: "a", run: (c) => c.sleep("s", 10) },
          { name: "b", run: (c) => c.sleep("s", 20) },
        ]);
        await ctx.getVersion("g", 3);
        await ctx.removed("old", "step");
        await ctx.tryStep("bad", () => {
          throw new CriticalError("stop");
        });
      });
      for (let i = 0; i < 6; i++) {
        await world.send("q", i);
        await world.clock.advance(150);
      }
      await world.clock.advance(10_000);
      await world.output();
      histories.push(
        JSON.parse(
          JSON.stringify(await world.history(), (key, value: unknown) =>
            key === "messageId" || key === "stack" ? undefined : value,
          ),
        ),
      );
      await world.end();
    }
    expect(histories[0]).toEqual(histories[1]);
  });

  test("a divergence is told to onError as a failure of the workflow", async () => {
    const world = new World(false);
    await world.start(async (ctx) => {
      await ctx.step("a", () => 1);
      await ctx.sleep("pause", 10);
    });
    await world.redeploy(async (ctx) => {
      await ctx.step("b", () => 1);
    });
    await world.clock.advance(10);
    expect(world.events).toMatchObject([
      { workflow: { workflowId: "w/1", error: { name: "HistoryDivergedError", code: "history_diverged" } } },
    ]);
    expect(await world.failure()).not.toBeInstanceOf(HistoryDivergedError); // made again from the record
    await world.end();
  });
});
