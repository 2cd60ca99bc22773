import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { actor, event, queue, setup, workflow } from "../index.js";
import type {
  ActionsOf,
  ClientOf,
  RollbackContext,
  SendResult,
  ShapeOf,
  WorkflowContextOf,
  WorkflowLoopContextOf,
  WorkflowStepContextOf,
} from "./index.js";

/* Types only: `tsc` holds these laws, running them shows that the definitions are accepted. */

const orders = workflow(
  {
    state: { total: 0, last: null as string | null },
    queues: {
      order: queue<{ id: string; amount: number }, { receipt: string }>(),
      note: z.object({ text: z.string() }),
    },
    events: { changed: event<[total: number, by: string]>(), ping: event<number>() },
    run: async (ctx) => {
      expectTypeOf(ctx).not.toBeAny();
      const message = await ctx.queue.next("wait", { completable: true, names: ["order"] });
      expectTypeOf(message.body).toEqualTypeOf<{ id: string; amount: number }>();
      expectTypeOf(message.complete).parameters.toEqualTypeOf<[response: { receipt: string }]>();
      const either = await ctx.queue.next("either");
      if (either.name === "note") expectTypeOf(either.body).toEqualTypeOf<{ text: string }>();
      const total = await ctx.step("add", (step) => {
        expectTypeOf(step.state).toEqualTypeOf<{ total: number; last: string | null }>();
        step.broadcast("changed", 1, "me");
        step.broadcast("ping", 1);
        // @ts-expect-error an event takes its declared arguments
        step.broadcast("changed", "1");
        // @ts-expect-error only declared queues
        void step.queue.send("nope", 1);
        return step.state.total;
      });
      expectTypeOf(total).toEqualTypeOf<number>();
      const joined = await ctx.join("both", {
        a: { run: async (branch) => await branch.step("a", () => 1) },
        b: { run: async (branch) => await branch.step("b", async () => "x") },
      });
      expectTypeOf(joined).toEqualTypeOf<{ a: number; b: string }>();
      const won = await ctx.race("first", [
        { name: "n", run: async (branch) => await branch.step("n", () => 1) },
        { name: "s", run: async (branch) => await branch.step("s", () => "x") },
      ]);
      if (won.winner === "n") expectTypeOf(won.value).toEqualTypeOf<number>();
      const tried = await ctx.tryStep("t", () => 1);
      if (tried.ok) expectTypeOf(tried.value).toEqualTypeOf<number>();
      await ctx.step({
        name: "undo",
        run: () => 7,
        rollback: (rollback, output) => {
          expectTypeOf(rollback).toEqualTypeOf<RollbackContext>();
          expectTypeOf(output).toEqualTypeOf<number>();
        },
      });
      const sum = await ctx.loop({
        name: "sum",
        state: { n: 0 },
        run: async (_loop, state) => {
          expectTypeOf(state).toEqualTypeOf<{ n: number }>();
          return state.n > 3
            ? { break: true, value: state.n }
            : { continue: true, state: { n: state.n + 1 } };
        },
      });
      expectTypeOf(sum).toEqualTypeOf<number>();
    },
    actions: {
      get: (c) => c.state,
      add: async (c, amount: number, by?: string) => {
        expectTypeOf(c.state.total).toEqualTypeOf<number>();
        void by;
        return c.state.total + amount;
      },
    },
  },
  {
    onError: (c, failure) => {
      expectTypeOf(c.state.total).toEqualTypeOf<number>();
      if ("step" in failure) expectTypeOf(failure.step.attempt).toEqualTypeOf<number>();
    },
  },
);

const _registry = setup({ use: { orders } });

test("a definition's types reach its contexts by name", () => {
  expectTypeOf<WorkflowStepContextOf<typeof orders>["state"]>().toEqualTypeOf<{
    total: number;
    last: string | null;
  }>();
  expectTypeOf<WorkflowContextOf<typeof orders>>().toEqualTypeOf<WorkflowLoopContextOf<typeof orders>>();
  expectTypeOf<WorkflowContextOf<typeof orders>>().not.toHaveProperty("state");
  expectTypeOf<WorkflowContextOf<typeof orders>>().not.toHaveProperty("client");
  expectTypeOf<keyof ActionsOf<typeof orders>>().toEqualTypeOf<"get" | "add">();
});

