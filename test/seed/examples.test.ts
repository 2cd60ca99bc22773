import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AnyRegistry } from "@stepproof/runtime";
import * as batchDrainer from "../../fixtures/seed/batch-drainer.js";
import * as boundedDrain from "../../fixtures/seed/bounded-drain-and-concurrency-cap.js";
import * as checkpointFriendly from "../../fixtures/seed/checkpoint-friendly-loop-design.js";
import * as childWorkers from "../../fixtures/seed/child-workers.js";
import * as coordinator from "../../fixtures/seed/coordinator-to-worker-rpc.js";
import * as cron from "../../fixtures/seed/cron-queue-driven.js";
import * as saga from "../../fixtures/seed/cross-actor-saga-compensating-actions.js";
import * as errorHooks from "../../fixtures/seed/error-hooks.js";
import * as fanInOut from "../../fixtures/seed/fan-out-fan-in-join.js";
import * as paymentFlow from "../../fixtures/seed/handling-terminal-failures-as-data-try.js";
import * as payment from "../../fixtures/seed/handling-terminal-failures-as-data.js";
import * as approvalGate from "../../fixtures/seed/human-approval-gate.js";
import * as pollBackoff from "../../fixtures/seed/poll-and-backoff-loop.js";
import * as queueWorker from "../../fixtures/seed/queue-driven-worker.js";
import * as rollback from "../../fixtures/seed/rollback.js";
import * as scatterGather from "../../fixtures/seed/scatter-gather-across-actors.js";
import * as setupTeardown from "../../fixtures/seed/setup-and-teardown-around-a-loop.js";
import * as controlLoop from "../../fixtures/seed/signal-driven-control-loop.js";
import * as timeoutFallback from "../../fixtures/seed/timeout-and-fallback-actor.js";
import * as timeouts from "../../fixtures/seed/timeouts.js";
import * as versionGate from "../../fixtures/seed/version-gates-with-getversion.js";
import * as versioned from "../../fixtures/seed/versioned-workflow-evolution.js";
import { startStub, type Stub } from "./stub.js";
import { World } from "./world.js";

/*
 * Every example of the page, as its text says it behaves: through the real server, client and SQLite file,
 * with a restart (or a crash) in the middle. Outside calls go to a stub server; the clock is the test's.
 */

let stub: Stub;
let open: World<AnyRegistry>[] = [];

beforeEach(async () => {
  stub = await startStub();
});
afterEach(async () => {
  for (const world of open.splice(0)) await world.close();
  await stub.close();
});

async function started<R extends AnyRegistry>(registry: R): Promise<World<R>> {
  const world = await World.start(registry);
  open = [...open, world as unknown as World<AnyRegistry>];
  return world;
}

describe("Handling terminal failures as data", () => {
  test("a charge that succeeds is stored as paid, and stays so after a crash", async () => {
    const world = await started(payment.registry);
    const handle = () => world.client.paymentActor.getOrCreate(["main"]);
    await world.until(
      () => handle().getState(),
      (state) => state.status === "paid",
    );
    await world.crash();
    expect(await handle().getState()).toEqual({ status: "paid", reason: null });
    const { history } = await world.inspect("paymentActor");
    expect(history?.entries.map(({ path, status }) => [path, status])).toEqual([
      ["charge-card", "completed"],
      ["store-charge-result", "completed"],
    ]);
  });

  test("the try block runs its steps under its name", async () => {
    const world = await started(paymentFlow.registry);
    await world.client.paymentFlowActor.getOrCreate(["main"]).resolve();
    await world.until(
      () => world.inspect("paymentFlowActor"),
      (view) => view.history?.status === "completed",
    );
    await world.restart();
    const { history } = await world.inspect("paymentFlowActor");
    expect(history?.entries.map(({ path }) => path)).toEqual([
      "payment-flow/authorize",
      "payment-flow/capture",
    ]);
  });
});

describe("Checkpoint-friendly loop design", () => {
  test("payments before and after a crash are applied once each", async () => {
    const world = await started(checkpointFriendly.registry);
    const handle = () => world.client.checkpointFriendlyActor.getOrCreate(["main"]);
    await handle().send("payments", { id: "p1", amount: 10 });
    await world.until(
      () => handle().getState(),
      (state) => state.appliedCount === 1,
    );
    await world.crash();
    await handle().send("payments", { id: "p2", amount: 5 });
    const state = await world.until(
      () => handle().getState(),
      ({ appliedCount }) => appliedCount === 2,
    );
    expect(state).toEqual({ appliedCount: 2, totalAmount: 15, lastPaymentId: "p2" });
  });
});

