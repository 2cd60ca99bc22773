/**
 * The seam between the engine and the host of an instance (the actor: state, actions, events).
 *
 * How the parts fit:
 *
 *     Pool ── opens by name, keeps warm, drops when idle, wakes when due ──► Resident (made by the host)
 *       └ one Journal per warm instance: buffers records, commits them together
 *            ├ Mailbox      durable queue of the instance              keys q/…
 *            ├ WorkflowRun  history and status of its workflow         keys h/… and w
 *            └ the host     state, schedules, …                        any other key
 *
 * A host's `load(journal, records)` builds all of it: `new Mailbox(journal, …)`, its own state, and, if
 * the actor has a workflow, `new WorkflowRun({ journal, mailbox, host, … })`, then `run.start()`.
 *
 * What joins a step's commit (design §4.12): whatever is put into the same journal before the step's
 * record is committed. A step runs between `host.beginAttempt()` and `attempt.end()`. During the body the
 * host collects (changed state, queue sends, events); in `end` it puts the state and calls
 * `mailbox.send()`. The engine then puts the step's record and commits; when that is durable it calls
 * `attempt.committed()`, where the host hands out the step's events. So nothing is seen before it is kept.
 *
 * Receipt of a message (design §4.13): the run calls `mailbox.take()` (which buffers the removal) and puts
 * the history entry into the same journal; one commit holds both.
 *
 * Waking: a message: `mailbox.send()` wakes the run by itself. A due time: the run sets its own timers
 * while it is warm, and tells the journal (`setDue("workflow", …)`), so the row says it when it is cold;
 * the pool then opens the instance and calls `resident.wake()`, which calls `run.start()`.
 */

import type { EntryKind } from "../manifest/format.js";
import type { ContextClass } from "./context.js";
import type { Place } from "./history.js";
import type { Journal } from "./journal.js";
import type { Mailbox } from "./mailbox.js";
import type { StoredRecord } from "./ports.js";

export type WorkflowStatus =
  | "pending" // created, not yet run
  | "running" // has work in hand
  | "sleeping" // waits for a message, a time or a retry
  | "rolling_back"
  | "completed"
  | "failed"
  | "cancelled"
  | "parked"; // kept asleep: its history can't be read, or the code would not accept it

/** An error as it is recorded and shown. `stack` is cut to 2,000 characters, every other text to 10,000. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  /** Own enumerable properties of the error that are plain JSON scalars. */
  readonly metadata?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Seed, "Error hooks". Exactly one of the three keys is set. */
export type WorkflowErrorEvent =
  | {
      readonly step: {
        readonly workflowId: string;
        readonly stepName: string;
        readonly attempt: number;
        readonly maxRetries: number;
        readonly remainingRetries: number;
        readonly willRetry: boolean;
        /** ms; only with `willRetry`. */
        readonly retryDelay?: number;
        /** ms since the epoch; only with `willRetry`. */
        readonly retryAt?: number;
        readonly error: ErrorData;
      };
    }
  | {
      readonly rollback: {
        readonly workflowId: string;
        readonly stepName: string;
        readonly error: ErrorData;
      };
    }
  | { readonly workflow: { readonly workflowId: string; readonly error: ErrorData } };

/** One run of a step body or of a rollback handler. */
export interface AttemptInfo {
  readonly kind: "step" | "rollback";
  readonly name: string;
  /** Place of the entry in the history, for messages: `process-loop/~12/charge`. */
  readonly path: string;
  /** From 1. */
  readonly attempt: number;
  readonly maxRetries: number;
  /** Same for every attempt of this entry of this instance: fit for idempotency keys. */
  readonly idempotencyKey: string;
  /** Aborted at timeout, eviction, cancellation, or when another branch of a race has won. Made on first use. */
  readonly abortSignal: AbortSignal;
  /** True once the instance is being evicted or cancelled. */
  isEvicted(): boolean;
}

/** `cancelled`: given up for good. `evicted`: given up for now, the body runs again in the next process. */
export type AttemptOutcome = "completed" | "failed" | "timeout" | "cancelled" | "evicted";

/** What a host makes of one attempt. */
export interface HostAttempt {
  /** What the body gets as its argument. */
  readonly context: unknown;
  /** Calls the body with `context`, in what it must run in (an async context). Without it the engine calls it. */
  around?(body: (context: unknown) => unknown): unknown;
  /**
   * The body is over (or given up). From here the context must refuse every call. Puts into the journal
   * what must be durable together with the step's record. Must not await.
   * With `cancelled` nothing of the step is recorded; with `evicted` nothing at all.
   */
  end(outcome: AttemptOutcome): void;
  /** The commit that holds what `end` has put is durable. Not called after `evicted`. */
  committed?(): void;
}

