import { clientOver } from "../client/handles.js";
import type { Transport } from "../client/transport.js";
import type { ContextClass } from "../engine/context.js";
import { readHistory } from "../engine/operate/index.js";
import type { HistorySnapshot } from "../engine/seam.js";
import { Host } from "../host/host.js";
import { inProcess } from "../host/in-process.js";
import type { Instance } from "../host/instance.js";
import { silentLog, type HostLog } from "../host/log.js";
import { MemoryStore } from "../store/memory.js";
import type { AnyRegistry, ClientOf, Key } from "../types/index.js";
import { ManualClock } from "./manual-clock.js";
import { Lease } from "./lease.js";
import { RestlessWorkflowError } from "./restless-workflow-error.js";
import { stubbedContext, type StepStubs } from "./step-stubs.js";

export interface TestHostOptions {
  /** Where the clock stands at first, Unix ms; 2026-01-01T00:00:00Z when absent. */
  readonly start?: number;
  readonly log?: HostLog;
  /** What steps do instead of their own bodies, by name; see `StepStubs`. */
  readonly steps?: StepStubs;
  /** The context of workflow code, in place of one with these stubs. */
  readonly contextClass?: ContextClass;
  /** Called when a process starts, the first one included. */
  readonly onBoot?: () => void;
  /**
   * Commits in a row, without a call, an arrival or time passing in between, after which a workflow is taken to go on
   * for ever; 20,000 when absent.
   */
  readonly mostCommits?: number;
}

/** What a test may want to see of an instance. */
export interface Inspection {
  /** `null` for an actor without a workflow. */
  readonly workflow: HistorySnapshot | null;
  /** A copy. */
  readonly state: unknown;
  /** The queues of the messages that nobody has taken, oldest first. */
  readonly waiting: readonly string[];
}

/** Looks in a row without a commit, after which nothing is taken to be under way. */
const QUIET_LOOKS = 5;

/** One process after another. */
interface Process {
  readonly host: Host;
  readonly lease: Lease;
  /** Resolves when it was killed and the next one runs. */
  readonly replaced: Promise<void>;
  readonly replace: () => void;
}

/** An instance that is warm in a process. */
interface Found {
  readonly process: Process;
  readonly instance: Instance;
}

const REPLACED = Symbol("replaced");
const MOST_COMMITS = 20_000;

/**
 * Runs a registry for tests: in memory, without HTTP, with a clock that only the test moves. Days of sleep
 * pass at once, and `crash()` shows what a killed process leaves.
 *
 * ```ts
 * const test = await testHost(registry);
 * await test.client.orders.getOrCreate("1").send("order", { id: "a" });
 * await test.settled();
 * await test.crash();
 * await test.advance(24 * 3_600_000);
 * ```
 */
export class TestHost<R extends AnyRegistry> {
  readonly clock: ManualClock;
  /** Calls instances in process. A call that a crash cuts off is made again on the next process. */
  readonly client: ClientOf<R>;
  /** Commits made so far. */
  commits = 0;
  private readonly storage = new MemoryStore();
  private process: Process | null = null;
  private crashAt: number | null = null;
  /** Commits when the host was last stirred from outside. */
  private stirredAt = 0;
  private restless: RestlessWorkflowError | null = null;
  private giveUp: (error: RestlessWorkflowError) => void = () => undefined;
  /** Rejects when a workflow does not come to rest. */
  private readonly givenUp = new Promise<never>((_, reject) => {
    this.giveUp = reject;
  });
  private crashing: Promise<void> = Promise.resolve();

  constructor(
    private readonly registry: R,
    private readonly options: TestHostOptions,
  ) {
    this.clock = new ManualClock(options.start);
    this.client = clientOver<R>(this.transport());
    this.givenUp.catch(() => undefined); // whoever waits for something is told
  }

  /** Starts the first process, or the next one, which wakes what is due. The one before is dead from here. */
  async boot(): Promise<void> {
    this.process?.lease.cut();
    const lease = new Lease(this.storage, this.clock, () => {
      this.committed(lease);
    });
    const { steps, contextClass = steps && stubbedContext(steps) } = this.options;
    const host = new Host({
      definitions: this.registry.definitions,
      store: lease.store,
      clock: lease.clock,
      log: this.options.log ?? silentLog,
      ...(contextClass !== undefined && { contextClass }),
    });
    let replace = (): void => undefined;
    const replaced = new Promise<void>((resolve) => {
      replace = resolve;
    });
    this.options.onBoot?.();
    const before = this.process;
    this.process = { host, lease, replaced, replace };
    await host.start();
    before?.replace();
  }

