import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGuard, GuardError } from "./guard.js";
import { law, World, type Context, type Fn } from "../engine/harness.js";

let guard: ReturnType<typeof createGuard>;
const warnings: string[] = [];
const arm = (mode: "throw" | "warn"): void => {
  guard = createGuard({ mode, warn: (message) => warnings.push(message) });
};
beforeEach(() => {
  warnings.length = 0;
});
afterEach(() => {
  guard.dispose();
});

describe("the guard", () => {
  const calls: readonly (readonly [string, () => unknown])[] = [
    ["Date.now()", () => Date.now()],
    ["new Date()", () => new Date()],
    ["Date()", () => Date()],
    ["Math.random()", () => Math.random()],
    ["crypto.randomUUID()", () => crypto.randomUUID()],
    ["crypto.getRandomValues()", () => crypto.getRandomValues(new Uint8Array(1))],
    ["performance.now()", () => performance.now()],
    [
      "setTimeout()",
      () => {
        clearTimeout(setTimeout(() => undefined, 0));
      },
    ],
    [
      "setInterval()",
      () => {
        clearInterval(setInterval(() => undefined, 1000));
      },
    ],
    [
      "setImmediate()",
      () => {
        clearImmediate(setImmediate(() => undefined));
      },
    ],
    [
      "fetch()",
      () => {
        fetch("data:,").catch(() => undefined);
      },
    ],
  ];
  for (const [what, call] of calls) {
    law(`catches ${what} in workflow code, with the instance, the place and the remedy`, async (world) => {
      arm("throw");
      world.options = { guard };
      await world.start(async (ctx) => {
        await ctx.step("a", () => 1);
        call();
      });
      const error = await world.failure();
      expect(error.code).toBe("effect_in_workflow");
      expect(error.message).toContain(`${what} was called in the workflow code of "w/1" at `);
      expect(error.message).toMatch(/guard\.test\.ts:\d+:\d+/);
      expect(error.message).toContain("ctx.step");
    });
  }

  const places: readonly (readonly [string, Fn])[] = [
    [
      "a loop",
      (ctx: Context) =>
        ctx.loop("l", () => {
          Math.random();
          return Promise.resolve({ break: true as const, value: undefined as void });
        }),
    ],
    [
      "a branch, after an entry",
      (ctx: Context) =>
        ctx.join("j", {
          a: {
            run: async (c: Context) => {
              await c.step("s", () => 1);
              Math.random();
            },
          },
        }),
    ],
    [
      "a try block",
      (ctx: Context) =>
        ctx.try("t", () => {
          Math.random();
        }),
    ],
    [
      "a helper, after a wait",
      async (ctx: Context) => {
        await ctx.sleep("z", 0);
        await Promise.resolve().then(() => Math.random());
      },
    ],
  ];
  for (const [where, fn] of places) {
    law(`sees workflow code in ${where}`, async (world) => {
      arm("warn");
      world.options = { guard };
      await world.start(fn);
      expect(warnings.length).toBeGreaterThan(0);
    });
  }

  law("lets step bodies, and the engine itself, do as they like", async (world) => {
    arm("throw");
    world.options = { guard };
    await world.start(async (ctx) => {
      await ctx.step("a", async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return [Date.now() > 0, Math.random() < 1];
      });
      await ctx.step({
        name: "retried",
        maxRetries: 1,
        run: (step) => {
          Math.random();
          if (step.attempt === 1) throw new Error("once");
        },
      });
      await ctx.queue.nextBatch("wait", { timeout: 10 });
      return new Date(5).getTime();
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await world.clock.advance(1000);
    expect(await world.output()).toBe(5);
  });

  test("warns once per place and lets the call through", async () => {
    arm("warn");
    const world = new World(false);
    world.options = { guard };
    await world.start(async (ctx) => {
      for (let i = 0; i < 3; i++) {
        await ctx.step(`s${i}`, () => i);
        Math.random();
      }
      return typeof Math.random();
    });
    expect(await world.output()).toBe("number");
    expect(warnings).toHaveLength(2);
    await world.end();
  });

  test("does nothing outside workflows, and puts the globals back", () => {
    const before = { Date, random: Math.random };
    arm("throw");
    expect(Math.random()).toBeLessThan(1);
    expect(new Date() instanceof Date).toBe(true);
    guard.dispose();
    expect(Date).toBe(before.Date);
    expect(Math.random).toBe(before.random);
    expect(new GuardError("x")).toBeInstanceOf(Error);
  });
});