/** What the host of an instance lends to its workflow. Every member is optional. */
export interface WorkflowHost {
  /** Called once per attempt, before the body. Without it the body gets a bare step context. */
  beginAttempt?(info: AttemptInfo): HostAttempt;
  /**
   * A subclass of the engine's context, for members of the host's own (`log`, `key` …); `hostOf(this)`
   * gives this object. Every scope gets one.
   */
  readonly contextClass?: ContextClass;
  /** Best effort, never part of replay. Errors in it go to `onInternalError`. */
  onError?(event: WorkflowErrorEvent): void | Promise<void>;
  /** The status changed (also by `cancel`, `recover` …). Not awaited. */
  onStatus?(status: WorkflowStatus): void;
  /** The run waits for something outside, or has ended: nothing of it keeps the instance busy. */
  onIdle?(): void;
  /** The history changed: inspectors read `run.history()` again. Called at most once per commit. */
  onHistory?(): void;
  /** A fault outside user code, or an error thrown by one of the hooks above. */
  onInternalError?(error: unknown): void;
}

/** One entry of a history, for inspectors, tests and `accepts`. */
export interface HistoryEntry {
  /** Joined by `/`; iterations are `~0`, `~1` …: `process-loop/~12/charge`. Names are escaped (`/` → `%2F`). */
  readonly path: string;
  /** The same, unescaped and apart; an iteration is its number. */
  readonly names: readonly (string | number)[];
  readonly kind: EntryKind;
  /** Order in which the entries were first recorded, from 0. */
  readonly seq: number;
  readonly status: "pending" | "running" | "completed" | "failed" | "exhausted";
  /** Attempts made so far; steps only. */
  readonly attempts?: number;
  readonly output?: unknown;
  readonly error?: ErrorData;
  /** ms since the epoch. `startedAt`: of the first attempt, or of creation. */
  readonly startedAt: number;
  readonly completedAt?: number;
  /** sleep: ms since the epoch; step with a pending retry: when it runs again. */
  readonly due?: number;
  /** loop: turns completed (`iteration` = number of the one in hand) and the state it started with. */
  readonly iteration?: number;
  readonly state?: unknown;
  /** join, race: by name, in the order of the code. */
  readonly branches?: Readonly<
    Record<string, { readonly status: string; readonly output?: unknown; readonly error?: ErrorData }>
  >;
  readonly winner?: string;
  /** message: the queue and its body. */
  readonly queue?: string;
  readonly body?: unknown;
  readonly messageId?: string;
  /** version_check: the version this instance is pinned to. */
  readonly version?: number;
  /** removed: the kind that it stands for. */
  readonly was?: string;
  /** step with a rollback handler that has run. */
  readonly rolledBackAt?: number;
  readonly rollbackError?: ErrorData;
}

export interface HistorySnapshot {
  readonly status: WorkflowStatus;
  readonly entries: readonly HistoryEntry[];
  readonly output?: unknown;
  readonly error?: ErrorData;
}

/** Something the pool keeps warm. Made by the host's `load`. */
export interface Resident {
  /** True while it may not be dropped: a step or an action in flight, an open connection … */
  readonly busy: boolean;
  /** Its due time has come while it was warm, or it was opened because of it. */
  wake(): void;
  /**
   * It is being dropped: finish or give up what is in flight, put what must be kept into the journal.
   * The pool commits the journal afterwards and forgets the instance.
   */
  suspend(): Promise<void>;
  /**
   * The journal could not be committed: what is in memory is not what is stored. Drop everything without
   * writing. The pool opens the instance anew, after a pause that grows.
   */
  abandon(error: unknown): void;
}

/** What `WorkflowRun.revise` may change. */
export interface RecordedHistory {
  readonly root: Place;
  /** Paths of the entries whose failure ended the workflow. */
  readonly failed: readonly string[];
  readonly journal: Journal;
  readonly mailbox: Mailbox;
  /** A step is running. */
  readonly inFlight: boolean;
}

