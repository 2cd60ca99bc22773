import { actor, event, queue, setup, workflow } from "@stepproof/runtime";

/** Takes numbered messages and keeps what it has seen. */
export const counter = workflow({
  state: { seen: [] as number[] },
  queues: { numbers: queue<number>() },
  options: { sleepTimeout: 2_000 },
  run: async (ctx) => {
    await ctx.loop("main", async (loop) => {
      const message = await loop.queue.next("number");
      await loop.step("keep", (step) => {
        step.state.seen.push(message.body);
      });
    });
  },
  actions: { seen: (c) => c.state.seen },
});

/** Sleeps for a time given at its creation, then says when it woke. */
export const sleeper = workflow({
  createState: (_c, input: { until: number }) => ({ until: input.until, wokeAt: 0 }),
  options: { sleepTimeout: 100 },
  run: async (ctx) => {
    const until = await ctx.step("until", (step) => step.state.until);
    await ctx.sleepUntil("nap", until);
    await ctx.step("wake", (step) => {
      step.state.wokeAt = Date.now();
    });
  },
  actions: { wokeAt: (c) => c.state.wokeAt },
});

/** Tells everyone who is connected. */
export const hall = actor({
  events: { said: event<[what: string]>() },
  actions: {
    say: (c, what: string) => {
      c.broadcast("said", what);
      return c.conns.size;
    },
  },
});

export const registry = setup({ use: { counter, sleeper, hall } });
