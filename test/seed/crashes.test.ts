import { afterEach, beforeEach, expect, test } from "vitest";
import { crashEverywhere, type TestHost } from "@stepproof/runtime/testing";
import type { AnyRegistry } from "@stepproof/runtime";
import * as batchDrainer from "../../fixtures/seed/batch-drainer.js";
import * as checkpointFriendly from "../../fixtures/seed/checkpoint-friendly-loop-design.js";
import * as childWorkers from "../../fixtures/seed/child-workers.js";
import * as coordinator from "../../fixtures/seed/coordinator-to-worker-rpc.js";
import * as cron from "../../fixtures/seed/cron-queue-driven.js";
import * as saga from "../../fixtures/seed/cross-actor-saga-compensating-actions.js";
import * as errorHooks from "../../fixtures/seed/error-hooks.js";
import * as fanInOut from "../../fixtures/seed/fan-out-fan-in-join.js";
import * as payment from "../../fixtures/seed/handling-terminal-failures-as-data.js";
import * as approvalGate from "../../fixtures/seed/human-approval-gate.js";
import * as pollBackoff from "../../fixtures/seed/poll-and-backoff-loop.js";
import * as rollback from "../../fixtures/seed/rollback.js";
import * as scatterGather from "../../fixtures/seed/scatter-gather-across-actors.js";
import * as setupTeardown from "../../fixtures/seed/setup-and-teardown-around-a-loop.js";
import * as controlLoop from "../../fixtures/seed/signal-driven-control-loop.js";
import * as versionGate from "../../fixtures/seed/version-gates-with-getversion.js";
import * as versioned from "../../fixtures/seed/versioned-workflow-evolution.js";
import { startStub, type Stub } from "./stub.js";

/* Each example, killed right after every single commit that it makes: the end is the same as without. */

let stub: Stub;
beforeEach(async () => {
  stub = await startStub();
  stub.answer("/users", () => ({ json: { count: 1 } }));
  stub.answer("/orders", () => ({ json: { count: 2 } }));
  stub.answer("/invoices", () => ({ json: { count: 3 } }));
  stub.answer("/inventory/reserve", () => ({ json: { reservationId: "res-1" } }));
  stub.answer("/v1/charges", () => ({ json: { id: "ch-1" } }));
});
afterEach(async () => {
  await stub.close();
});

async function sameEverywhere<R extends AnyRegistry, T>(
  registry: R,
  scenario: (host: TestHost<R>) => Promise<T>,
  expected: T,
): Promise<void> {
  const runs = await crashEverywhere(registry, scenario);
  expect(runs.length).toBeGreaterThan(2);
  for (const { crashAfter, result } of runs)
    expect(result, `crash after commit ${String(crashAfter)}`).toEqual(expected);
}

/** Waits for outside calls too, which take real time. */
async function until<T>(
  host: { settled(): Promise<void> },
  probe: () => Promise<T>,
  wanted: (value: T) => boolean,
): Promise<T> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    await host.settled();
    const value = await probe();
    if (wanted(value) || performance.now() > deadline) return value;
  }
}

test("Handling terminal failures as data", () =>
  sameEverywhere(
    payment.registry,
    async (host) => {
      const handle = host.client.paymentActor.getOrCreate("a");
      await handle.resolve();
      await host.settled();
      return await handle.getState();
    },
    { status: "paid", reason: null },
  ));

test("Checkpoint-friendly loop design", () =>
  sameEverywhere(
    checkpointFriendly.registry,
    async (host) => {
      const handle = host.client.checkpointFriendlyActor.getOrCreate("a");
      await handle.send("p", { id: "1", amount: 4 });
      await handle.send("p", { id: "2", amount: 5 });
      await host.settled();
      return await handle.getState();
    },
    { appliedCount: 2, totalAmount: 9, lastPaymentId: "2" },
  ));

test("Batch drainer", () =>
  sameEverywhere(
    batchDrainer.registry,
    async (host) => {
      const handle = host.client.batchDrainerActor.getOrCreate("a");
      for (const value of [1, 2, 3, 4, 5, 6]) await handle.send("m", { value });
      await host.settled();
      return await handle.getState();
    },
    { pending: [6], flushedBatches: 1, lastBatchTotal: 15 },
  ));

test("Signal-driven control loop", () =>
  sameEverywhere(
    controlLoop.registry,
    async (host) => {
      const handle = host.client.controlLoopActor.getOrCreate("a");
      for (const kind of ["pause", "resume", "stop"]) await handle.send("s", { kind });
      await host.settled();
      return await handle.getState();
    },
    { mode: "stopped" as const, handledSignals: 3 },
  ));