describe("Queue-driven worker", () => {
  test("jobs are processed in order, also those that wait while it is restarted", async () => {
    const world = await started(queueWorker.registry);
    const handle = () => world.client.queueWorkerActor.getOrCreate(["main"]);
    for (let i = 1; i <= 5; i++) await handle().send("jobs", { id: `j${String(i)}`, amount: i });
    await world.crash();
    for (let i = 6; i <= 10; i++) await handle().send("jobs", { id: `j${String(i)}`, amount: i });
    const state = await world.until(
      () => handle().getState(),
      ({ processed }) => processed === 10,
    );
    expect(state.totalAmount).toBe(55);
  });

  test("a wait that times out goes round the loop", async () => {
    const world = await started(queueWorker.registry);
    const handle = world.client.queueWorkerActor.getOrCreate(["main"]);
    await handle.resolve();
    await world.clock.advance(65_000);
    const { history } = await world.inspect("queueWorkerActor");
    expect(history?.status).toBe("sleeping");
    await handle.send("jobs", { id: "late", amount: 3 });
    expect(
      (
        await world.until(
          () => handle.getState(),
          ({ processed }) => processed === 1,
        )
      ).totalAmount,
    ).toBe(3);
  });
});

describe("Batch drainer", () => {
  test("five metrics make a batch, across a restart", async () => {
    const world = await started(batchDrainer.registry);
    const handle = () => world.client.batchDrainerActor.getOrCreate(["main"]);
    for (const value of [1, 2, 3]) await handle().send("metrics", { value });
    await world.until(
      () => handle().getState(),
      ({ pending }) => pending.length === 3,
    );
    await world.restart();
    for (const value of [4, 5, 6]) await handle().send("metrics", { value });
    const state = await world.until(
      () => handle().getState(),
      ({ pending }) => pending.length === 1,
    );
    expect(state).toEqual({ pending: [6], flushedBatches: 1, lastBatchTotal: 15 });
  });
});

describe("Bounded drain and concurrency cap", () => {
  test("it fails as the checker says: the name of the wait repeats in the native loop", async () => {
    const world = await started(boundedDrain.registry);
    const handle = world.client.boundedDrainActor.getOrCreate(["main"]);
    await handle.send("work", { id: "w1", value: 1 });
    await handle.send("work", { id: "w2", value: 2 });
    const view = await world.until(
      () => world.inspect("boundedDrainActor"),
      ({ history }) => history?.status === "failed",
    );
    expect(view.history?.error?.message).toContain('Duplicate entry name "bounded-drain-loop/~0/wait-work"');
  });
});

describe("Signal-driven control loop", () => {
  test("signals change the mode, and the mode survives a crash", async () => {
    const world = await started(controlLoop.registry);
    const handle = () => world.client.controlLoopActor.getOrCreate(["main"]);
    await handle().send("signals", { kind: "pause" });
    await world.until(
      () => handle().getState(),
      ({ mode }) => mode === "paused",
    );
    await world.crash();
    expect((await handle().getState()).mode).toBe("paused");
    await handle().send("signals", { kind: "resume" });
    await handle().send("signals", { kind: "stop" });
    const state = await world.until(
      () => handle().getState(),
      ({ handledSignals }) => handledSignals === 3,
    );
    expect(state.mode).toBe("stopped");
  });
});

describe("Human approval gate", () => {
  test("it waits for the decision across a crash, then fulfils once", async () => {
    const world = await started(approvalGate.registry);
    const handle = () => world.client.approvalGateActor.getOrCreate(["main"]);
    await world.until(
      () => handle().getState(),
      ({ status }) => status === "awaiting_approval",
    );
    await world.crash();
    expect((await handle().getState()).status).toBe("awaiting_approval");
    await handle().send("approval", { approved: true });
    await world.until(
      () => handle().getState(),
      ({ status }) => status === "fulfilled",
    );
    expect(stub.count("/orders/order-123/validate")).toBe(1);
    expect(stub.count("/orders/order-123/fulfill")).toBe(1);
    expect(stub.count("/orders/order-123/cancel")).toBe(0);
  });

  test("a refusal cancels", async () => {
    const world = await started(approvalGate.registry);
    const handle = world.client.approvalGateActor.getOrCreate(["main"]);
    await handle.send("approval", { approved: false });
    await world.until(
      () => handle.getState(),
      ({ status }) => status === "cancelled",
    );
    expect(stub.count("/orders/order-123/cancel")).toBe(1);
  });

  test("a queue that is not declared is refused with its name", async () => {
    const world = await started(approvalGate.registry);
    const handle = world.client.approvalGateActor.getOrCreate(["main"]);
    await expect(handle.send("approvals" as "approval", { approved: true })).rejects.toMatchObject({
      code: "queue_not_found",
      message: expect.stringContaining("approval") as string,
    });
  });
});

