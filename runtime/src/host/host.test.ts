import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { actor, event, queue, setup, workflow } from "../index.js";
import type { WorkflowRun } from "../engine/seam.js";
import type { Block, Manifest, ManifestNode } from "../manifest/format.js";
import { MemoryStore } from "../store/memory.js";
import { crashEverywhere } from "../testing/crash-everywhere.js";
import { ManualClock } from "../testing/manual-clock.js";
import type { AnyRegistry, ClientOf } from "../types/index.js";
import { Host } from "./host.js";
import { silentLog, type HostLog } from "./log.js";

/** How instances wake in the suite at hand: see `inBothWays`. */
let rerunOnWake = false;

/** Holds a suite for instances that stay suspended in memory, and for such as are run again on every wake. */
function inBothWays(name: string, suite: () => void): void {
  for (const rerun of [false, true])
    describe(`${name} (${rerun ? "run again on every wake" : "resumed in memory"})`, () => {
      beforeEach(() => {
        rerunOnWake = rerun;
      });
      suite();
    });
}

let hosts: Host[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
});

interface Made<R extends AnyRegistry> {
  readonly client: ClientOf<R>;
  readonly host: Host;
  readonly clock: ManualClock;
}

/** A host in memory; `store` carries over what an earlier one kept. */
async function hosted<R extends AnyRegistry>(
  registry: R,
  store = new MemoryStore(),
  clock = new ManualClock(),
  log = silentLog,
  manifest?: Manifest,
): Promise<Made<R>> {
  const host = new Host({
    definitions: registry.definitions,
    store,
    clock,
    log,
    rerunOnWake,
    ...(manifest && { manifest }),
  });
  hosts = [...hosts, host];
  await host.start();
  return { client: host.clientFor([]) as ClientOf<R>, host, clock };
}

/** The workflow of an instance, which is opened if need be. */
function runOf(host: Host, instance: string): Promise<WorkflowRun> {
  return host.pool.use(instance, ({ run }) => {
    if (run === null) throw new Error(`${instance} has no workflow`);
    return run;
  });
}

/** Keeps a store open across hosts. */
class LastingStore extends MemoryStore {
  override close(): Promise<void> {
    return Promise.resolve();
  }
}

