import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { actor, queue, setup, workflow } from "../index.js";
import { testHost } from "../testing/test-host.js";

const exported = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exported)] });

beforeAll(() => {
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterEach(() => {
  exported.reset();
});
afterAll(() => {
  trace.disable();
  context.disable();
});

const names = (): string[] => exported.getFinishedSpans().map(({ name }) => name);
const named = (name: string): ReadableSpan => {
  const found = exported.getFinishedSpans().find((span) => span.name === name);
  if (found === undefined) throw new Error(`No span ${name} among ${names().join(", ")}.`);
  return found;
};
const isBelow = (span: ReadableSpan, parent: ReadableSpan): boolean =>
  span.parentSpanContext?.spanId === parent.spanContext().spanId;

const library = (): void => {
  trace.getTracer("a library").startSpan("query").end();
};

const registry = setup({
  use: {
    order: workflow({
      queues: { go: queue<{ fail: boolean }>() },
      run: async (ctx) => {
        await ctx.step("reserve", async () => {
          await Promise.resolve();
          library();
        });
        const message = await ctx.queue.next("wait", { names: ["go"] });
        await ctx.step({
          name: "charge",
          maxRetries: 0,
          run: () => {
            if (message.body.fail) throw new Error("declined");
          },
        });
      },
    }),
    refund: workflow({
      run: async (ctx) => {
        await ctx.rollbackCheckpoint("start");
        await ctx.step({ name: "pay", run: () => 1, rollback: () => library() });
        await ctx.step({ name: "ship", maxRetries: 0, run: () => Promise.reject(new Error("no van")) });
      },
    }),
    clerk: actor({ actions: { add: () => library() } }),
  },
});

describe("spans", () => {
  it("show a workflow's runs and waits, with its steps below the run that made them", async () => {
    const test = await testHost(registry);
    await test.client.order.getOrCreate("7").resolve();
    await test.settled();
    await test.client.order.get("7").send("go", { fail: false });
    await test.settled();
    await test.stop();
    expect(names()).toEqual(["query", "step reserve", "run order", "wait order", "step charge", "run order"]);
    expect(isBelow(named("query"), named("step reserve"))).toBe(true);
    expect(isBelow(named("step reserve"), named("run order"))).toBe(true);
    expect(isBelow(named("step charge"), named("run order"))).toBe(false);
    expect(named("step charge").attributes).toMatchObject({
      "stepproof.actor": "order",
      "stepproof.key": ["7"],
      "stepproof.attempt": 1,
    });
  });

  it("say which step failed, and that the run did", async () => {
    const test = await testHost(registry);
    await test.client.order.getOrCreate("8").send("go", { fail: true });
    await test.settled();
    await test.stop();
    expect(named("step charge").status).toMatchObject({ code: 2, message: "failed" });
    const runs = exported.getFinishedSpans().filter(({ name }) => name === "run order");
    expect(runs.at(-1)?.status.message).toMatch(/declined/);
  });

  it("end when the instance is put to sleep in a wait, and begin anew in the next process", async () => {
    const test = await testHost(registry);
    await test.client.order.getOrCreate("9").resolve();
    await test.settled();
    await test.crash();
    await test.client.order.get("9").send("go", { fail: false });
    await test.settled();
    await test.stop();
    expect(names().filter((name) => name === "step reserve")).toHaveLength(1);
    expect(isBelow(named("step charge"), exported.getFinishedSpans().at(-1) ?? named("step charge"))).toBe(
      true,
    );
  });

  it("show rollback handlers and actions, with what libraries do below them", async () => {
    const test = await testHost(registry);
    await test.client.refund.getOrCreate().resolve();
    await test.settled();
    expect(isBelow(named("query"), named("rollback pay"))).toBe(true);
    exported.reset();
    await test.client.clerk.getOrCreate().add();
    await test.stop();
    expect(isBelow(named("query"), named("action add"))).toBe(true);
  });
});