test("Human approval gate", () =>
  sameEverywhere(
    approvalGate.registry,
    async (host) => {
      const handle = host.client.approvalGateActor.getOrCreate("a");
      await handle.send("approval", { approved: true });
      return (
        await until(
          host,
          () => handle.getState(),
          ({ status }) => status === "fulfilled",
        )
      ).status;
    },
    "fulfilled",
  ));

test("Fan-out / fan-in (join)", () =>
  sameEverywhere(
    fanInOut.registry,
    async (host) => {
      const handle = host.client.fanInOutActor.getOrCreate("a");
      await handle.send("r", {});
      return (
        await until(
          host,
          () => handle.getState(),
          ({ total }) => total > 0,
        )
      ).total;
    },
    6,
  ));

test("Scatter-gather across Actors", () =>
  sameEverywhere(
    scatterGather.registry,
    async (host) => {
      const handle = host.client.scatterGatherActor.getOrCreate("a");
      await handle.send("s", { input: 2 });
      await host.settled();
      return (await handle.getState()).lastSum;
    },
    60,
  ));

test("Poll and backoff loop", () =>
  sameEverywhere(
    pollBackoff.registry,
    async (host) => {
      const handle = host.client.pollBackoffActor.getOrCreate("a");
      await handle.resolve();
      await host.settled();
      await host.advance(200);
      await host.advance(400);
      return await handle.getState();
    },
    { attempts: 3, backoffMs: 100, status: "healthy" as const },
  ));

test("Coordinator to worker RPC", () =>
  sameEverywhere(
    coordinator.registry,
    async (host) => {
      const handle = host.client.coordinatorActor.getOrCreate("a");
      await handle.send("t", { taskId: "t1", workerId: "w", value: 4 });
      await host.settled();
      return await handle.getState();
    },
    { lastTaskId: "t1", lastResult: 8 },
  ));

test("Child workers", () =>
  sameEverywhere(
    childWorkers.registry,
    async (host) => {
      const handle = host.client.orchestratorActor.getOrCreate("a");
      await handle.send("b", { payload: 2 });
      await host.settled();
      return (await handle.getState()).lastTotal;
    },
    18,
  ));

test("Error hooks", () =>
  sameEverywhere(
    errorHooks.registry,
    async (host) => {
      await host.client.errorHookActor.getOrCreate("a").resolve();
      await host.settled();
      for (let i = 0; i < 4; i++) await host.advance(1_000);
      return (await host.history("errorHookActor", "a"))?.status;
    },
    "failed",
  ));

test("Rollback", () =>
  sameEverywhere(
    rollback.registry,
    async (host) => {
      const handle = host.client.checkoutActor.getOrCreate("a");
      await handle.send("orders", { orderId: "o" });
      return (
        await until(
          host,
          () => handle.getState(),
          ({ status }) => status === "confirmed",
        )
      ).status;
    },
    "confirmed",
  ));

test("Cross-Actor saga (compensating actions)", () =>
  sameEverywhere(
    saga.registry,
    async (host) => {
      const handle = host.client.checkoutSagaActor.getOrCreate("a");
      await handle.send("o", { orderId: "1", amount: 1 });
      await handle.send("o", { orderId: "2", amount: 2 });
      await host.settled();
      return (await handle.getState()).completedOrders;
    },
    2,
  ));

test("Versioned workflow evolution", () =>
  sameEverywhere(
    versioned.registry,
    async (host) => {
      const handle = host.client.versionedWorkflowActor.getOrCreate("a");
      await handle.resolve();
      await host.settled();
      await host.advance(500);
      await host.advance(500);
      return (await handle.getState()).runs;
    },
    3,
  ));

test("Version gates with getVersion", () =>
  sameEverywhere(
    versionGate.registry,
    async (host) => {
      const handle = host.client.versionGateActor.getOrCreate("a");
      await handle.resolve();
      await host.settled();
      await host.advance(1_000);
      await host.advance(1_000);
      return (await handle.getState()).processed;
    },
    3,
  ));

test("Cron (queue-driven)", () =>
  sameEverywhere(
    cron.registry,
    async (host) => {
      const handle = host.client.cronActor.getOrCreate("a");
      await handle.resolve();
      await host.settled();
      for (let i = 0; i < 3; i++) await host.advance(60_000);
      const { runs, lastRunAt } = await handle.getState();
      return { runs, late: host.clock.now() - (lastRunAt ?? 0) };
    },
    { runs: 3, late: 0 },
  ));

test("Setup and teardown around a loop", () =>
  sameEverywhere(
    setupTeardown.registry,
    async (host) => {
      const handle = host.client.setupRunTeardownActor.getOrCreate("a");
      await handle.resolve();
      await host.settled();
      await host.advance(1_000);
      await host.advance(1_000);
      return await handle.getState();
    },
    { initialized: true, ticks: 2 },
  ));
