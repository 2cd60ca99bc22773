import { describe, expect } from "vitest";
import { CriticalError, RollbackError, StepExhaustedError, StepTimeoutError } from "./errors.js";
import { law, type Context } from "./harness.js";

class CardError extends Error {
  constructor(readonly reason: string) {
    super(`card: ${reason}`);
    this.name = "CardError";
  }
}

describe("a step", () => {
  law("gives its output and is not run again", async (world) => {
    await world.start(async (ctx) => {
      const a = await ctx.step("a", () => {
        world.log.push("a");
        return { list: [1, 2] };
      });
      await ctx.sleep("pause", 1000);
      return a;
    });
    await world.crash();
    await world.clock.advance(1000);
    expect(await world.output()).toEqual({ list: [1, 2] });
    expect(world.log).toEqual(["a"]);
  });

  law("resolves only when its record is durable", async (world) => {
    await world.start(async (ctx) => {
      await ctx.step("a", () => 1);
      world.log.push(
        (await world.kept.read("w/1")).records.some(({ key }) => key === "h/a") ? "kept" : "not kept",
      );
    });
    expect(world.log).toEqual(["kept"]);
  });

  law("that is ephemeral does not commit, and is kept with the next commit", async (world) => {
    await world.start(async (ctx) => {
      await ctx.step("first", () => 0);
      await ctx.step({ name: "a", ephemeral: true, run: () => 1 });
      world.log.push(
        (await world.kept.read("w/1")).records.some(({ key }) => key === "h/a") ? "kept" : "not kept",
      );
      await ctx.step("b", () => 2);
    });
    expect(world.log).toEqual(["not kept"]);
    expect(await world.paths()).toEqual(["first", "a", "b"]);
  });

  law("gives user code a copy: what the body changes later does not show", async (world) => {
    const live = { items: ["one"] };
    await world.start(async (ctx) => {
      const items = await ctx.step("read", () => live.items);
      await ctx.step("change", () => {
        live.items.push("two");
      });
      return items;
    });
    expect(await world.output()).toEqual(["one"]);
  });

  law("that fails is tried again after 100, 200, 400 ms, then is exhausted", async (world) => {
    const at: number[] = [];
    const begin = world.clock.now();
    await world.start(async (ctx) => {
      await ctx.step("bad", () => {
        at.push(world.clock.now() - begin);
        throw new CardError("declined");
      });
    });
    await world.clock.advance(10_000);
    expect(at).toEqual([0, 100, 300, 700]);
    const error = await world.failure();
    expect(error).toBeInstanceOf(StepExhaustedError);
    expect(error.message).toContain("CardError: card: declined");
    expect(
      world.events.map(
        (event) =>
          "step" in event && [
            event.step.attempt,
            event.step.remainingRetries,
            event.step.willRetry,
            event.step.retryDelay,
          ],
      ),
    ).toEqual([
      [1, 3, true, 100],
      [2, 2, true, 200],
      [3, 1, true, 400],
      [4, 0, false, undefined],
    ]);
  });

  law("keeps counting its attempts over a crash, and waits out its pause", async (world) => {
    const run = async (ctx: Context): Promise<void> => {
      await ctx.step({
        name: "bad",
        maxRetries: 2,
        retryBackoffBase: 1000,
        run: (step) => {
          world.log.push(`attempt ${step.attempt}`);
          throw new Error("no");
        },
      });
    };
    await world.start(run);
    await world.crash();
    await world.clock.advance(999);
    expect(world.log).toEqual(["attempt 1"]);
    await world.clock.advance(1);
    expect(world.log).toEqual(["attempt 1", "attempt 2"]);
    await world.crash();
    await world.clock.advance(2000);
    expect(world.log).toEqual(["attempt 1", "attempt 2", "attempt 3"]);
    expect(await world.status()).toBe("failed");
  });

  law("never pauses longer than retryBackoffMax", async (world) => {
    await world.start((ctx) =>
      ctx.step({
        name: "bad",
        maxRetries: 5,
        retryBackoffBase: 100,
        retryBackoffMax: 150,
        run: () => {
          throw new Error("no");
        },
      }),
    );
    await world.clock.advance(100 + 150 * 4);
    expect(await world.status()).toBe("failed");
  });

  law("that throws CriticalError is not tried again", async (world) => {
    await world.start((ctx) =>
      ctx.step("bad", () => {
        world.log.push("run");
        throw new CriticalError("stop");
      }),
    );
    await world.clock.advance(10_000);
    const error = await world.failure();
    expect(error).toBeInstanceOf(CriticalError);
    expect(error.message).toBe("stop");
    expect(world.log).toEqual(["run"]);
  });

  law(
    "that takes longer than its timeout fails critically, is told to stop, and its late end is dropped",
    async (world) => {
      await world.start((ctx) =>
        ctx.step({
          name: "slow",
          timeout: 50,
          run: (step) =>
            new Promise((resolve) => {
              step.abortSignal.addEventListener("abort", () => world.log.push("aborted"));
              world.clock.timer(world.clock.now() + 500, () => {
                resolve("late");
              });
            }),
        }),
      );
      await world.clock.advance(1000);
      const error = await world.failure();
      expect(error).toBeInstanceOf(StepTimeoutError);
      expect(error).toBeInstanceOf(CriticalError);
      expect(error.message).toContain("timeout of 50 ms");
      expect(world.log).toEqual(["aborted"]);
      expect((await world.entry("slow")).status).toBe("exhausted");
    },
  );

  law("has a timeout of 30 s unless it says otherwise; 0 is none", async (world) => {
    const slow = (): Promise<void> =>
      new Promise((resolve) =>
        world.clock.timer(world.clock.now() + 60_000, () => {
          resolve();
        }),
      );
    await world.start(async (ctx) => {
      const first = await ctx.tryStep("default", slow);
      const second = await ctx.tryStep({ name: "none", timeout: 0, run: slow });
      return [first.ok, second.ok];
    });
    await world.clock.advance(30_000);
    await world.clock.advance(60_000);
    expect(await world.output()).toEqual([false, true]);
  });

  law("with retryOnTimeout tries again and ends exhausted, of kind timeout", async (world) => {
    await world.start((ctx) =>
      ctx.tryStep({
        name: "slow",
        timeout: 10,
        retryOnTimeout: true,
        maxRetries: 1,
        run: () => new Promise(() => undefined),
      }),
    );
    await world.clock.advance(1000);
    expect(await world.output()).toMatchObject({
      ok: false,
      failure: { kind: "timeout", attempts: 2, error: { name: "StepTimeoutError" } },
    });
  });

  law("that gives a thenable is tried again when its `then` throws, as when it rejects", async (world) => {
    let runs = 0;
    const query = {
      then: (resolve: (rows: string) => void) => {
        if (++runs === 1) throw new Error("no such table");
        resolve("rows");
      },
    };
    await world.start((ctx) => ctx.step("s", () => query as unknown as Promise<string>));
    await world.clock.advance(100);
    expect(await world.output()).toBe("rows");
    expect((await world.entry("s")).attempts).toBe(2);
  });

  law("has the same idempotency key in every attempt", async (world) => {
    const keys = new Set<string>();
    await world.start((ctx) =>
      ctx.step("bad", (step) => {
        keys.add(step.idempotencyKey);
        throw new Error("no");
      }),
    );
    await world.clock.advance(1000);
    expect([...keys]).toEqual(["w/1/bad"]);
  });

  law("whose output can't be kept fails, naming the property, without a retry", async (world) => {
    await world.start((ctx) =>
      ctx.step("bad", () => {
        world.log.push("run");
        return { a: [1, { callback: () => 1 }] };
      }),
    );
    await world.clock.advance(10_000);
    const error = await world.failure();
    expect(error.message).toContain('The output of step "bad"');
    expect(error.message).toContain("value.a[1].callback");
    expect(world.log).toEqual(["run"]);
  });

  law("whose record is larger than the limit fails, saying how large", async (world) => {
    world.options = { maxEntrySize: 1000 };
    await world.start((ctx) => ctx.step("big", () => "x".repeat(2000)));
    await world.clock.advance(10_000);
    const error = await world.failure();
    expect(error.message).toMatch(/"big" is 20\d\d characters long as recorded; the limit is 1000/);
  });

  law("sends messages together with its record", async (world) => {
    await world.start(async (ctx) => {
      await ctx.step("send", (step) => {
        step.queue.send("self", 1);
      });
      return (await ctx.queue.next("wait")).body;
    });
    expect(await world.output()).toBe(1);
  });

  law("has a context that refuses to send once the step is over", async (world) => {
    let leaked: { send(name: string, body: unknown): void } | undefined;
    await world.start((ctx) =>
      ctx.step("leak", (step) => {
        leaked = step.queue;
      }),
    );
    expect(() => leaked?.send("q", 1)).toThrow('step "leak" after the step had ended');
  });

  law("refuses contradictory options with a message that names them", async (world) => {
    await world.start((ctx) => ctx.step({ name: "bad", maxRetries: -1, run: () => 1 }));
    expect((await world.failure()).message).toContain("maxRetries must be a number of at least 0; got -1");
  });
});

