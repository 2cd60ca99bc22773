import { describe, expect, test } from "vitest";
import { MemoryStore } from "../store/memory.js";
import { ManualClock } from "../testing/manual-clock.js";
import { law, type Context, type World } from "./harness.js";
import { Journal } from "./journal.js";
import { Loop } from "./loop.js";
import { Mailbox, MAILBOX_WINDOW } from "./mailbox.js";

const MANY = 3 * MAILBOX_WINDOW + 7;

/** Sends many messages to a workflow that does not look at them yet. */
async function sendMany(world: World, queue: (i: number) => string): Promise<void> {
  const { handle } = world;
  for (let i = 0; i < MANY; i += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, MANY - i) }, (_, n) => handle.send(queue(i + n), i + n)),
    );
}

/** Takes messages from the queues `names` after `begin`, until it has as many as it wants. */
const taker =
  (count: number, wanted: number, names?: string[]) =>
  async (ctx: Context): Promise<unknown> => {
    await ctx.queue.next("begin", { names: ["begin"] });
    return ctx.loop({
      name: "take",
      state: [] as unknown[],
      run: async (c, seen: unknown[]) => {
        const messages = await c.queue.nextBatch("wait", { count, ...(names && { names }) });
        const all = [...seen, ...messages.map(({ body }) => body)];
        return all.length >= wanted ? Loop.break(all) : Loop.continue(all);
      },
    });
  };

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe("more messages than are held in memory", () => {
  law("are received in order, none lost and none twice", async (world) => {
    await world.start(taker(100, MANY));
    await sendMany(world, () => "q");
    await world.send("begin");
    expect(await world.output()).toEqual(numbers(MANY));
    expect(await world.storedMessages()).toBe(0);
  });

  law("are received in order after a crash that left them in the store alone", async (world) => {
    await world.start(taker(1, 600));
    await sendMany(world, () => "q");
    await world.crash();
    await world.send("begin");
    expect(await world.output()).toEqual(numbers(600));
  });

  law("are filled up to the count that a batch asks for", async (world) => {
    await world.start(taker(MAILBOX_WINDOW + 100, MANY));
    await sendMany(world, () => "q");
    await world.crash();
    await world.send("begin");
    await world.output();
    const counts = (await world.entries()).filter(({ path }) => path.endsWith("wait:count"));
    expect(counts.map(({ output }) => output)).toEqual([600, 600, MANY - 1200]);
  });

  law("do not hide a message of another queue behind them", async (world) => {
    await world.start(taker(1, 2, ["rare"]));
    await sendMany(world, (i) => (i % 800 === 799 ? "rare" : "q"));
    await world.crash();
    await world.send("begin");
    await world.send("rare", MANY);
    expect(await world.output()).toEqual([799, MANY]);
    expect(await world.storedMessages()).toBe(MANY - 1);
  });

  law("do not make a wait with a timeout end before they are looked at", async (world) => {
    await world.start(async (ctx) => {
      await ctx.queue.next("begin", { names: ["begin"] });
      return (await ctx.queue.nextBatch("wait", { names: ["last"], timeout: 0 })).map(({ body }) => body);
    });
    await sendMany(world, (i) => (i === MANY - 1 ? "last" : "q"));
    await world.crash();
    await world.send("begin");
    expect(await world.output()).toEqual([MANY - 1]);
  });
});

test("a mailbox holds no more than its window in memory, and knows how many wait", async () => {
  const store = new MemoryStore();
  const clock = new ManualClock();
  const journal = new Journal("i", store);
  const mailbox = new Mailbox(journal, clock);
  for (let i = 0; i < MANY; i++) mailbox.send("q", i);
  await journal.commit();
  expect([mailbox.size(), mailbox.list().length]).toEqual([MANY, MAILBOX_WINDOW]);
});

test("messages put back come first, in their order, and keep what they are", () => {
  const mailbox = new Mailbox(new Journal("i", new MemoryStore()), new ManualClock());
  const sent = [1, 2, 3].map((body) => mailbox.send("q", body));
  const taken = mailbox.take(undefined, 2) ?? [];
  mailbox.send("q", 4);
  mailbox.putBack(taken);
  mailbox.send("q", 5);
  expect(mailbox.list().map(({ body }) => body)).toEqual([1, 2, 3, 4, 5]);
  expect(mailbox.list().slice(0, 2)).toEqual(sent.slice(0, 2));
  mailbox.putBack(mailbox.take(undefined, 9) ?? []);
  expect(mailbox.list().map(({ body }) => body)).toEqual([1, 2, 3, 4, 5]);
});
