import { expect, test } from "vitest";
import { MemoryStore } from "../store/memory.js";
import { idle, ManualClock } from "../testing/manual-clock.js";
import type { WorkflowContext } from "./context.js";
import {
  createEngine,
  type Engine,
  type EngineOptions,
  type InstanceHandle,
  type PlainStepContext,
} from "./engine.js";
import { MAILBOX_PREFIX } from "./mailbox.js";
import { readHistory, recover, replayFrom } from "./operate/index.js";
import type { InstanceCommit, Store } from "./ports.js";
import type { HistoryEntry, HistorySnapshot, WorkflowErrorEvent, WorkflowStatus } from "./seam.js";

export type Context = WorkflowContext<PlainStepContext>;
export type Fn = (context: Context, input: never) => unknown;

/** Holds a law in both ways of waking: suspended in memory, and run again from history on every wake. */
export function law(name: string, hold: (world: World) => Promise<void>): void {
  for (const rerun of [false, true]) {
    test(`${name} (${rerun ? "run again on every wake" : "resumed in memory"})`, async () => {
      const world = new World(rerun);
      await hold(world);
      await world.end();
    });
  }
}

/** A store as one process sees it: once the process is dead, nothing gets through any more. */
class ProcessStore implements Store {
  alive = true;
  commits = 0;
  reads = 0;
  /** Fails commits while set. */
  failing: Error | undefined;

  constructor(private readonly store: Store) {}

  commit(commit: InstanceCommit): Promise<void> {
    if (!this.alive) return new Promise(() => undefined);
    if (this.failing !== undefined) return Promise.reject(this.failing);
    this.commits++;
    return this.store.commit(commit);
  }

  read(...query: Parameters<Store["read"]>): ReturnType<Store["read"]> {
    this.reads++;
    return this.store.read(...query);
  }

  span(...query: Parameters<Store["span"]>): ReturnType<Store["span"]> {
    return this.store.span(...query);
  }

  due(query: Parameters<Store["due"]>[0]): ReturnType<Store["due"]> {
    return this.store.due(query);
  }

  instances(query: Parameters<Store["instances"]>[0]): ReturnType<Store["instances"]> {
    return this.store.instances(query);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** One workflow `w` with one instance `1`, its store, its clock, and the power to crash and redeploy. */
export class World {
  readonly clock = new ManualClock();
  readonly kept = new MemoryStore();
  /** What the workflow under test notes. */
  readonly log: string[] = [];
  readonly events: WorkflowErrorEvent[] = [];
  readonly faults: unknown[] = [];
  options: Partial<EngineOptions> = {};
  store = new ProcessStore(this.kept);
  private engine: Engine | undefined;
  private alive = { yes: true };
  private fn: Fn = () => undefined;

  constructor(readonly rerun: boolean) {}

  /** Starts the instance in a first process, and lets it go as far as it can. */
  async start(fn: Fn, input?: unknown): Promise<InstanceHandle> {
    this.fn = fn;
    await this.boot();
    const handle = await this.process.create("w", "1", input);
    await idle();
    return handle;
  }

  private get process(): Engine {
    if (this.engine === undefined) throw new Error("start first");
    return this.engine;
  }

  get handle(): InstanceHandle {
    return this.process.handle("w", "1");
  }

  private async boot(): Promise<void> {
    const alive = { yes: true };
    this.alive = alive;
    this.store = new ProcessStore(this.kept);
    const { clock } = this;
    this.engine = createEngine({
      store: this.store,
      clock: {
        now: () => clock.now(),
        timer: (at, fire) =>
          clock.timer(at, () => {
            if (alive.yes) fire();
          }),
      },
      workflows: { w: (context, input) => (alive.yes ? this.fn(context, input) : undefined) },
      rerunOnWake: this.rerun,
      onError: (event) => this.events.push(event),
      onInternalError: (error) => {
        if (alive.yes) this.faults.push(error);
      },
      ...this.options,
    });
    await this.engine.start();
    await idle();
  }

  /** The process dies on the spot and another takes over, with the same code or another. */
  async crash(fn: Fn = this.fn): Promise<void> {
    this.alive.yes = false;
    this.store.alive = false;
    this.fn = fn;
    await this.boot();
  }

  /** A deploy: the process ends in order and another takes over with other code. */
  async redeploy(fn: Fn): Promise<void> {
    await this.process.stop();
    this.alive.yes = false;
    this.fn = fn;
    await this.boot();
  }

  async send(queue: string, body?: unknown): Promise<void> {
    await this.handle.send(queue, body);
    await idle();
  }

  status(): Promise<WorkflowStatus> {
    return this.handle.status();
  }

  /** The output of a workflow that has ended; fails the test when it has not. */
  async output(): Promise<unknown> {
    await idle();
    expect(await this.status()).toBe("completed");
    return this.handle.result();
  }

  /** The error of a workflow that has failed; fails the test when it has not. */
  async failure(): Promise<Error & { code?: string }> {
    await idle();
    expect(await this.status()).toBe("failed");
    return this.handle.result().then(
      () => {
        throw new Error("it has a result");
      },
      (error: unknown) => error as Error,
    );
  }

  async entries(): Promise<readonly HistoryEntry[]> {
    return (await this.history()).entries;
  }

  history(): Promise<HistorySnapshot> {
    return this.handle.use(readHistory);
  }

  recover(): Promise<void> {
    return this.handle.use(recover);
  }

  replayFrom(path?: string): Promise<void> {
    return this.handle.use((run) => replayFrom(run, path));
  }

  async paths(): Promise<string[]> {
    return (await this.entries()).map(({ path }) => path);
  }

  async entry(path: string): Promise<HistoryEntry> {
    const found = (await this.entries()).find((entry) => entry.path === path);
    if (found === undefined)
      throw new Error(`no entry ${path}; there are ${(await this.paths()).join(", ")}`);
    return found;
  }

  /** Messages that are stored and not received. */
  async storedMessages(): Promise<number> {
    const { records } = await this.kept.read("w/1");
    return records.filter(({ key }) => key.startsWith(MAILBOX_PREFIX)).length;
  }

  async end(): Promise<void> {
    expect(this.faults).toEqual([]);
    await this.engine?.stop();
  }
}

/** A step that can be undone, and notes both: `do NAME`, `undo NAME-id`; with `of`: `do NAME-OF`, `undo NAME-OF`. */
export const undoable = (world: World, ctx: Context, name: string, of?: string): Promise<string> =>
  ctx.step({
    name,
    run: () => {
      world.log.push(`do ${of === undefined ? name : `${name}-${of}`}`);
      return `${name}-${of ?? "id"}`;
    },
    rollback: (_context, output) => {
      world.log.push(`undo ${output}`);
    },
  });