test("a client knows actions, queues and events of every definition", () => {
  const check = async (client: ClientOf<typeof _registry>): Promise<void> => {
    const handle = client.orders.getOrCreate(["main"]);
    expectTypeOf(handle.get).toEqualTypeOf<() => Promise<{ total: number; last: string | null }>>();
    expectTypeOf(handle.add).toEqualTypeOf<(amount: number, by?: string) => Promise<number>>();
    const sent = await handle.send("order", { id: "1", amount: 2 }, { wait: true, timeout: 10 });
    expectTypeOf(sent).toEqualTypeOf<SendResult<{ receipt: string }>>();
    // @ts-expect-error a body of another type
    await handle.send("order", { id: 1 });
    handle.connect().on("changed", (total, by) => {
      expectTypeOf(total).toEqualTypeOf<number>();
      expectTypeOf(by).toEqualTypeOf<string>();
    });
    // @ts-expect-error no such action
    await handle.nope();
    // @ts-expect-error no such definition
    client.nope.get();
  };
  void check;
});

test("a step's client is typed by the registry that is named, else by the place of the call, never any", () => {
  const check = async (step: WorkflowStepContextOf<typeof orders>): Promise<number> => {
    expectTypeOf(step.client<typeof _registry>().orders.get().add(1)).toEqualTypeOf<Promise<number>>();
    const handle = step.client()["orders"]?.get();
    const action = handle?.["count"];
    if (action === undefined) return 0;
    expectTypeOf(action(1)).toEqualTypeOf<Promise<unknown>>();
    return await action();
  };
  void check;
});

test("workflow(fn) takes the types of the actor it stands in", () => {
  const _counter = actor({
    state: { n: 0 },
    queues: { inc: queue<number>() },
    run: workflow(async (ctx) => {
      await ctx.loop("main", async (loop) => {
        const message = await loop.queue.next("wait");
        expectTypeOf(message.body).toEqualTypeOf<number>();
        await loop.step("add", (step) => {
          expectTypeOf(step.state).toEqualTypeOf<{ n: number }>();
          step.state.n += message.body;
        });
      });
    }),
    actions: { get: (c) => c.state.n },
  });
  expectTypeOf<ShapeOf<typeof _counter>["state"]>().toEqualTypeOf<{ n: number }>();
  expectTypeOf<keyof ActionsOf<typeof _counter>>().toEqualTypeOf<"get">();
});

test("createState infers the state and the input", () => {
  const _made = workflow({
    createState: (_c, input: { start: number }) => ({ n: input.start }),
    createVars: () => ({ open: new Set<string>() }),
    run: async (ctx) => {
      await ctx.step("read", (step) => {
        expectTypeOf(step.state).toEqualTypeOf<{ n: number }>();
        expectTypeOf(step.vars).toEqualTypeOf<{ open: Set<string> }>();
      });
    },
  });
  actor({
    createState: (_c, input: { start: number }) => ({ n: input.start }),
    actions: { get: (c) => expectTypeOf(c.state).toEqualTypeOf<{ n: number }>() },
  });
  expectTypeOf<ShapeOf<typeof _made>["input"]>().toEqualTypeOf<{ start: number }>();
});

test("without queues any name is taken and bodies are unknown", () => {
  workflow({
    run: async (ctx) => {
      const [message] = await ctx.queue.nextBatch("wait", { timeout: 5 });
      if (message !== undefined) expectTypeOf(message.body).toEqualTypeOf<unknown>();
      await ctx.step("send", async (step) => {
        expectTypeOf(step.state).toEqualTypeOf<undefined>();
        await step.queue.send("any-name", { x: 1 });
      });
    },
  });
});
