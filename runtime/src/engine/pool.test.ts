import { describe, expect, test } from "vitest";
import { commitOf } from "../store/contract.js";
import { MemoryStore } from "../store/memory.js";
import { idle, ManualClock } from "../testing/manual-clock.js";
import type { Journal } from "./journal.js";
import { createPool } from "./pool.js";
import type { Pool, PoolOptions, Resident } from "./seam.js";

class Guest implements Resident {
  busy = false;
  woken = 0;
  constructor(
    readonly journal: Journal,
    private readonly log: string[],
    private readonly onWake?: (guest: Guest) => void,
  ) {}
  wake(): void {
    this.woken++;
    this.log.push(`wake ${this.journal.instance}`);
    this.onWake?.(this);
  }
  suspend(): Promise<void> {
    this.log.push(`suspend ${this.journal.instance}`);
    return Promise.resolve();
  }
  abandon(): void {
    this.log.push(`abandon ${this.journal.instance}`);
  }
}

function setUp(options: Partial<PoolOptions<Guest>> & { onWake?: (guest: Guest) => void } = {}): {
  pool: Pool<Guest>;
  store: MemoryStore;
  clock: ManualClock;
  log: string[];
  errors: string[];
} {
  const store = new MemoryStore();
  const clock = new ManualClock(1_000_000);
  const log: string[] = [];
  const errors: string[] = [];
  const pool = createPool<Guest>(store, clock, {
    load: (journal) => {
      log.push(`load ${journal.instance}`);
      return new Guest(journal, log, options.onWake);
    },
    onError: (instance, error) => errors.push(`${instance}: ${(error as Error).message}`),
    ...options,
  });
  return { pool, store, clock, log, errors };
}

describe("the pool", () => {
  test("loads an instance once, however many open it at the same time", async () => {
    const { pool, log } = setUp();
    const [a, b] = await Promise.all([pool.open("i"), pool.open("i")]);
    expect(a).toBe(b);
    expect(log).toEqual(["load i"]);
  });

  test("drops an instance after it was idle, not while it is busy or in use", async () => {
    const { pool, clock, log } = setUp({ idleMs: 1000 });
    const guest = await pool.open("i");
    await pool.open("quiet");
    guest.busy = true;
    await clock.advance(2500);
    expect(log).toContain("suspend quiet");
    expect(log).not.toContain("suspend i");
    guest.busy = false;
    let release: (() => void) | undefined;
    void pool.use("i", () => new Promise<void>((resolve) => (release = resolve)));
    await clock.advance(5000);
    expect(log).not.toContain("suspend i");
    release?.();
    await clock.advance(2500);
    expect(log).toContain("suspend i");
    expect(pool.warm("i")).toBeUndefined();
  });

  test("keeps at most maxWarm idle instances, the most recently used", async () => {
    const { pool } = setUp({ maxWarm: 3 });
    for (const name of ["a", "b", "c"]) await pool.open(name);
    await pool.open("a");
    await pool.open("d");
    await idle();
    expect(["a", "b", "c", "d"].filter((name) => pool.warm(name) !== undefined)).toEqual(["a", "c", "d"]);
  });

  test("commits what an instance puts when it is dropped, and refuses what comes later", async () => {
    const { pool, store } = setUp();
    const guest = await pool.open("i");
    guest.journal.put("k", "v");
    await pool.drop("i");
    expect((await store.read("i")).records).toEqual([{ key: "k", value: "v" }]);
    guest.journal.put("k", "late");
    await expect(guest.journal.commit()).rejects.toMatchObject({ code: "instance_asleep" });
  });

  test("an instance opened while it is being dropped is loaded anew afterwards", async () => {
    const { pool, log } = setUp();
    const first = await pool.open("i");
    first.journal.put("k", "v");
    const dropping = pool.drop("i");
    const second = await pool.open("i");
    await dropping;
    expect(second).not.toBe(first);
    expect(log).toEqual(["load i", "suspend i", "load i"]);
  });

  test("wakes at the start those with work in hand and those whose time has come, others when it comes", async () => {
    const { pool, store, clock, log } = setUp();
    await store.commit(commitOf("work", { due: 0 }));
    await store.commit(commitOf("past", { due: 999_000 }));
    await store.commit(commitOf("soon", { due: 1_000_500 }));
    await store.commit(commitOf("never", { puts: { k: "v" } }));
    await pool.start();
    expect(log.filter((line) => line.startsWith("wake")).sort()).toEqual(["wake past", "wake work"]);
    await clock.advance(499);
    expect(log).not.toContain("wake soon");
    await clock.advance(1);
    expect(log).toContain("wake soon");
    expect(log).not.toContain("load never");
  });

  test("wakes an instance that was dropped with a due time, once", async () => {
    const { pool, clock, log } = setUp({
      onWake: (guest) => {
        guest.journal.setDue("host", null);
      },
    });
    await pool.start();
    const guest = await pool.open("i");
    guest.journal.setDue("host", clock.now() + 100);
    await pool.drop("i");
    await clock.advance(100_000);
    expect(log.filter((line) => line === "wake i")).toHaveLength(1);
  });

  test("wakes 1,000 instances that are due at the same time, each once", async () => {
    const { pool, store, clock, log } = setUp();
    for (let i = 0; i < 1000; i++) await store.commit(commitOf(`i${i}`, { due: 1_000_100 }));
    await pool.start();
    await clock.advance(100);
    expect(new Set(log.filter((line) => line.startsWith("wake"))).size).toBe(1000);
    expect(log.filter((line) => line.startsWith("wake"))).toHaveLength(1000);
  });

  test("tells of an instance that can't be loaded, and goes on with the others", async () => {
    const { pool, store, errors, log } = setUp();
    const failing = createPool<Guest>(store, new ManualClock(5), {
      load: (journal) => {
        if (journal.instance === "bad") throw new Error("no");
        return new Guest(journal, log);
      },
      onError: (instance, error) => errors.push(`${instance}: ${(error as Error).message}`),
    });
    await store.commit(commitOf("bad", { due: 0 }));
    await store.commit(commitOf("good", { due: 0 }));
    await failing.start();
    expect(errors).toEqual(["bad: no"]);
    expect(log).toEqual(["wake good"]);
    await pool.stop();
  });

  test("abandons an instance whose commit failed and opens it anew after a pause that grows", async () => {
    const { pool, store, clock, log, errors } = setUp({
      onWake: (guest) => {
        guest.journal.put("k", "v");
        guest.journal.commit().catch(() => undefined);
      },
    });
    await pool.start();
    let failures = 3;
    const commit = store.commit.bind(store);
    store.commit = (what) => (failures-- > 0 ? Promise.reject(new Error("full")) : commit(what));
    const guest = await pool.open("i");
    guest.wake();
    await idle();
    expect(log).toContain("abandon i");
    for (const pause of [1000, 2000, 4000]) {
      const before = log.length;
      await clock.advance(pause - 1);
      expect(log.length).toBe(before);
      await clock.advance(1);
      expect(log.length).toBeGreaterThan(before);
    }
    expect(errors).toHaveLength(3);
    expect((await store.read("i")).records).toHaveLength(1);
  });

  test("stopped, puts all to sleep, opens none, and wakes none", async () => {
    const { pool, store, clock, log } = setUp();
    await store.commit(commitOf("later", { due: 1_000_100 }));
    await pool.start();
    await pool.open("i");
    await pool.stop();
    expect(log).toContain("suspend i");
    await expect(pool.open("i")).rejects.toThrow("stopped");
    await clock.advance(1000);
    expect(log).not.toContain("load later");
  });
});
