import { afterEach, describe, expect, test } from "vitest";
import { HISTORY_PREFIX } from "../engine/entry.js";
import { MAILBOX_PREFIX } from "../engine/mailbox.js";
import type { InstanceCommit } from "../engine/ports.js";
import { event, queue, setup, workflow } from "../index.js";
import { MemoryStore } from "../store/memory.js";
import { idle, ManualClock } from "../testing/manual-clock.js";
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
const registry = setup({ use: { counter } });

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
    for (let turn = 0; turn < 50 && seen.length === 0; turn++) await idle();
    expect(seen).toEqual([[3, true]]);
    const withStep = withStepNow();
    expect(withStep).toHaveLength(1);
    const keys = [...(withStep[0]?.puts.keys() ?? [])];
    expect(keys).toContain(STATE_KEY);
    expect(keys.filter((key) => key.startsWith(MAILBOX_PREFIX))).toHaveLength(1);
    await connection.dispose();
  });
});
