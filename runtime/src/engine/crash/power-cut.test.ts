import { describe, expect, test } from "vitest";
import { MemoryStore } from "../../store/memory.js";
import { idle, ManualClock } from "../../testing/manual-clock.js";
import type { InstanceCommit, Store } from "../ports.js";
import { findFaults, nextNumber, Process, STOP, type Line } from "./load.js";

/** Small numbers from a seed (mulberry32), so that a failure can be had again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** A disk with a cache: commits wait there for a sync, and a power cut takes those that wait. */
class CachedStore implements Store {
  private waiting: { commit: InstanceCommit; resolve: () => void }[] = [];
  private on = true;

  constructor(private readonly disk: MemoryStore) {}

  commit(commit: InstanceCommit): Promise<void> {
    return new Promise((resolve) => {
      if (this.on) this.waiting.push({ commit, resolve });
    });
  }

  /** Writes the first `count` commits that wait. */
  async sync(count = Infinity): Promise<void> {
    for (const { commit, resolve } of this.waiting.splice(0, count)) {
      await this.disk.commit(commit);
      resolve();
    }
  }

  cut(): void {
    this.on = false;
    this.waiting = [];
  }

  get pending(): number {
    return this.waiting.length;
  }

  async read(...query: Parameters<Store["read"]>): ReturnType<Store["read"]> {
    await this.sync();
    return this.disk.read(...query);
  }

  async span(...query: Parameters<Store["span"]>): ReturnType<Store["span"]> {
    await this.sync();
    return this.disk.span(...query);
  }

  async due(query: Parameters<Store["due"]>[0]): ReturnType<Store["due"]> {
    await this.sync();
    return this.disk.due(query);
  }

  instances(query: Parameters<Store["instances"]>[0]): ReturnType<Store["instances"]> {
    return this.disk.instances(query);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const INSTANCES = ["receiver/1", "receiver/2", "saga/1"];

async function live(seed: number, rerun: boolean, cuts: number): Promise<string[]> {
  const random = randomFrom(seed);
  const disk = new MemoryStore();
  const clock = new ManualClock();
  const log: Line[] = [];
  const faults: unknown[] = [];

  const boot = (): { store: CachedStore; process: Process; die: () => void } => {
    const alive = { yes: true };
    const store = new CachedStore(disk);
    const ownClock = {
      now: () => clock.now(),
      timer: (at: number, fire: () => void) =>
        clock.timer(at, () => {
          if (alive.yes) fire();
        }),
    };
    const process = new Process(
      store,
      ownClock,
      (line) => {
        if (alive.yes) log.push(line);
      },
      rerun,
      (error) => {
        if (alive.yes) faults.push(error);
      },
    );
    return {
      store,
      process,
      die: () => {
        alive.yes = false;
        store.cut();
      },
    };
  };

  let world = boot();
  const started = world.process.start(INSTANCES);
  for (let turn = 0; turn < cuts;) {
    await idle();
    await world.store.sync(random(4));
    const pick = random(10);
    if (pick < 3) {
      const instance = INSTANCES[random(2)] ?? "";
      void world.process.send(instance, () => nextNumber(log, instance));
    } else if (pick < 6) await clock.advance(random(30));
    else if (pick === 6 && random(3) === 0) {
      world.die();
      turn++;
      world = boot();
      void world.process.start(INSTANCES);
    }
  }
  void started;
  // Let it come to its end without cuts.
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 200; i++) {
      await idle();
      await world.store.sync();
      await clock.advance(20);
    }
  };
  await settle();
  for (const instance of INSTANCES.slice(0, 2)) void world.process.send(instance, () => STOP);
  await settle();
  const ends = new Map(
    await Promise.all(
      INSTANCES.map(async (instance) => [instance, await world.process.look(instance)] as const),
    ),
  );
  return [...findFaults(log, ends), ...faults.map(String)];
}

describe("power cuts at any moment", () => {
  const seeds = Number(process.env["STEPPROOF_CRASH_SEEDS"] ?? 6);
  for (let seed = 1; seed <= seeds; seed++) {
    test(`neither lose, repeat nor tear anything (seed ${seed}, 40 cuts, ${seed % 2 === 0 ? "run again on every wake" : "resumed in memory"})`, async () => {
      expect(await live(seed, seed % 2 === 0, 40)).toEqual([]);
    });
  }
});