describe("Timeouts", () => {
  test("the charge of each message is kept", async () => {
    const world = await started(timeouts.registry);
    const handle = () => world.client.timeoutActor.getOrCreate(["main"]);
    const state = async () => {
      const response = await fetch(`${world.url}/inspector/state?actor=timeoutActor&key=main`);
      return ((await response.json()) as { state: { lastChargeId: string | null } }).state.lastChargeId;
    };
    await handle().send("charge", { orderId: "o-1" });
    await world.until(state, (id) => id === "charge-o-1");
    await world.crash();
    await handle().send("charge", { orderId: "o-2" });
    await world.until(state, (id) => id === "charge-o-2");
  });
});

describe("Fan-out / fan-in (join)", () => {
  test("three branches give one sum; a branch that fails is tried again alone", async () => {
    const counts: Readonly<Record<string, number>> = { "/users": 2, "/orders": 30, "/invoices": 400 };
    for (const [path, count] of Object.entries(counts)) stub.answer(path, () => ({ json: { count } }));
    let refusals = 1;
    stub.answer("/orders", () => (refusals-- > 0 ? { status: 503 } : { json: { count: 30 } }));
    const world = await started(fanInOut.registry);
    const handle = () => world.client.fanInOutActor.getOrCreate(["main"]);
    await handle().send("refresh", {});
    await world.until(
      () => stub.count("/invoices"),
      (count) => count === 1,
    );
    await world.until(
      () => world.inspect("fanInOutActor"),
      ({ history }) =>
        history?.entries.some(({ path, attempts }) => path.endsWith("fetch-orders") && attempts === 1) ===
        true,
    );
    await world.crash();
    await handle().getState();
    await world.clock.advance(1_000);
    const state = await world.until(
      () => handle().getState(),
      ({ total }) => total > 0,
    );
    expect(state.total).toBe(432);
    expect([stub.count("/users"), stub.count("/orders"), stub.count("/invoices")]).toEqual([1, 2, 1]);
  });
});

describe("Scatter-gather across Actors", () => {
  test("the shards' answers are summed", async () => {
    const world = await started(scatterGather.registry);
    const handle = () => world.client.scatterGatherActor.getOrCreate(["main"]);
    await handle().send("scatter", { input: 3 });
    await world.until(
      () => handle().getState(),
      ({ lastSum }) => lastSum === 90,
    );
    await world.crash();
    expect((await handle().getState()).lastSum).toBe(90);
    expect(await world.client.shardActor.getOrCreate(["a"]).compute(4)).toBe(40);
  });
});

describe("Poll and backoff loop", () => {
  test("it backs off while the target is down and rests while it is healthy, across a crash", async () => {
    const world = await started(pollBackoff.registry);
    const handle = () => world.client.pollBackoffActor.getOrCreate(["main"]);
    await world.until(
      () => handle().getState(),
      ({ backoffMs }) => backoffMs === 200,
    );
    await world.clock.advance(200);
    await world.until(
      () => handle().getState(),
      ({ backoffMs }) => backoffMs === 400,
    );
    await world.crash();
    await handle().getState();
    await world.clock.advance(400);
    const state = await world.until(
      () => handle().getState(),
      ({ status }) => status === "healthy",
    );
    expect(state).toEqual({ attempts: 3, backoffMs: 100, status: "healthy" });
  });
});

describe("Coordinator to worker RPC", () => {
  test("a task goes to the worker it names", async () => {
    const world = await started(coordinator.registry);
    const handle = () => world.client.coordinatorActor.getOrCreate(["main"]);
    await handle().send("tasks", { taskId: "t1", workerId: "w1", value: 21 });
    await world.until(
      () => handle().getState(),
      ({ lastResult }) => lastResult === 42,
    );
    await world.restart();
    await handle().send("tasks", { taskId: "t2", workerId: "w2", value: 5 });
    expect(
      await world.until(
        () => handle().getState(),
        ({ lastTaskId }) => lastTaskId === "t2",
      ),
    ).toEqual({
      lastTaskId: "t2",
      lastResult: 10,
    });
  });
});

