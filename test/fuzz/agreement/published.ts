import {
  CriticalError,
  Loop,
  runWorkflow,
  type EntryKind,
  type WorkflowHistorySnapshot,
} from "@rivetkit/workflow-engine";
import type { Schedule } from "../../../runtime/src/testing/schedule.js";
import { InstantDriver } from "../../published/instant-driver.js";
import { closureOf } from "../program/closure.js";
import { BACKOFF, FLAKY_FAILURES } from "../program/constructs/step.js";
import type { Context, StepPlace, World } from "../program/running.js";
import type { Block, Work } from "../program/tree.js";
import type { CommonEntry, CommonOutcome } from "./common-outcome.js";

/**
 * Runs a program on the published engine, through the same schedule: it is run from its history again for
 * every message and every time that comes due (its `yield` mode), with its clock (`Date.now`) held.
 */
export async function runPublished(program: Block, schedule: Schedule): Promise<CommonOutcome> {
  const driver = new InstantDriver();
  const taken = watchQueue(driver);
  const world = new PublishedWorld();
  const run = closureOf(program, world);
  let now = Date.UTC(2026, 0, 1);
  let snapshot: WorkflowHistorySnapshot | null = null;
  let last: Omit<CommonOutcome, "history" | "lost"> = { status: "waiting", output: undefined, error: null };
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
        last = { status: "failed", output: undefined, error: textOf(error) };
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
  const kept = new Set(messageIdsIn(snapshot));
  const lost = [...taken].filter(([id]) => !kept.has(id)).map(([, body]) => body);
  return { ...last, history: historyOf(snapshot), lost };
}

/** Bodies of the messages that the engine takes, by id, as it takes them. */
function watchQueue({ messageDriver }: InstantDriver): ReadonlyMap<string, unknown> {
  const taken = new Map<string, unknown>();
  const receive = messageDriver.receiveMessages.bind(messageDriver);
  messageDriver.receiveMessages = async (options) => {
    const messages = await receive(options);
    for (const { id, data } of messages) taken.set(id, data);
    return messages;
  };
  return taken;
}

function messageIdsIn(snapshot: WorkflowHistorySnapshot | null): string[] {
  return (snapshot?.entries ?? []).flatMap(({ kind }): string[] => {
    const message: unknown = kind.type === "message" ? kind.data.data : null;
    return typeof message === "object" && message !== null && "id" in message ? [String(message.id)] : [];
  });
}

const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

function historyOf(snapshot: WorkflowHistorySnapshot | null): Map<string, CommonEntry> {
  if (snapshot === null) return new Map();
  const { nameRegistry, entries, entryMetadata } = snapshot;
  return new Map(
    entries.map(({ id, location, kind }) => {
      const path = location
        .map((segment) =>
          typeof segment === "number" ? (nameRegistry[segment] ?? "?") : `~${segment.iteration}`,
        )
        // A loop's own name stands in its iteration's marker.
        .join("/");
      const attempts = kind.type === "step" ? (entryMetadata.get(id)?.attempts ?? 0) : null;
      return [path, { path, kind: kind.type, holds: heldBy(kind), attempts, isOver: true }];
    }),
  );
}

/** See `CommonEntry.holds`. */
function heldBy(kind: EntryKind): unknown {
  switch (kind.type) {
    case "step":
      return kind.data.output;
    case "version_check":
      return kind.data.resolved;
    case "race":
      return kind.data.winner ?? undefined;
    case "message":
      return bodyOf(kind.data.data);
    case "removed":
      return kind.data.originalType;
    case "loop":
      return kind.data.iteration;
    default:
      return undefined;
  }
}

/** A message is kept with what came with it; how many came, and by when, is kept as a number. */
function bodyOf(data: unknown): unknown {
  return typeof data === "object" && data !== null && "body" in data ? data.body : undefined;
}

/** What a context of the published engine knows of itself. */
interface Located {
  readonly currentLocation: unknown;
}

/** The outside of programs on the published engine: without actors, so without state and sends. */
class PublishedWorld implements World {
  /** See `published-pauses.test.ts`: asked for half, it waits as long as ours. */
  readonly backoff = BACKOFF / 2;
  readonly loopBreak = Loop.break;
  readonly loopContinue = Loop.continue;
  /** By the place of the step. */
  private readonly attempts = new Map<string, number>();

  async work(_step: undefined, { name, context }: StepPlace, work: Work, plus: number): Promise<number> {
    // Step bodies get nothing that tells their attempt.
    const place = JSON.stringify([(context as unknown as Located).currentLocation, name]);
    const attempt = (this.attempts.get(place) ?? 0) + 1;
    this.attempts.set(place, attempt);
    await Promise.resolve();
    if (work.ends === "critical") throw new CriticalError("refused");
    if (work.ends === "exhausted") throw new Error("broken down");
    if (work.ends === "flaky" && attempt <= FLAKY_FAILURES) throw new Error("not yet");
    return work.gives + plus;
  }

  isCritical(error: unknown): boolean {
    return error instanceof CriticalError;
  }

  undo(): Promise<void> {
    return Promise.resolve();
  }
}