describe("tryStep", () => {
  law("gives failures of the kinds critical, timeout and exhausted as data", async (world) => {
    await world.start(async (ctx) => [
      await ctx.tryStep("fine", () => 1),
      await ctx.tryStep("critical", () => {
        throw new CriticalError("stop");
      }),
      await ctx.tryStep({
        name: "exhausted",
        maxRetries: 0,
        run: () => {
          throw new CardError("declined");
        },
      }),
      await ctx.tryStep({ name: "timeout", timeout: 5, run: () => new Promise(() => undefined) }),
    ]);
    await world.clock.advance(1000);
    expect(await world.output()).toMatchObject([
      { ok: true, value: 1 },
      {
        ok: false,
        failure: {
          kind: "critical",
          stepName: "critical",
          attempts: 1,
          error: { name: "CriticalError", message: "stop" },
        },
      },
      {
        ok: false,
        failure: {
          kind: "exhausted",
          stepName: "exhausted",
          attempts: 1,
          error: { name: "CardError", message: "card: declined", metadata: { reason: "declined" } },
        },
      },
      { ok: false, failure: { kind: "timeout", stepName: "timeout", attempts: 1 } },
    ]);
  });

  law("lets RollbackError through unless it is asked to catch it", async (world) => {
    await world.start(async (ctx) => {
      const caught = await ctx.tryStep({
        name: "a",
        catch: ["rollback"],
        run: () => {
          throw new RollbackError("undo");
        },
      });
      world.log.push(caught.ok ? "ok" : caught.failure.kind);
      await ctx.tryStep("b", () => {
        throw new RollbackError("undo");
      });
    });
    expect(await world.failure()).toBeInstanceOf(RollbackError);
    expect(world.log.at(-1)).toBe("rollback");
  });

  law("lets a kind through that is not listed", async (world) => {
    await world.start((ctx) =>
      ctx.tryStep({
        name: "a",
        catch: ["timeout"],
        run: () => {
          throw new CriticalError("stop");
        },
      }),
    );
    expect(await world.failure()).toBeInstanceOf(CriticalError);
  });

  law("does not end a pending retry early", async (world) => {
    await world.start((ctx) =>
      ctx.tryStep({
        name: "a",
        maxRetries: 1,
        run: (step) => {
          if (step.attempt === 1) throw new Error("once");
          return "fine";
        },
      }),
    );
    expect(await world.status()).toBe("sleeping");
    await world.clock.advance(100);
    expect(await world.output()).toEqual({ ok: true, value: "fine" });
  });
});