describe("Child workers", () => {
  test("children are started, and each batch runs on all of them", async () => {
    const world = await started(childWorkers.registry);
    const handle = () => world.client.orchestratorActor.getOrCreate(["main"]);
    await world.until(
      () => world.inspect("orchestratorActor", "main").catch(() => null),
      () => true,
    );
    await handle().send("batches", { payload: 2 });
    await world.until(
      () => handle().getState(),
      ({ lastTotal }) => lastTotal === 18,
    );
    expect(await world.client.childWorkerActor.get(["child-a"]).process(1)).toBe(3);
    await world.crash();
    await handle().send("batches", { payload: 4 });
    await world.until(
      () => handle().getState(),
      ({ lastTotal }) => lastTotal === 36,
    );
  });
});

describe("Timeout and fallback Actor", () => {
  test("a slow primary loses against the timer, and the fallback answers", async () => {
    const world = await started(timeoutFallback.registry);
    const handle = () => world.client.timeoutFallbackActor.getOrCreate(["main"]);
    await handle().send("requests", {});
    await world.until(
      () => world.inspect("timeoutFallbackActor"),
      ({ history }) => history?.entries.some(({ path }) => path.endsWith("primary-timeout")) === true,
    );
    await world.clock.advance(200);
    await world.until(
      () => handle().getState(),
      ({ lastSource }) => lastSource === "fallback",
    );
    await world.crash();
    expect(await handle().getState()).toEqual({ lastSource: "fallback", lastValue: "fallback" });
  });

  test("a primary that answers in time wins", async () => {
    const world = await started(timeoutFallback.registry);
    const handle = world.client.timeoutFallbackActor.getOrCreate(["main"]);
    await handle.send("requests", {});
    // The primary takes 500 ms of real time; the test's clock does not move meanwhile.
    expect(
      await world.until(
        () => handle.getState(),
        ({ lastSource }) => lastSource !== "none",
      ),
    ).toEqual({
      lastSource: "primary",
      lastValue: "primary",
    });
  });
});

describe("Error hooks", () => {
  test("every failed attempt is told to the hook and to connected clients", async () => {
    const world = await started(errorHooks.registry);
    const handle = () => world.client.errorHookActor.getOrCreate(["main"]);
    const connection = handle().connect();
    const attempts: number[] = [];
    connection.on("workflowError", (event) => {
      if ("step" in event) attempts.push(event.step.attempt);
    });
    await connection.ready();
    await world.until(
      () => handle().getState(),
      ({ lastError }) => lastError !== null,
    );
    await world.clock.advance(250);
    await world.until(
      () => attempts.length,
      (count) => count >= 1,
    );
    await connection.dispose();
    await world.crash();
    await handle().getState();
    await world.clock.advance(10_000);
    const { lastError } = await world.until(
      () => handle().getState(),
      (state) => state.lastError !== null && "step" in state.lastError && !state.lastError.step.willRetry,
    );
    expect(lastError).toMatchObject({
      step: {
        stepName: "sync-ledger",
        attempt: 4,
        maxRetries: 3,
        remainingRetries: 0,
        error: { message: "ledger unavailable" },
      },
    });
  });
});

describe("Rollback", () => {
  test("a card that is refused for good releases the inventory", async () => {
    stub.answer("/inventory/reserve", () => ({ json: { reservationId: "res-1" } }));
    stub.answer("/v1/charges", () => ({ status: 200, json: null }));
    const world = await started(rollback.registry);
    const handle = () => world.client.checkoutActor.getOrCreate(["main"]);
    await handle().send("orders", { orderId: "o-1" });
    await world.until(
      () => stub.count("/v1/charges"),
      (count) => count === 1,
    );
    await world.until(
      () => world.inspect("checkoutActor"),
      ({ history }) =>
        history?.entries.some(({ path, attempts }) => path.endsWith("charge-card") && attempts === 1) ===
        true,
    );
    await world.crash();
    await handle().getState();
    await world.clock.advance(60_000);
    await world.until(
      () => stub.count("/inventory/res-1/release"),
      (count) => count === 1,
    );
    expect(stub.count("/inventory/reserve")).toBe(1);
    expect(stub.count("/v1/refunds")).toBe(0);
    await world.until(
      () => world.inspect("checkoutActor"),
      ({ history }) => history?.status === "failed",
    );
  });

  test("an order that goes through is confirmed", async () => {
    stub.answer("/inventory/reserve", () => ({ json: { reservationId: "res-1" } }));
    stub.answer("/v1/charges", () => ({ json: { id: "ch-1" } }));
    const world = await started(rollback.registry);
    const handle = world.client.checkoutActor.getOrCreate(["main"]);
    await handle.send("orders", { orderId: "o-1" });
    await world.until(
      () => handle.getState(),
      ({ status }) => status === "confirmed",
    );
    expect(stub.count("/v1/charges")).toBe(1);
  });
});

