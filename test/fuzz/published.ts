import {
  CriticalError,
  Loop,
  runWorkflow,
  type EngineDriver,
  type KVEntry,
  type WorkflowHistorySnapshot,
  type WorkflowMessageDriver,
} from "@rivetkit/workflow-engine";
import { InMemoryDriver } from "@rivetkit/workflow-engine/testing";
import type { Schedule } from "../../runtime/src/testing/schedule.js";
import { closureOf } from "./program/closure.js";
import { BACKOFF, FLAKY_FAILURES } from "./program/constructs/step.js";
import type { Context, StepLike, World } from "./program/running.js";
import type { Block, Work } from "./program/tree.js";

/** How an instance ended, in words that both engines share. */
export interface CommonOutcome {
  readonly status: "completed" | "failed" | "waiting";
  readonly output: unknown;
  /** Message of the error that ended it. */
  readonly error: string | null;
  /** `path kind output` of each entry, sorted. */
  readonly history: readonly string[];
}

/**
 * Runs a program on the published engine, through the same schedule: it is run from its history again for
 * every message and every time that comes due (its `yield` mode), with its clock (`Date.now`) held.
 */
export async function runPublished(program: Block, schedule: Schedule): Promise<CommonOutcome> {
  const driver = new InstantDriver();
  const world = new PublishedWorld();
  const run = closureOf(program, world);
  let now = Date.UTC(2026, 0, 1);
  let snapshot: WorkflowHistorySnapshot | null = null;
  let last: Omit<CommonOutcome, "history"> = { status: "waiting", output: undefined, error: null };
  let wake: number | undefined;
  const realNow = Date.now;
  Date.now = () => now;
  try {
    const go = async (): Promise<void> => {
      if (last.status !== "waiting") return;
      const handle = runWorkflow("1", (context) => run(context as unknown as Context), undefined, driver, {
        onHistoryUpdated: (history) => {
          snapshot = history;
        },
      });
      try {
        const { state, output, sleepUntil } = await handle.result;
        last = { status: state === "completed" ? "completed" : "waiting", output, error: null };
        wake = sleepUntil;
      } catch (error) {
        last = { status: "failed", output: undefined, error: (error as Error).message };
      }
    };
    const pass = async (until: number): Promise<void> => {
      while (last.status === "waiting" && wake !== undefined && wake <= until) {
        now = Math.max(now, wake);
        await go();
      }
      now = Math.max(now, until);
    };
    await go();
    let sent = 0;
    for (const one of schedule) {
      if (one.do === "send" && last.status === "waiting") {
        await driver.messageDriver.addMessage({
          id: `m${sent++}`,
          name: one.queue,
          data: one.body,
          sentAt: now,
        });
        await go();
      }
      if (one.do === "advance") await pass(now + one.ms);
    }
    for (let hop = 0; hop < 60 && last.status === "waiting" && wake !== undefined; hop++) await pass(wake);
  } finally {
    Date.now = realNow;
  }
  return { ...last, history: historyLines(snapshot) };
}

function historyLines(snapshot: WorkflowHistorySnapshot | null): string[] {
  if (snapshot === null) return [];
  const { nameRegistry, entries } = snapshot;
  return entries
    .map(({ location, kind }) => {
      const path = location
        .map((segment) =>
          typeof segment === "number" ? (nameRegistry[segment] ?? "?") : `~${segment.iteration}`,
        )
        // A loop's own name stands in its iteration's marker.
        .join("/");
      const output = kind.type === "step" ? ` ${String(kind.data.output)}` : "";
      return `${path} ${kind.type}${output}`;
    })
    .sort();
}

/** The outside of programs on the published engine: without actors, so without state and sends. */
class PublishedWorld implements World {
  /** The published engine doubles the pause before the first retry already: asked for half, it waits as long. */
  readonly backoff = BACKOFF / 2;
  readonly loopBreak = Loop.break;
  readonly loopContinue = Loop.continue;
  private readonly attempts = new Map<string, number>();

  async work(_step: StepLike | undefined, name: string, work: Work, plus: number): Promise<number> {
    const attempt = (this.attempts.get(name) ?? 0) + 1;
    this.attempts.set(name, attempt);
    await Promise.resolve();
    if (work.ends === "critical") throw new CriticalError("refused");
    if (work.ends === "exhausted") throw new Error("broken down");
    if (work.ends === "flaky" && attempt <= FLAKY_FAILURES) throw new Error("not yet");
    this.attempts.delete(name); // the next turn of a loop begins anew
    return work.gives + plus;
  }

  undo(): Promise<void> {
    return Promise.resolve();
  }
}

/** A store in memory that answers at once. */
class InstantDriver implements EngineDriver {
  /** Sleeps are never waited for in memory. */
  readonly workerPollInterval = 0;
  readonly messageDriver: WorkflowMessageDriver = new InMemoryDriver().messageDriver;
  private readonly kept = new Map<string, KVEntry>();

  get(key: Uint8Array): Promise<Uint8Array | null> {
    return Promise.resolve(this.kept.get(hex(key))?.value ?? null);
  }
  set(key: Uint8Array, value: Uint8Array): Promise<void> {
    this.kept.set(hex(key), { key, value });
    return Promise.resolve();
  }
  delete(key: Uint8Array): Promise<void> {
    this.kept.delete(hex(key));
    return Promise.resolve();
  }
  batchDelete(keys: Uint8Array[]): Promise<void> {
    for (const key of keys) this.kept.delete(hex(key));
    return Promise.resolve();
  }
  deletePrefix(prefix: Uint8Array): Promise<void> {
    for (const key of this.kept.keys()) if (key.startsWith(hex(prefix))) this.kept.delete(key);
    return Promise.resolve();
  }
  deleteRange(from: Uint8Array, to: Uint8Array): Promise<void> {
    for (const key of this.kept.keys()) if (key >= hex(from) && key < hex(to)) this.kept.delete(key);
    return Promise.resolve();
  }
  list(prefix: Uint8Array): Promise<KVEntry[]> {
    const found = [...this.kept].filter(([key]) => key.startsWith(hex(prefix)));
    return Promise.resolve(found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry));
  }
  batch(writes: { key: Uint8Array; value: Uint8Array }[]): Promise<void> {
    for (const { key, value } of writes) this.kept.set(hex(key), { key, value });
    return Promise.resolve();
  }
  setAlarm(): Promise<void> {
    return Promise.resolve();
  }
  clearAlarm(): Promise<void> {
    return Promise.resolve();
  }
  waitForMessages(): Promise<void> {
    return new Promise(() => undefined);
  }
}

const hex = (key: Uint8Array): string => Buffer.from(key).toString("hex");