async function until<T>(probe: () => Promise<T> | T, wanted: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + 5_000;
  for (;;) {
    const value = await probe();
    if (wanted(value)) return value;
    if (performance.now() > deadline)
      throw new Error(`It did not come to be; last seen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

inBothWays("actions", () => {
  const registry = setup({
    use: {
      counter: actor({
        state: { count: 0, log: [] as string[] },
        actions: {
          add: (c, n: number) => (c.state.count += n),
          get: (c) => c.state,
          fail: (c) => {
            c.state.count += 100;
            throw new TypeError("no");
          },
          forever: () => new Promise(() => undefined),
        },
        options: { actionTimeout: 1_000 },
      }),
    },
  });

  test("change the state, durably, and give copies", async () => {
    const store = new LastingStore();
    const first = await hosted(registry, store);
    const handle = first.client.counter.getOrCreate("a");
    expect(await handle.add(2)).toBe(2);
    const seen = await handle.get();
    seen.count = 99;
    expect(await handle.add(3)).toBe(5);
    await first.host.stop();
    const second = await hosted(registry, store);
    expect((await second.client.counter.get("a").get()).count).toBe(5);
    expect((await second.client.counter.getOrCreate("b").get()).count).toBe(0);
  });

  test("that throw keep what they changed, and the error reaches the caller", async () => {
    const { client } = await hosted(registry);
    const handle = client.counter.getOrCreate();
    await expect(handle.fail()).rejects.toThrow("no");
    expect((await handle.get()).count).toBe(100);
  });

  test("that take too long, and those that don't exist, are refused by name", async () => {
    const { client, clock } = await hosted(registry);
    const handle = client.counter.getOrCreate();
    await handle.resolve();
    const late = expect(handle.forever()).rejects.toMatchObject({ code: "action_timeout" });
    await clock.advance(1_000);
    await late;
    await expect((handle as unknown as { nope(): Promise<void> }).nope()).rejects.toMatchObject({
      code: "action_not_found",
    });
    await expect((handle as unknown as { toString2(): Promise<void> }).toString2()).rejects.toMatchObject({
      code: "action_not_found",
    });
  });
});

inBothWays("instances", () => {
  const registry = setup({
    use: {
      made: actor({
        createState: (_c, input: { start: number } | undefined) => ({ n: input?.start ?? 0 }),
        actions: {
          get: (c) => c.state.n,
          end: (c) => {
            c.destroy();
          },
        },
      }),
    },
  });

  test("get does not create, create refuses what exists, ids lead back", async () => {
    const { client } = await hosted(registry);
    await expect(client.made.get("x").get()).rejects.toMatchObject({ code: "actor_not_found" });
    const made = await client.made.create("x", { input: { start: 7 } });
    expect(await made.get()).toBe(7);
    await expect(client.made.create("x")).rejects.toMatchObject({ code: "actor_already_exists" });
    const id = await client.made.get("x").resolve();
    expect(await client.made.getForId(id).get()).toBe(7);
    await expect(client.made.getForId("bm9wZQ.1").get()).rejects.toMatchObject({ code: "actor_not_found" });
    expect(await client.made.getOrCreate("y", { createWithInput: { start: 3 } }).get()).toBe(3);
  });

  test("a destruction that was kept but not carried out is carried out by the next process", async () => {
    const doomed = workflow({
      run: async (ctx) => {
        await ctx.step("end", (step) => {
          step.destroy();
        });
      },
      actions: { ping: () => "pong" },
      onDestroy: () => {
        destroyed += 1;
      },
    });
    let destroyed = 0;
    const runs = await crashEverywhere(setup({ use: { doomed } }), async (test) => {
      await test.client.doomed.getOrCreate("a").resolve();
      await test.settled();
      return await test.client.doomed
        .get("a")
        .ping()
        .catch((error: unknown) => (error as { code: string }).code);
    });
    expect(runs.length).toBeGreaterThan(3);
    expect(new Set(runs.map(({ result }) => result))).toEqual(new Set(["actor_not_found"]));
    expect(destroyed).toBeGreaterThanOrEqual(runs.length);
  });

  test("destroyed ones are gone; the key is free again, with a new id", async () => {
    const { client } = await hosted(registry);
    const handle = client.made.getOrCreate("x", { createWithInput: { start: 1 } });
    const id = await handle.resolve();
    await handle.end();
    await expect(client.made.getForId(id).get()).rejects.toMatchObject({ code: "actor_not_found" });
    await expect(client.made.get("x").get()).rejects.toMatchObject({ code: "actor_not_found" });
    expect(await handle.resolve()).not.toBe(id);
    expect(await handle.get()).toBe(1);
  });
});

inBothWays("workflows", () => {
  const shop = workflow({
    state: { done: [] as string[] },
    vars: { cache: 0 },
    queues: { orders: queue<{ id: string }, { total: number }>() },
    events: { done: event<[id: string]>() },
    run: async (ctx) => {
      await ctx.loop("orders", async (loop) => {
        const message = await loop.queue.next("order", { completable: true });
        await loop.step("handle", (step) => {
          step.state.done.push(message.body.id);
          step.broadcast("done", message.body.id);
        });
        await message.complete({ total: message.body.id.length });
      });
    },
    actions: { done: (c) => c.state.done },
  });
  const registry = setup({ use: { shop } });

  test("a sender who waits gets the response, or timedOut", async () => {
    const { client, clock } = await hosted(registry);
    const handle = client.shop.getOrCreate();
    const sent = await handle.send("orders", { id: "abc" }, { wait: true, timeout: 1_000 });
    expect(sent).toEqual({ status: "completed", response: { total: 3 } });
    expect(clock.now()).toBeGreaterThan(0);
  });

  test("events reach connections, after the step is durable", async () => {
    const { client } = await hosted(registry);
    const connection = client.shop.getOrCreate().connect();
    const seen: string[] = [];
    connection.on("done", (id) => seen.push(id));
    await connection.ready();
    await connection.send("orders", { id: "x" });
    await until(
      () => seen.length,
      (count) => count === 1,
    );
    expect(await connection.done()).toEqual(["x"]);
    await connection.dispose();
    expect(connection.status).toBe("closed");
  });

  test("a step's context is closed once the step is over", async () => {
    let leaked: { readonly state: unknown } | null = null;
    const errors: unknown[] = [];
    const leaky = workflow({
      run: async (ctx) => {
        await ctx.step("leak", (step) => {
          leaked = step;
        });
        await ctx.step("use", () => {
          try {
            void leaked?.state;
          } catch (error) {
            errors.push(error);
          }
        });
      },
    });
    const { client } = await hosted(setup({ use: { leaky } }));
    await client.leaky.getOrCreate().resolve();
    await until(
      () => errors.length,
      (count) => count === 1,
    );
    expect(errors[0]).toMatchObject({
      code: "context_closed",
      message: expect.stringContaining('step "leak"') as string,
    });
  });

  test("a state that can't be stored fails the step by name", async () => {
    const bad = workflow({
      state: { value: null as unknown },
      run: async (ctx) => {
        await ctx.step({
          name: "set",
          maxRetries: 0,
          run: (step) => {
            step.state.value = () => 1;
          },
        });
      },
    });
    const { client, host } = await hosted(setup({ use: { bad } }));
    await client.bad.getOrCreate().resolve();
    const run = await until(
      () => runOf(host, "bad"),
      ({ status }) => status === "failed",
    );
    expect(run.error?.message).toContain("value.value");
  });

  test("senders who wait are told when the workflow has ended", async () => {
    const brief = workflow({
      run: async (ctx) => {
        await ctx.queue.next("go");
        await ctx.step({ name: "fail", maxRetries: 0, run: () => Promise.reject(new Error("no")) });
      },
    });
    const { client } = await hosted(setup({ use: { brief } }));
    const handle = client.brief.getOrCreate();
    const late = expect(handle.send("other", 1, { wait: true })).resolves.toEqual({ status: "completed" });
    await late;
    await expect(handle.send("go", 1, { wait: true })).rejects.toMatchObject({
      code: "workflow_ended",
      message: expect.stringContaining("failed") as string,
    });
  });

  test("a step that waits for its own workflow is refused instead of waiting for ever", async () => {
    const selfish = workflow({
      run: async (ctx) => {
        await ctx.step({
          name: "self",
          maxRetries: 0,
          run: async (step) => {
            const me = step.client<typeof own>().selfish.getOrCreate();
            await me.send("x", 1, { wait: true });
          },
        });
      },
    });
    const own = setup({ use: { selfish } });
    const { client, host } = await hosted(own);
    await client.selfish.getOrCreate().resolve();
    const run = await until(
      () => runOf(host, "selfish"),
      ({ status }) => status === "failed",
    );
    expect(run.error?.message).toContain("waits for a message to its own workflow");
  });
});

inBothWays("a deploy that would break an instance", () => {
  const step = (name: string): ManifestNode => ({
    kind: "step",
    name: [name],
    outputType: null,
    outputUsed: false,
    body: name,
    options: {},
    catches: null,
    rollback: false,
  });
  const wait: ManifestNode = {
    kind: "message",
    name: ["go"],
    method: "next",
    timeout: "no",
    count: 1,
    completable: false,
    queues: null,
  };
  const manifest = (hash: string, body: Block): Manifest => ({
    formatVersion: 1,
    tool: "test",
    workflows: {
      job: {
        name: "job",
        file: "job.ts",
        engine: "stepproof",
        hash,
        body,
        functions: {},
        stateType: null,
        queues: {},
      },
    },
  });
  const version = (first: string, ran: string[]) =>
    setup({
      use: {
        job: workflow({
          run: async (ctx) => {
            await ctx.step(first, () => {
              ran.push(first);
            });
            await ctx.queue.next("go");
            await ctx.step("end", () => {
              ran.push("end");
            });
          },
        }),
      },
    });

  test("parks it, and code that accepts it takes it up again", async () => {
    const ran: string[] = [];
    const store = new LastingStore();
    const clock = new ManualClock();
    const old = manifest("1", [step("validate"), wait, step("end")]);
    const renamed = manifest("2", [step("check"), wait, step("end")]);
    const run = async (first: string, given: Manifest) => {
      const made = await hosted(version(first, ran), store, clock, silentLog, given);
      await made.client.job.getOrCreate("a").resolve();
      return made;
    };
    const one = await run("validate", old);
    await until(
      () => ran.length,
      (count) => count === 1,
    );
    await one.host.stop();

    const two = await run("check", renamed);
    const parked = await runOf(two.host, "job/a");
    expect(parked.status).toBe("parked");
    expect(parked.error).toMatchObject({
      code: "history_refused",
      message: expect.stringContaining("validate") as string,
    });
    await two.client.job.getOrCreate("a").send("go", 1);
    await two.host.stop();

    const three = await run("validate", old);
    await until(
      () => runOf(three.host, "job/a"),
      ({ status }) => status === "completed",
    );
    expect(ran).toEqual(["validate", "end"]);
  });
});

inBothWays("ctx.log", () => {
  test("says each line once, however often the function is run again", async () => {
    const lines: string[] = [];
    const log: HostLog = {
      ...silentLog,
      info: (line: unknown) => lines.push(String(line)),
      child: () => log,
    };
    const chatty = workflow({
      run: async (ctx) => {
        ctx.log.info("begin");
        await ctx.step("a", () => 1);
        ctx.log.info("after a");
        await ctx.join("both", {
          x: {
            run: async (branch) => {
              branch.log.info("in x");
              await branch.step("x", () => 1);
              branch.log.info("x done");
            },
          },
          y: {
            run: async (branch) => {
              await branch.sleep("y", 1_000);
              branch.log.info("y done");
            },
          },
        });
        await ctx.loop("main", async (loop) => {
          loop.log.info("turn");
          const message = await loop.queue.next("wait");
          loop.log.info(`got ${String(message.body)}`);
        });
      },
    });
    const registry = setup({ use: { chatty } });
    const store = new LastingStore();
    const clock = new ManualClock();
    const expected = ["begin", "after a", "in x", "x done"];
    for (const more of [[], ["y done", "turn"], ["got 1", "turn"], ["got 2", "turn"]]) {
      const { client, host } = await hosted(registry, store, clock, log);
      expected.push(...more);
      const handle = client.chatty.getOrCreate();
      await handle.resolve();
      if (more[0] === "y done") await clock.advance(1_000);
      else if (more.length > 0) await handle.send("any", more[0]?.slice(4));
      await until(
        async () => {
          await clock.advance(0);
          return lines;
        },
        (seen) => seen.length >= expected.length,
      );
      await host.stop();
    }
    expect(lines).toEqual(expected);
  });
});

inBothWays("schemas", () => {
  test("bodies, responses, events and inputs are checked, with the schema's own words", async () => {
    const problems: string[] = [];
    const strict = workflow({
      input: z.object({ start: z.number() }),
      createState: (_c, input: { start: number }) => ({ n: input.start }),
      queues: { add: queue({ message: z.number().int(), complete: z.object({ total: z.number() }) }) },
      events: { total: event(z.number().positive()) },
      run: async (ctx) => {
        await ctx.loop("main", async (loop) => {
          const message = await loop.queue.next("add", { completable: true });
          const total = await loop.step("sum", (step) => {
            step.state.n += message.body;
            try {
              step.broadcast("total", -1);
            } catch (error) {
              problems.push((error as Error).message);
            }
            return step.state.n;
          });
          await message
            .complete({ total: "much" } as unknown as { total: number })
            .catch((error: unknown) => problems.push((error as Error).message));
          await message.complete({ total });
        });
      },
      actions: { n: (c) => c.state.n },
    });
    const { client } = await hosted(setup({ use: { strict } }));
    await expect(
      client.strict.getOrCreate("bad", { createWithInput: { start: "1" as unknown as number } }).n(),
    ).rejects.toMatchObject({ code: "validation_failed" });
    const handle = client.strict.getOrCreate("good", { createWithInput: { start: 1 } });
    await expect(handle.send("add", 1.5)).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining('queue "add"') as string,
    });
    expect(await handle.send("add", 2, { wait: true })).toEqual({
      status: "completed",
      response: { total: 3 },
    });
    expect(problems).toEqual([
      expect.stringContaining('event "total" is not valid'),
      expect.stringContaining('queue "add" is not valid: total: '),
    ]);
  });
});

inBothWays("db and kv", () => {
  const registry = setup({
    use: {
      notes: workflow({
        onWake: async (c) => {
          await c.db.execute(
            "CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, text TEXT NOT NULL, data BLOB)",
          );
        },
        run: async (ctx) => {
          await ctx.loop("main", async (loop) => {
            const message = await loop.queue.next("note");
            await loop.step("keep", async (step) => {
              await step.db.execute("INSERT INTO note (text) VALUES (?)", String(message.body));
              await step.kv.put(`last/${String(message.body)}`, "yes");
            });
          });
        },
        actions: {
          all: async (c) =>
            (await c.db.execute<{ text: string }>("SELECT text FROM note ORDER BY id")).map(
              ({ text }) => text,
            ),
          bytes: async (c, data: Uint8Array) => {
            await c.db.execute("INSERT INTO note (text, data) VALUES (?, ?)", "bytes", data);
            return (await c.db.execute<{ data: Uint8Array }>("SELECT data FROM note WHERE text = 'bytes'"))[0]
              ?.data.length;
          },
          wrong: (c) => c.db.execute("SELECT x FROM nowhere"),
          keys: (c) => c.kv.list("last/"),
        },
      }),
    },
  });

  test("writes commit with their step, whatever commit the process is killed after", async () => {
    const runs = await crashEverywhere(registry, async (host) => {
      const handle = host.client.notes.getOrCreate("a");
      for (const text of ["x", "y", "z"]) await handle.send("note", text);
      await host.settled();
      return { notes: await handle.all(), keys: (await handle.keys()).map(([key]) => key) };
    });
    expect(runs.length).toBeGreaterThan(3);
    for (const { result } of runs)
      expect(result).toEqual({ notes: ["x", "y", "z"], keys: ["last/x", "last/y", "last/z"] });
  });

  test("bytes come back, and SQLite's errors say what is wrong", async () => {
    const { client } = await hosted(registry);
    expect(await client.notes.getOrCreate().bytes(new Uint8Array(10_000))).toBe(10_000);
    await expect(client.notes.getOrCreate().wrong()).rejects.toThrow("no such table: nowhere");
  });
});

inBothWays("schedule and cron", () => {
  const registry = setup({
    use: {
      timer: actor({
        state: { fired: [] as string[], scheduled: [] as number[] },
        actions: {
          plan: (c, ms: number, label: string) => c.schedule.after(ms, "fire", label),
          fire: (c, label: string, info: { scheduledAt: number }) => {
            c.state.fired.push(label);
            c.state.scheduled.push(info.scheduledAt);
          },
          cancel: (c, id: string) => c.schedule.cancel(id),
          every: (c, interval: number) =>
            c.cron.every({ name: "tick", interval, action: "fire", args: ["tick"], maxHistory: 2 }),
          history: (c) => c.cron.history("tick"),
          nightly: (c, expression: string) =>
            c.cron.set({
              name: "tick",
              expression,
              timezone: "Europe/Berlin",
              action: "fire",
              args: ["night"],
            }),
          rename: (c, action: string) =>
            c.cron.every({ name: "tick", interval: 5_000, action: action as "fire" }),
          get: (c) => c.state,
        },
      }),
    },
  });

  test("a schedule fires once at its time, also in a later process", async () => {
    const store = new LastingStore();
    const clock = new ManualClock();
    const first = await hosted(registry, store, clock);
    await first.client.timer.getOrCreate().plan(60_000, "one");
    const two = await first.client.timer.getOrCreate().plan(70_000, "two");
    expect(await first.client.timer.getOrCreate().cancel(two)).toBe(true);
    await first.host.stop();
    const second = await hosted(registry, store, clock);
    await clock.advance(120_000);
    expect((await second.client.timer.get().get()).fired).toEqual(["one"]);
  });

  test("an interval keeps its cadence, its history its limit", async () => {
    const { client, clock } = await hosted(registry);
    const start = clock.now();
    const handle = client.timer.getOrCreate();
    await handle.every(5_000);
    await clock.advance(17_000);
    const { fired, scheduled } = await handle.get();
    expect(fired).toEqual(["tick", "tick", "tick"]);
    expect(scheduled.map((at) => at - start)).toEqual([5_000, 10_000, 15_000]);
    expect((await handle.history()).map(({ result, scheduledAt }) => [result, scheduledAt - start])).toEqual([
      ["ok", 15_000],
      ["ok", 10_000],
    ]);
    await expect(handle.every(4_999)).rejects.toMatchObject({ code: "invalid_schedule" });
  });

  test("a cron job fires at its hour of its time zone; setting it again replaces it", async () => {
    const { client, clock } = await hosted(registry);
    const handle = client.timer.getOrCreate();
    await handle.nightly("0 5 * * *");
    await handle.nightly("30 3 * * *");
    await clock.advance(2 * 86_400_000);
    const { fired, scheduled } = await handle.get();
    expect(fired).toEqual(["night", "night"]);
    for (const at of scheduled) {
      const time = new Date(at).toLocaleTimeString("de-DE", {
        timeZone: "Europe/Berlin",
        timeStyle: "short",
      });
      expect(time).toBe("03:30");
    }
    await expect(handle.nightly("61 * * * *")).rejects.toMatchObject({ code: "invalid_schedule" });
  });

  test("an update to an action that does not exist is refused, as the first setting is", async () => {
    const { client, clock } = await hosted(registry);
    const handle = client.timer.getOrCreate();
    const refused = { code: "invalid_schedule", message: expect.stringContaining('"nope"') as string };
    await expect(handle.rename("nope")).rejects.toMatchObject(refused);
    await handle.every(5_000);
    await expect(handle.rename("nope")).rejects.toMatchObject(refused);
    await clock.advance(5_000);
    expect((await handle.get()).fired).toEqual(["tick"]);
  });
});

inBothWays("lifecycle", () => {
  test("an idle instance sleeps, keeps its state and loses its vars", async () => {
    const hooks: string[] = [];
    const sleepy = actor({
      state: { n: 0 },
      createVars: () => ({ n: 0 }),
      onCreate: () => {
        hooks.push("create");
      },
      onWake: () => {
        hooks.push("wake");
      },
      onSleep: () => {
        hooks.push("sleep");
      },
      actions: { bump: (c) => [++c.state.n, ++c.vars.n] },
      options: { sleepTimeout: 5_000 },
    });
    const { client, clock, host } = await hosted(setup({ use: { sleepy } }));
    const handle = client.sleepy.getOrCreate();
    expect(await handle.bump()).toEqual([1, 1]);
    await clock.advance(20_000);
    expect(host.pool.warm("sleepy")).toBeUndefined();
    expect(await handle.bump()).toEqual([2, 1]);
    expect(hooks).toEqual(["create", "wake", "sleep", "wake"]);
  });

  test("each connection's end is told, once: left by itself, at the stop, at the end for good", async () => {
    const left: string[] = [];
    const room = actor({
      connState: null as string | null,
      onConnect: (_c, conn) => {
        conn.state = (conn.params as { name: string }).name;
      },
      onDisconnect: (c, conn) => {
        left.push(`${c.key.join()} ${String(conn.state)}`);
      },
      onSleep: (c) => {
        left.push(`${c.key.join()} asleep`);
      },
      onDestroy: (c) => {
        left.push(`${c.key.join()} destroyed`);
      },
      actions: { close: (c) => c.destroy() },
    });
    const { client, host } = await hosted(setup({ use: { room } }));
    const join = async (key: string, name: string) => {
      const connection = client.room.getOrCreate(key).connect({ params: { name } });
      await connection.ready();
      return connection;
    };
    const ann = await join("1", "ann");
    await join("1", "bob");
    await join("2", "eve");
    await ann.dispose();
    await client.room.get("2").close();
    await host.stop();
    expect(left).toEqual(["1 ann", "2 eve", "2 destroyed", "1 bob", "1 asleep"]);
  });

  test("a connection that the actor ends is no longer counted, and takes no more calls", async () => {
    const left: unknown[] = [];
    const room = actor({
      onDisconnect: (_c, conn) => {
        left.push(conn.params);
      },
      actions: {
        leave: async (c) => await c.conn?.disconnect("full"),
        count: (c) => c.conns.size,
      },
    });
    const { client } = await hosted(setup({ use: { room } }));
    const connection = client.room.getOrCreate().connect({ params: "ann" });
    await connection.ready();
    await connection.leave();
    expect(connection.status).toBe("closed");
    await expect(connection.count()).rejects.toThrow("The actor ended the connection: full");
    await until(
      () => client.room.get().count(),
      (count) => count === 0,
    );
    expect(left).toEqual(["ann"]);
    await connection.dispose();
  });

  test("onStateChange is told of each change once it is durable, not of reads, nor of what it changes itself", async () => {
    const told: number[] = [];
    const counter = actor({
      state: { n: 0, seen: 0 },
      onStateChange: (c, state) => {
        told.push(state.n);
        c.state.seen += 1;
      },
      actions: { add: (c) => ++c.state.n, read: (c) => [c.state.n, c.state.seen] },
    });
    const { client } = await hosted(setup({ use: { counter } }));
    const handle = client.counter.getOrCreate();
    await handle.add();
    await handle.add();
    expect(await handle.read()).toEqual([2, 2]);
    expect(told).toEqual([1, 2]);
  });
});