describe("Cross-Actor saga (compensating actions)", () => {
  test("each order reserves, charges and completes", async () => {
    const world = await started(saga.registry);
    const handle = () => world.client.checkoutSagaActor.getOrCreate(["main"]);
    await handle().send("orders", { orderId: "o-1", amount: 10 });
    await world.until(
      () => handle().getState(),
      ({ completedOrders }) => completedOrders === 1,
    );
    await world.crash();
    await handle().send("orders", { orderId: "o-2", amount: 20 });
    await world.until(
      () => handle().getState(),
      ({ completedOrders }) => completedOrders === 2,
    );
    expect(stub.calls).toEqual([]);
  });
});

describe("Versioned workflow evolution", () => {
  test("a new instance starts under the new code and beats, across a crash", async () => {
    const world = await started(versioned.registry);
    const handle = () => world.client.versionedWorkflowActor.getOrCreate(["main"]);
    await world.until(
      () => handle().getState(),
      ({ runs }) => runs === 1,
    );
    await world.clock.advance(500);
    await world.until(
      () => handle().getState(),
      ({ runs }) => runs === 2,
    );
    await world.crash();
    await handle().getState();
    await world.clock.advance(500);
    await world.until(
      () => handle().getState(),
      ({ runs }) => runs === 3,
    );
  });
});

describe("Version gates with getVersion", () => {
  test("a fresh iteration takes the latest version", async () => {
    const world = await started(versionGate.registry);
    const handle = () => world.client.versionGateActor.getOrCreate(["main"]);
    await world.until(
      () => handle().getState(),
      ({ processed }) => processed === 1,
    );
    await world.crash();
    await handle().getState();
    await world.clock.advance(1_000);
    await world.until(
      () => handle().getState(),
      ({ processed }) => processed === 2,
    );
    const { history } = await world.inspect("versionGateActor");
    expect(history?.entries.filter(({ path }) => path.includes("process-v")).map(({ path }) => path)).toEqual(
      ["process-loop/~0/process-v2", "process-loop/~1/process-v2"],
    );
  });
});

describe("Cron (queue-driven)", () => {
  test("it ticks each minute, also after a crash, and makes up what it missed once", async () => {
    const world = await started(cron.registry);
    const handle = () => world.client.cronActor.getOrCreate(["main"]);
    await handle().resolve();
    const start = world.clock.now();
    await world.clock.advance(60_000);
    await world.until(
      () => handle().getState(),
      ({ runs }) => runs === 1,
    );
    await world.crash();
    await world.clock.advance(60_000);
    const state = await world.until(
      () => handle().getState(),
      ({ runs }) => runs === 2,
    );
    expect(state.lastRunAt).toBe(start + 120_000);
  });
});

describe("Setup and teardown around a loop", () => {
  test("it sets up once and ticks each second; vars are there after each wake", async () => {
    const world = await started(setupTeardown.registry);
    const handle = () => world.client.setupRunTeardownActor.getOrCreate(["main"]);
    await world.until(
      () => handle().getState(),
      ({ initialized }) => initialized,
    );
    await world.clock.advance(1_000);
    await world.until(
      () => handle().getState(),
      ({ ticks }) => ticks === 1,
    );
    await world.restart();
    await world.clock.advance(1_000);
    await world.until(
      () => handle().getState(),
      ({ ticks }) => ticks === 2,
    );
    const { history } = await world.inspect("setupRunTeardownActor");
    expect(history?.entries.filter(({ path }) => path === "setup")).toHaveLength(1);
  });
});
