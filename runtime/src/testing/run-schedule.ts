import type { ErrorData, HistoryEntry, HistorySnapshot } from "../engine/seam.js";
import type { AnyRegistry, Key } from "../types/index.js";
import type { ManualClock } from "./manual-clock.js";
import type { Schedule } from "./schedule.js";
import { TestHost, type Inspection, type TestHostOptions } from "./test-host.js";

/** How an instance ended up. */
export interface Outcome {
  readonly status: HistorySnapshot["status"];
  readonly output: unknown;
  /** Name and message of the error that ended it. */
  readonly error: string | null;
  readonly state: unknown;
  /** The queues of the messages that nobody has taken, oldest first. */
  readonly waiting: readonly string[];
  /** By path. */
  readonly history: readonly RecordedEntry[];
}

/** What is the same in every run of a schedule. */
export type RecordedEntry = Omit<HistoryEntry, "seq" | "messageId">;

/** Which instance to run, and how. */
export interface RunOptions extends TestHostOptions {
  /** Its definition's name in the registry. */
  readonly name: string;
  readonly key?: Key;
  readonly input?: unknown;
  /**
   * After the schedule, time passes from one timer to the next, so often at most: a workflow that sleeps
   * ends, one that repeats for ever is left off. 40 when absent.
   */
  readonly hops?: number;
  /** Called with the clock of the run before it begins. */
  readonly clock?: (clock: ManualClock) => void;
  /** Called when the instance is about to be dropped from memory. */
  readonly onEvict?: () => void;
  /** Called after each happening, once nothing is under way. */
  readonly watch?: (outcome: Outcome) => void;
}

/** Timers in a row that lead to no commit, after which only messages can move the instance. */
const STILL_HOPS = 8;

/** Runs one instance through a schedule and on to its end. */
export async function runSchedule<R extends AnyRegistry>(
  registry: R,
  schedule: Schedule,
  options: RunOptions,
): Promise<Outcome> {
  const { name, key = "1", input, hops = 40 } = options;
  const host = new TestHost(registry, options);
  options.clock?.(host.clock);
  await host.boot();
  const actor = (host.client as Record<string, Accessor>)[name];
  if (actor === undefined) throw new Error(`There is no definition "${name}" in the registry.`);
  const instance = actor.getOrCreate(key, { input });
  await instance.resolve();
  await host.settled();
  const outcome = async (): Promise<Outcome> => outcomeOf(await host.inspect(name, key));
  for (const one of schedule) {
    switch (one.do) {
      case "send":
        await instance.send(one.queue, one.body);
        break;
      case "advance":
        await passTime(host, host.clock.now() + one.ms);
        break;
      case "jump":
        host.clock.set(host.clock.now() + one.ms);
        break;
      case "crash":
        if (one.afterCommits === 0) await host.crash();
        else host.crashAfter(host.commits + one.afterCommits);
        break;
      case "evict":
        options.onEvict?.();
        await host.evict(name, key);
        break;
    }
    await host.settled();
    if (options.watch !== undefined) options.watch(await outcome());
  }
  let commits = -1;
  let still = 0;
  // Nobody looks at the instance meanwhile: that would keep it warm, and each time it goes idle is a timer.
  for (let hop = 0; hop < hops && still < STILL_HOPS && host.clock.next !== undefined; hop++) {
    still = commits === host.commits ? still + 1 : 0;
    ({ commits } = host);
    await passTime(host, host.clock.next);
  }
  const last = await outcome();
  await host.stop();
  return last;
}

interface Accessor {
  getOrCreate(
    key: Key,
    options: { input: unknown },
  ): { send(queue: string, body: unknown): Promise<unknown>; resolve(): Promise<unknown> };
}

/** From timer to timer: a crash on the way takes no time, the next process finds the clock where it was. */
async function passTime(host: TestHost<AnyRegistry>, until: number): Promise<void> {
  for (let next = host.clock.next; next !== undefined && next <= until; next = host.clock.next) {
    await host.clock.advanceTo(Math.max(next, host.clock.now()));
    await host.settled();
  }
  await host.clock.advanceTo(until);
  await host.settled();
}

function outcomeOf({ workflow, state, waiting }: Inspection): Outcome {
  if (workflow === null) throw new Error("The definition has no workflow: there is nothing to replay.");
  const { status, output, error, entries } = workflow;
  return {
    status,
    output,
    error: error === undefined ? null : `${error.name}: ${error.message}`,
    state,
    waiting,
    history: entries.map(repeatable).sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** Without what differs between two runs of one schedule: ids of messages, stacks, the order of concurrent branches. */
function repeatable(entry: HistoryEntry): RecordedEntry {
  const { messageId: _, seq: __, error, branches, ...rest } = entry;
  return {
    ...rest,
    ...(error !== undefined && { error: withoutStack(error) }),
    ...(branches !== undefined && {
      branches: Object.fromEntries(
        Object.entries(branches).map(([name, { error: failed, ...branch }]) => [
          name,
          { ...branch, ...(failed !== undefined && { error: withoutStack(failed) }) },
        ]),
      ),
    }),
  };
}

function withoutStack({ stack: _, ...data }: ErrorData): ErrorData {
  return data;
}