describe("try", () => {
  law("gives the failure of a step, a join or a race in it as data", async (world) => {
    const bad = {
      run: (c: Context) =>
        c.step({
          name: "bad",
          maxRetries: 0,
          run: () => {
            throw new Error("no");
          },
        }),
    };
    await world.start(async (ctx) => [
      await ctx.try("fine", async (c) => c.step("s", () => 1)),
      await ctx.try("step", bad.run),
      await ctx.try("join", (c) => c.join("j", { a: bad })),
      await ctx.try("race", (c) => c.race("r", [{ name: "a", ...bad }])),
    ]);
    expect(await world.output()).toMatchObject([
      { ok: true, value: 1 },
      { ok: false, failure: { source: "step", name: "bad", step: { kind: "exhausted" } } },
      { ok: false, failure: { source: "join", name: "j", error: { name: "JoinError" } } },
      { ok: false, failure: { source: "race", name: "r", error: { name: "RaceError" } } },
    ]);
  });

  law("lets errors through that no entry threw, and rollbacks unless asked", async (world) => {
    await world.start(async (ctx) => {
      const caught = await ctx.try({
        name: "a",
        catch: ["rollback"],
        run: () => {
          throw new RollbackError("undo");
        },
      });
      world.log.push(caught.ok ? "ok" : caught.failure.source);
      await ctx.try("b", () => {
        throw new TypeError("mine");
      });
    });
    expect((await world.failure()).name).toBe("TypeError");
    expect(world.log.at(-1)).toBe("block");
  });

  law("is a scope: its names are its own", async (world) => {
    await world.start(async (ctx) => {
      await ctx.step("s", () => 1);
      await ctx.try("block", (c) => c.step("s", () => 2));
      await ctx.sleep("pause", 10);
    });
    await world.crash();
    await world.clock.advance(10);
    await world.output();
    expect(await world.paths()).toEqual(["s", "block/s", "pause"]);
  });
});