/** The workflow of one warm instance. `createRun` in `run.ts` makes it. */
export interface WorkflowRun {
  readonly status: WorkflowStatus;
  /** True while user code, a step or a rollback handler is under way: must not be dropped then. */
  readonly busy: boolean;
  /** Output (when completed) and error (when failed) of the workflow. */
  readonly output: unknown;
  readonly error: ErrorData | undefined;
  /** What is recorded: the tree of the history. */
  readonly root: Place;
  /**
   * Begins, or goes on from history if there is some. Does nothing when it runs already, is asleep in
   * memory, or has ended. Never throws: what goes wrong ends up in `status` and `error`.
   */
  start(): void;
  /** Resolves when the workflow has ended (completed, failed, cancelled or parked) and that is durable. */
  ended(): Promise<WorkflowStatus>;
  /** Resolves when it waits for something outside (or has ended): no user code is under way. */
  settled(): Promise<void>;
  /**
   * Stops at the next entry: aborts what is in flight (`abortSignal`), waits at most `graceMs` for step
   * bodies to end, records those that completed. Call the journal's `commit` afterwards. A new run must be
   * made from the stored records.
   */
  evict(graceMs?: number): Promise<void>;
  /** Drops everything in memory at once, writes nothing. */
  abandon(): void;
  /** Ends the workflow for good, durably, whatever it is doing. */
  cancel(): Promise<void>;
  /**
   * Changes what is recorded, then goes on over it. Resolves when that is durable. Does nothing when the history
   * can't be read. `recover` and `replayFrom` of `@stepproof/runtime/engine/operate` are made of it.
   * @param change gives the root to go on from. What it throws leaves all as it was.
   */
  revise(change: (history: RecordedHistory) => Place): Promise<void>;
  /** Asleep for good until `recover`: the code would not accept its history. */
  park(reason: ErrorData): Promise<void>;
}

/** How the workflow of an instance is to be run. */
export interface RunSettings {
  /** Largest record in characters. Default 1 MiB. */
  readonly maxEntrySize?: number;
  /**
   * Whether the code has a `removed` for the entry of that path (names, iterations as numbers) somewhere in
   * its scope: `removed` may come late then (design §4.6). `lateRemovals(manifest)` makes it.
   */
  readonly declaresRemoved?: (path: readonly (string | number)[]) => boolean;
  /** Where the entry of that path is written, for errors of use. `entryPlaces(places)` makes it. */
  readonly placeOf?: (entry: string) => string | undefined;
  /** Watches for clock, random, timers and fetch in workflow code. Made by `createGuard` of `@stepproof/runtime/guard`. */
  readonly guard?: Guard;
}

/** Runs functions so that it is known, through async context, which kind of code is running. */
export interface Guard {
  /** Runs workflow code; `where` is for messages. */
  workflow<T>(where: string, run: () => T): T;
  /** Runs what may do anything: the engine itself, the host, step bodies. */
  outside<T>(run: () => T): T;
}

/** How a pool finds, keeps and drops instances. */
export interface PoolOptions<R extends Resident> {
  /** Builds what stands for the instance in memory. `records` is all that is stored, ordered by key. */
  load(journal: Journal, records: readonly StoredRecord[]): R | Promise<R>;
  /** Idle this long (ms), an instance is dropped. Default 30,000. */
  readonly idleMs?: number;
  /** More than this many warm instances: idle ones are dropped, least recently used first. Default 10,000. */
  readonly maxWarm?: number;
  /**
   * Drops every instance as soon as it is idle, so that each wake re-runs from history. Default false; the
   * tests run in both ways.
   */
  readonly rerunOnWake?: boolean;
  /** An instance could not be opened (its error) or a commit failed. */
  onError?(instance: string, error: unknown): void;
}

/** Warm instances by name. `createPool` in `pool.ts` makes it. */
export interface Pool<R extends Resident> {
  /**
   * Begins to wake instances: at once those that had work in hand when the process ended or whose time
   * has come, later ones when they are due.
   */
  start(): Promise<void>;
  /**
   * The instance, opened if need be, marked as just used. Rejects with what `load` throws. It may be
   * dropped again by the time the caller goes on; see `use`.
   */
  open(instance: string): Promise<R>;
  /**
   * Opens the instance and runs `act` on it; it is not dropped for being idle meanwhile. What `act` does
   * before its first await is done to an instance that is surely warm.
   */
  use<T>(instance: string, act: (resident: R) => T | Promise<T>): Promise<T>;
  /** The instance if it is warm. */
  warm(instance: string): R | undefined;
  /** It has become idle: drop it when `idleMs` have passed without use (at once with `rerunOnWake`). */
  idle(instance: string): void;
  /** Marks it as just used, so that it stays warm. */
  touch(instance: string): void;
  /** Puts one instance to sleep now: `suspend`, commit, forget. */
  drop(instance: string): Promise<void>;
  /** Puts all to sleep and stops waking. */
  stop(): Promise<void>;
}
