import { Alarms } from "./clock.js";
import { encodeEntry, type EntryData, type EntryOf, type EntryStatus, type RecordedKind } from "./entry.js";
import { EntryTooLargeError } from "./errors.js";
import type { Place } from "./history.js";
import type { Journal } from "./journal.js";
import type { Mailbox } from "./mailbox.js";
import type { Clock } from "./ports.js";
import type { RollbackAction } from "./rollback.js";
import type { RunSettings, WorkflowErrorEvent, WorkflowHost } from "./seam.js";
import { never, Strand, type Wait } from "./strand.js";

/** What a pass needs of the run it belongs to. */
export interface PassRun {
  readonly instance: string;
  readonly journal: Journal;
  readonly mailbox: Mailbox;
  readonly clock: Clock;
  readonly host: WorkflowHost;
  readonly settings: RunSettings;
  readonly maxEntrySize: number;
  nextSeq(): number;
  reportError(event: WorkflowErrorEvent): void;
  /** The history changed; observers hear of it with the next commit. */
  noteHistory(): void;
  /** A rollback pass has found a completed step that can be undone. */
  noteRollback(action: RollbackAction): void;
  /** Every strand waits; `due` is the earliest time that any of them waits for. */
  passIdle(pass: Pass, due: number | null): void;
  /** The code is at fault: the workflow fails now, whatever user code makes of the error. */
  passFailed(pass: Pass, error: Error): void;
  /** A strand goes on after all had been waiting. */
  passResumed(pass: Pass): void;
}

/**
 * `run`: user code goes on into new ground. `rollback`: the function is run over its history only to find
 * the rollback handlers again; whatever is not recorded stops the strand that meets it.
 */
export type PassMode = "run" | "rollback";

/**
 * One execution of the workflow function, from its first line.
 *
 * 1. `active` counts the strands that are neither waiting for something outside nor blocked by their
 *    branches. At 0 the pass is idle: it may stay in memory as it stands, or be dropped and replaced by a
 *    new pass over the same history.
 * 2. A dead pass never touches history, journal or host again, and what user code awaits of it stays open.
 */
export class Pass {
  dead = false;
  /** Being evicted: what is in flight may still be recorded, nothing new begins. */
  evicting = false;
  active = 0;
  /** False while it only repeats what earlier passes did: nothing was recorded and no body run in it yet. */
  beganNew = false;
  /** Set while the commit of a suspension is under way: strands that wake wait for it. */
  suspending: Promise<void> | undefined;
  readonly alarms: Alarms;
  /** Waits in the order in which they began: messages go to the oldest first. */
  readonly waits = new Set<Wait>();
  /** Number of bodies in flight. */
  bodies = 0;
  /** Called when a body in flight has ended. */
  onBodyEnd: (() => void) | undefined;
  readonly strand: Strand;

  constructor(
    readonly run: PassRun,
    /** From 1, new for each pass of a run. */
    readonly id: number,
    readonly mode: PassMode,
  ) {
    this.alarms = new Alarms(run.clock);
    this.strand = new Strand(this);
  }

  /** Nothing new begins in it. */
  get stopping(): boolean {
    return this.dead || this.evicting;
  }

  /**
   * Writes an entry with the next commit; gives it back.
   * @throws EntryTooLargeError when it is longer than `limit` characters.
   */
  record<D extends EntryData>(place: Place, data: D, limit?: number): D {
    if (!this.dead) this.run.journal.put(place.key, this.enter(place, data, limit));
    return data;
  }

  /**
   * The same, for what a replay would find out again from the entries that are durable: it may wait for
   * the commit of something else.
   */
  recordLater(place: Place, data: EntryData): void {
    if (!this.dead) this.run.journal.putLater(place.key, this.enter(place, data));
  }

  /** Records an entry that history does not hold. */
  add<K extends RecordedKind>(
    place: Place,
    kind: K,
    status: EntryStatus,
    detail: EntryOf<K>["detail"],
    value?: unknown,
    limit?: number,
  ): EntryOf<K> {
    const now = this.run.clock.now();
    const seq = this.run.nextSeq();
    const completedAt = status === "completed" ? now : 0;
    const data = { kind, seq, status, startedAt: now, completedAt, detail, value };
    return this.record(place, data as unknown as EntryOf<K>, limit);
  }

  private enter(place: Place, data: EntryData, limit = this.run.maxEntrySize): string {
    this.beganNew = true;
    const text = encodeEntry(data);
    if (text.length > limit)
      throw new EntryTooLargeError(`The record of "${place.shown}"`, text.length, limit, place.shown);
    place.keep(data.kind === "step" && data.status === "completed" ? text : data);
    this.run.noteHistory();
    return text;
  }

  /** Makes durable what was recorded. Stays open when the pass died meanwhile. */
  commit(): Promise<void> {
    return this.run.journal.commit().then(
      () => (this.dead ? never<void>() : undefined),
      never<void>, // a failure reaches the pool through the journal
    );
  }

  /** True when no other strand could take the same messages or finish first. */
  get alone(): boolean {
    return this.strand.children.size === 0;
  }

  /** Tries every wait again: a message has come. */
  poke(): void {
    for (const wait of [...this.waits]) if (this.waits.has(wait)) wait.look();
  }

  /** @internal for Strand */
  count(change: 1 | -1): void {
    if (this.dead) return;
    this.active += change;
    if (this.active === 0) this.run.passIdle(this, this.due);
    else if (this.active === 1 && change === 1) this.run.passResumed(this);
  }

  /** The earliest time that a strand waits for. */
  get due(): number | null {
    const due = Math.min(...[...this.waits].map((wait) => wait.due ?? Infinity));
    return due === Infinity ? null : due;
  }

  /** Resolves when no body is in flight any more, or after `graceMs`. */
  bodiesEnded(graceMs: number): Promise<void> {
    const { clock } = this.run;
    return new Promise((resolve) => {
      const cancel = clock.timer(clock.now() + graceMs, resolve);
      this.onBodyEnd = () => {
        if (this.bodies > 0) return;
        cancel();
        resolve();
      };
    });
  }

  /** Ends the pass where it stands: bodies in flight are told to stop and their outcome is dropped. */
  kill(): void {
    if (this.dead) return;
    this.dead = true;
    this.alarms.clear();
    this.waits.clear();
    this.strand.abort();
    this.strand.dropBodies();
  }
}
