import { afterEach, describe, expect, test } from "vitest";
import { HISTORY_PREFIX } from "../engine/entry.js";
import { MAILBOX_PREFIX } from "../engine/mailbox.js";
import type { InstanceCommit } from "../engine/ports.js";
import { event, queue, setup, workflow } from "../index.js";
import { MemoryStore } from "../store/memory.js";
import { idle, ManualClock } from "../testing/manual-clock.js";
import { testHost } from "../testing/test-host.js";
import type { ClientOf } from "../types/index.js";
import { Host } from "./host.js";
import { silentLog } from "./log.js";
import { STATE_KEY } from "./state.js";

/** Tells of the commits that were kept, in their order. */
class WatchedStore extends MemoryStore {
  readonly commits: InstanceCommit[] = [];

  override async commit(commit: InstanceCommit): Promise<void> {
    await super.commit(commit);
    await idle(); // durable later than asked for, as on a disk
    this.commits.push(commit);
  }
}

const counter = workflow({
  state: { count: 0 },
  queues: { go: queue<number>(), more: queue<number>() },
  events: { counted: event<[count: number]>() },
  run: async (ctx) => {
    const { body } = await ctx.queue.next("wait", { names: ["go"] });
    await ctx.step("count", async (step) => {
      step.state.count += body;
      step.broadcast("counted", step.state.count);
      await step.queue.send("more", body);
    });
  },
  actions: { count: (c) => c.state.count },
});
/** Ends the slow step. */
let release: () => void = () => undefined;
const branches = workflow({
  state: { count: 0 },
  run: async (ctx) => {
    await ctx.join("both", {
      slow: {
        run: async (branch) => {
          await branch.step("slow", async (step) => {
            step.state.count += 1;
            await new Promise<void>((resolve) => (release = resolve));
          });
        },
      },
      quick: {
        run: async (branch) => {
          await branch.sleep("first", 1000);
          await branch.step("quick", async () => undefined);
        },
      },
    });
  },
  actions: { count: (c) => c.state.count },
});
/** A step counts, then is given up in favour of another branch. */
const contest = workflow({
  state: { count: 0 },
  run: async (ctx) => {
    await ctx.race("first", [
      {
        name: "counts",
        run: async (branch) => {
          await branch.step("counted", async (step) => {
            step.state.count += 1;
            await new Promise((_, reject) => {
              step.abortSignal.addEventListener("abort", reject);
            });
          });
        },
      },
      {
        name: "wins",
        run: async (branch) => {
          await branch.sleep("pause", 1000);
        },
      },
    ]);
    await ctx.sleep("rest", 60_000);
  },
  actions: { count: (c) => c.state.count },
});
const registry = setup({ use: { counter, branches, contest } });

async function until(done: () => boolean): Promise<void> {
  for (let turn = 0; turn < 50 && !done(); turn++) await idle();
}

let host: Host | undefined;
afterEach(() => host?.stop());

describe("§4.12 a step of an actor", () => {
  test("commits its record, its changes of state and its sends in one transaction, and shows its events after it", async () => {
    const store = new WatchedStore();
    host = new Host({ definitions: registry.definitions, store, clock: new ManualClock(), log: silentLog });
    await host.start();
    const client = host.clientFor([]) as ClientOf<typeof registry>;
    const connection = client.counter.getOrCreate().connect();
    const withStepNow = (): InstanceCommit[] =>
      store.commits.filter(({ puts }) => puts.has(`${HISTORY_PREFIX}count`));
    const seen: [count: number, durable: boolean][] = [];
    connection.on("counted", (count) => seen.push([count, withStepNow().length > 0]));
    await connection.ready();
    await connection.send("go", 3);
    await until(() => seen.length > 0);
    expect(seen).toEqual([[3, true]]);
    const withStep = withStepNow();
    expect(withStep).toHaveLength(1);
    const keys = [...(withStep[0]?.puts.keys() ?? [])];
    expect(keys).toContain(STATE_KEY);
    expect(keys.filter((key) => key.startsWith(MAILBOX_PREFIX))).toHaveLength(1);
    await connection.dispose();
  });

  test("that does not use the state stores nothing of what another one in flight has changed", async () => {
    const store = new WatchedStore();
    const clock = new ManualClock();
    host = new Host({ definitions: registry.definitions, store, clock, log: silentLog });
    await host.start();
    const client = host.clientFor([]) as ClientOf<typeof registry>;
    await client.branches.getOrCreate().count();
    await clock.advance(1000);
    const commitsOf = (name: string): InstanceCommit[] =>
      store.commits.filter(({ puts }) => [...puts.keys()].some((key) => key.endsWith(`/${name}`)));
    await until(() => commitsOf("quick").length > 0);
    expect(await client.branches.getOrCreate().count()).toBe(1);
    expect(commitsOf("quick").map(({ puts }) => puts.get(STATE_KEY))).toEqual([undefined]);
    release();
    await until(() => commitsOf("slow").length > 0);
    expect(commitsOf("slow").map(({ puts }) => puts.has(STATE_KEY))).toEqual([true]);
  });

  test("that loses a race leaves its changes of the state, stored with the victory", async () => {
    const tests = await testHost(registry);
    expect(await tests.client.contest.getOrCreate().count()).toBe(1);
    const raceOf = async (): Promise<unknown> =>
      (await tests.history("contest"))?.entries.find(({ path }) => path === "first")?.winner;
    // Killed after each commit in turn: as long as the race is open, the next process counts anew.
    do {
      expect(await tests.inspect("contest")).toMatchObject({ state: { count: 1 } });
      tests.crashAfter(tests.commits + 1);
      await tests.advance(1000);
    } while ((await raceOf()) === undefined);
    await tests.crash();
    expect(await tests.inspect("contest")).toMatchObject({ state: { count: 1 } });
    expect(await raceOf()).toBe("wins");
    await tests.stop();
  });

  test("that is interrupted by an eviction leaves its changes too, and runs again; a crash takes them along", async () => {
    const tests = await testHost(registry);
    expect(await tests.client.contest.getOrCreate().count()).toBe(1);
    await tests.crash();
    expect(await tests.inspect("contest")).toMatchObject({ state: { count: 1 } });
    await tests.evict("contest");
    expect(await tests.inspect("contest")).toMatchObject({ state: { count: 2 } });
    await tests.stop();
  });
});