  /**
   * Moves time on by `ms`, firing what comes due on the way, and waits until nothing is under way.
   * @throws RestlessWorkflowError
   */
  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms);
    await this.settled();
  }

  /**
   * Waits until nothing goes on any more at this time: what is left waits for a message or for later.
   * @throws RestlessWorkflowError for a workflow that goes on for ever.
   */
  async settled(): Promise<void> {
    let seen = -1;
    for (let quiet = 0; quiet < QUIET_LOOKS; quiet++) {
      this.stirredAt = this.commits;
      await this.clock.advance(0); // what is due already fires
      if (this.restless !== null) throw this.restless;
      await this.crashing;
      if (this.commits !== seen) quiet = 0;
      seen = this.commits;
    }
  }

  /**
   * As if the process had been killed at this moment and another one were started: what was not durable is
   * gone, what was under way is not heard of again.
   */
  async crash(): Promise<void> {
    await this.boot();
    await this.settled();
  }

  /** Crashes by itself right after the commit of that number (from 1), as soon as it is durable. */
  crashAfter(commit: number): void {
    this.crashAt = commit;
  }

  /** What the workflow of an instance has recorded; `null` when it has no workflow. @throws `actor_not_found` */
  async history(name: keyof R["definitions"] & string, key?: Key): Promise<HistorySnapshot | null> {
    return (await this.inspect(name, key)).workflow;
  }

  /** Status, output, error and history of an instance's workflow, and its state. @throws `actor_not_found` */
  async inspect(name: keyof R["definitions"] & string, key?: Key): Promise<Inspection> {
    let found: Found;
    do {
      found = await this.find(name, key); // one that was cold runs from its history first
      await this.settled();
    } while (
      found.process !== this.process ||
      found.process.host.pool.warm(found.instance.instance) === undefined
    );
    const { instance } = found;
    return {
      workflow: instance.run === null ? null : readHistory(instance.run),
      state: structuredClone(instance.state.value),
      waiting: instance.mailbox.list().map(({ name: queue }) => queue),
    };
  }

  /** Puts an instance to sleep, as if it had been idle for long: its next event runs it again from history. */
  async evict(name: keyof R["definitions"] & string, key?: Key): Promise<void> {
    const { process, instance } = await this.find(name, key);
    await process.host.pool.drop(instance.instance);
    await this.settled();
  }

  private find(name: string, key?: Key): Promise<Found> {
    const parts = key === undefined ? [] : typeof key === "string" ? [key] : key;
    const target = { name, how: "get", key: parts } as const;
    return this.onLiving(async (process) => ({
      process,
      instance: await process.host.instanceFor(target, []),
    }));
  }

  /** Puts every instance to sleep. */
  async stop(): Promise<void> {
    this.crashAt = null;
    await this.crashing;
    if (this.restless !== null) return; // its process is cut off: what it asks for is never answered
    await this.process?.host.stop();
  }

  private committed(lease: Lease): void {
    this.commits++;
    const { mostCommits = MOST_COMMITS } = this.options;
    if (this.commits - this.stirredAt > mostCommits) {
      lease.cut();
      this.restless = new RestlessWorkflowError(mostCommits);
      this.giveUp(this.restless);
    }
    if (this.commits !== this.crashAt) return;
    lease.cut();
    this.crashing = this.nextProcess();
  }

  /** What the last commit acknowledged still gets out before the next process starts. */
  private async nextProcess(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    await this.boot();
  }

  /** Makes a call on the process that runs now, and again on the next one when that was killed meanwhile. */
  private async onLiving<T>(call: (process: Process) => Promise<T>): Promise<T> {
    for (;;) {
      const { process } = this;
      if (process === null) throw new Error("The test host is not started: call `await boot()`.");
      this.stirredAt = this.commits;
      const result = await Promise.race([call(process), process.replaced.then(() => REPLACED), this.givenUp]);
      if (result !== REPLACED) return result as T;
    }
  }

  private transport(): Transport {
    const on = ({ host }: Process): Transport => inProcess(host, []);
    return {
      action: (target, name, args) => this.onLiving((process) => on(process).action(target, name, args)),
      send: (target, queue, body, request) =>
        this.onLiving((process) => on(process).send(target, queue, body, request)),
      create: (name, key, input) => this.onLiving((process) => on(process).create(name, key, input)),
      resolve: (target) => this.onLiving((process) => on(process).resolve(target)),
      connect: (target, params, watch) => {
        if (this.process === null) throw new Error("The test host is not started: call `await boot()`.");
        return on(this.process).connect(target, params, watch);
      },
    };
  }
}

/** Starts a registry for tests. See `TestHost`. */
export async function testHost<R extends AnyRegistry>(
  registry: R,
  options: TestHostOptions = {},
): Promise<TestHost<R>> {
  const host = new TestHost(registry, options);
  await host.boot();
  return host;
}
