import { describe, expect } from "vitest";
import { law, type Context } from "./harness.js";

describe("errors of use are told at the call", () => {
  law("§4.2 a name used twice in a scope, with its path and what to do", async (world) => {
    await world.start((ctx) =>
      ctx.loop("l", async (c) => {
        for (let i = 0; i < 2; i++) await c.queue.nextBatch("wait", { timeout: 0 });
      }),
    );
    const error = await world.failure();
    expect(error.code).toBe("duplicate_entry_name");
    expect(error.message).toContain('"l/~0/wait"');
    expect(error.message).toContain("in a native loop add the index");
  });

  law("§4.2 a name of another kind, or one that a queue wait owns, is a duplicate too", async (world) => {
    await world.start(async (ctx) => {
      await ctx.queue.nextBatch("a", { timeout: 0 });
      await ctx.step("a:count", () => 1);
    });
    expect((await world.failure()).message).toContain('"a:count"');
  });

  law("with the place in the source when the code carries it", async (world) => {
    world.options = { placeOf: (entry) => (entry === "l/~0/twice" ? "src/w.ts:12:9" : undefined) };
    await world.start((ctx) =>
      ctx.loop("l", async (c) => {
        await c.step("twice", () => 1);
        await c.step("twice", () => 2);
      }),
    );
    expect((await world.failure()).message).toMatch(
      /^Duplicate entry name "l\/~0\/twice".* \(src\/w\.ts:12:9\)$/,
    );
  });

  law("§4.2 the same name in two arms, or in two scopes, is no duplicate", async (world) => {
    await world.start(async (ctx) => {
      await ctx.step("s", () => 1);
      await ctx.loop({
        name: "l",
        run: async (c) => {
          await c.step("s", () => 1);
          return { break: true as const, value: undefined };
        },
      });
      return "fine";
    });
    expect(await world.output()).toBe("fine");
  });

  law("§4.9 a second entry before the first has ended", async (world) => {
    await world.start(async (ctx) => {
      await Promise.all([ctx.sleep("a", 10), ctx.sleep("b", 10)]);
    });
    const error = await world.failure();
    expect(error.code).toBe("entry_in_progress");
    expect(error.message).toContain('"b" was started while sleep "a" is still going on');
    expect(error.message).toContain("ctx.join");
  });

  law("§4.9 the outer context used inside a loop, a branch or a try block", async (world) => {
    await world.start((ctx) =>
      ctx.loop("l", async () => {
        await ctx.step("s", () => 1);
      }),
    );
    expect((await world.failure()).message).toContain(
      "inside the loop use the context that its body is given",
    );
  });

  law("the workflow's context used inside a step", async (world) => {
    await world.start((ctx) =>
      ctx.step({ name: "outer", maxRetries: 0, run: () => ctx.step("inner", () => 1) }),
    );
    const error = await world.failure();
    expect(error.code).toBe("entry_in_progress");
    expect(error.message).toContain("inside its body use the step's own context");
  });

  law("a context used after its scope has ended", async (world) => {
    await world.start(async (ctx) => {
      let leaked: Context | undefined;
      await ctx.try("block", (c) => {
        leaked = c;
      });
      await leaked?.step("s", () => 1);
    });
    expect((await world.failure()).code).toBe("context_ended");
  });

  law("an entry that is not awaited, at the end of the run", async (world) => {
    await world.start(async (ctx) => {
      await ctx.step("a", () => 1);
      void ctx.step("b", () => new Promise((resolve) => setImmediate(resolve)));
    });
    const error = await world.failure();
    expect(error.code).toBe("unawaited_entry");
    expect(error.message).toContain('The workflow ended while "b" was still going on');
  });

  law("an entry that is not awaited, at the end of a turn", async (world) => {
    await world.start((ctx) =>
      ctx.loop("l", (c) => {
        void c.sleep("z", 10);
        return Promise.resolve(undefined);
      }),
    );
    expect((await world.failure()).message).toContain('Iteration 0 of loop "l" ended while "l/~0/z"');
  });

  law("a floating entry that fails does not take the process down", async (world) => {
    await world.start(async (ctx) => {
      void ctx.step({
        name: "a",
        maxRetries: 0,
        run: () => {
          throw new Error("no");
        },
      });
      await ctx.step("b", () => 1);
    });
    expect((await world.failure()).code).toBe("entry_in_progress");
  });

  law("swallowed, it ends the workflow all the same, and nothing after it runs", async (world) => {
    await world.start(async (ctx) => {
      await ctx.step("a", () => 1);
      await ctx.step("a", () => 2).catch(() => undefined);
      await ctx
        .step("b", () => {
          world.log.push("ran");
        })
        .catch(() => undefined);
      return "swallowed";
    });
    expect((await world.failure()).code).toBe("duplicate_entry_name");
    expect(world.log).toEqual([]);
  });

  law(
    "in a branch, it ends the join and the workflow and is not recorded as the branch's failure",
    async (world) => {
      await world.start((ctx) =>
        ctx.try("block", (c) =>
          c.join("j", {
            a: {
              run: async (b: Context) => {
                await b.step("s", () => 1);
                await b.step("s", () => 2);
              },
            },
            b: { run: (b: Context) => b.sleep("z", 1000) },
          }),
        ),
      );
      expect((await world.failure()).code).toBe("duplicate_entry_name");
    },
  );

  for (const [what, name] of [
    ["empty", ""],
    ["a number", 7],
    ["ill-formed", "\uD800"],
  ] as const) {
    law(`a name that is ${what}`, async (world) => {
      await world.start((ctx) => ctx.step(name as string, () => 1));
      expect((await world.failure()).code).toBe("entry_name");
    });
  }

  law("odd names are kept apart: slashes, percent signs, tildes, control characters", async (world) => {
    const names = [
      "a/b",
      "a%2Fb",
      "~1",
      "~10",
      "a",
      "a\u0000",
      "é\u{1F600}",
      "..",
      "__proto__",
      "constructor",
    ];
    await world.start(async (ctx) => {
      for (const name of names) await ctx.step(name, () => name);
      await ctx.try("a/b c", (c) => c.step("b", () => 1));
      await ctx.sleep("pause", 10);
      return "done";
    });
    await world.crash();
    await world.clock.advance(10);
    expect(await world.output()).toBe("done");
    expect((await world.entries()).slice(0, names.length).map((entry) => entry.names)).toEqual(
      names.map((name) => [name]),
    );
  });

  law("a join without branches, a race with two of one name", async (world) => {
    await world.start((ctx) => ctx.join("j", {}));
    expect((await world.failure()).code).toBe("branches");
  });

  law("a sleep without a time", async (world) => {
    await world.start((ctx) => ctx.sleep("z", NaN));
    expect((await world.failure()).code).toBe("sleep_duration");
  });
});
