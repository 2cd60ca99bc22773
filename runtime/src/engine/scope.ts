import type { EntryKind } from "../manifest/format.js";
import type { EntryData, RecordedKind } from "./entry.js";
import {
  CancelledError,
  ContextError,
  DuplicateEntryError,
  EntryInProgressError,
  FatalError,
  HistoryDivergedError,
  UnawaitedEntryError,
} from "./errors.js";
import { nameSegment, readablePath, readSegment } from "./names.js";
import type { Pass } from "./pass.js";
import { never, type Strand } from "./strand.js";
import type { Place } from "./history.js";

interface EntryInProgress {
  readonly kind: string;
  readonly name: string;
}

/**
 * Where names must be unique: the root, one iteration of a loop, one branch, one try block. One per context.
 *
 * 1. `unvisited` = entries that an earlier run recorded directly in this scope and this pass has not visited.
 *    Entries inside a finished loop, join, race or try never count (design §4.5).
 * 2. One entry at a time is in progress in a scope, and a scope inside it is part of that entry (§4.9).
 */
export class Scope {
  private current: EntryInProgress | undefined;
  private open = true;
  unvisited: number;
  /** A rollback checkpoint was set in this scope or one around it before this one was opened. */
  checkpoint: boolean;

  constructor(
    readonly pass: Pass,
    readonly strand: Strand,
    readonly place: Place,
    private readonly parent?: Scope,
    /** Of a turn of a loop: a step in it is about to be recorded that can be undone. */
    private readonly onUndoable?: () => void,
  ) {
    this.unvisited = place.recorded;
    this.checkpoint = parent?.checkpoint ?? false;
  }

  /**
   * Runs one entry. The promise it gives may be left floating without taking the process down; the scope
   * sees it at the next entry or at its end.
   */
  enter<T>(kind: string, name: unknown, operation: () => Promise<T>): Promise<T> {
    const { guard } = this.pass.run.settings;
    const promise =
      guard === undefined
        ? this.run(kind, name, operation)
        : guard.outside(() => this.run(kind, name, operation));
    promise.catch(ignore);
    return promise;
  }

  /** Calls user code that works with this scope's context. */
  call<T>(body: () => T): T {
    const { guard } = this.pass.run.settings;
    return guard === undefined ? body() : guard.workflow(this.pass.run.instance, body);
  }

  private async run<T>(kind: string, name: unknown, operation: () => Promise<T>): Promise<T> {
    if (this.pass.dead || this.pass.evicting) return never();
    this.check(name);
    this.current = { kind, name: String(name) };
    try {
      return await operation();
    } catch (error) {
      throw this.noteFatal(error);
    } finally {
      this.current = undefined;
    }
  }

  /** A fatal error ends the pass at once, whatever user code makes of it. */
  private noteFatal(error: unknown): unknown {
    const { pass } = this;
    if (error instanceof FatalError) this.tellPlace(error);
    if (error instanceof FatalError && !this.strand.cancelled && pass.mode === "run" && !pass.dead) {
      pass.run.passFailed(pass, error);
    }
    return error;
  }

  /** Adds to an error of use where the entry that it speaks of is written, if that is known. */
  private tellPlace(error: FatalError): void {
    const { placeOf } = this.pass.run.settings;
    if (placeOf === undefined || error.entry === undefined || placed.has(error)) return;
    placed.add(error);
    const place = placeOf(error.entry);
    if (place !== undefined) error.message += ` (${place})`;
  }

  /**
   * Called after a wait, before the result of entry `name` is recorded.
   * @throws CancelledError when another branch of a race has won meanwhile: what this one recorded is forgotten.
   */
  goOn(name: unknown): void {
    if (this.strand.cancelled) throw new CancelledError(this.pathOf(name));
  }

  private check(name: unknown): void {
    this.goOn(name);
    if (!this.open) {
      throw this.noteFatal(
        new ContextError(
          "context_ended",
          `"${this.pathOf(name)}" was started on a context whose scope has ended. Use the context of the scope that is running.`,
          this.pathOf(name),
        ),
      );
    }
    if (this.current !== undefined)
      throw this.noteFatal(
        new EntryInProgressError(this.pathOf(name), this.current.kind, this.pathOf(this.current.name)),
      );
  }

  /**
   * True while the code at this point was run by an earlier pass, as far as the history tells: entries are
   * left to visit here or around, or the pass has done nothing new yet.
   */
  get replaying(): boolean {
    if (!this.pass.beganNew) return true;
    for (let scope: Scope | undefined = this as Scope; scope !== undefined; scope = scope.parent) {
      if (scope.unvisited > 0) return true;
    }
    return false;
  }

  /** A step that can be undone is about to be recorded: the loops around it hear of it. */
  noteUndoable(): void {
    for (let scope: Scope | undefined = this as Scope; scope !== undefined; scope = scope.parent)
      scope.onUndoable?.();
  }

  /** For messages. */
  pathOf(name: unknown): string {
    const here = readablePath(this.place.path);
    return here === "" ? String(name) : `${here}/${String(name)}`;
  }

  /**
   * The place of an entry of that name, now visited.
   * @throws DuplicateEntryError when this pass visited it before.
   */
  visit(name: string): Place {
    const place = this.place.child(nameSegment(name));
    if (place.visitedIn === this.pass.id || place.reservedIn === this.pass.id)
      throw new DuplicateEntryError(this.pathOf(name));
    place.visitedIn = this.pass.id;
    if (place.data !== undefined) this.unvisited--;
    return place;
  }

  /**
   * Takes a name that has no record of its own (a try block, a queue wait). Gives its place.
   * @throws DuplicateEntryError
   */
  reserve(name: string): Place {
    const place = this.place.child(nameSegment(name));
    if (place.visitedIn === this.pass.id || place.reservedIn === this.pass.id)
      throw new DuplicateEntryError(this.pathOf(name));
    place.reservedIn = this.pass.id;
    return place;
  }

  /** Whether an earlier run recorded an entry of that name that this pass has not visited. */
  holds(name: string): boolean {
    const place = this.place.children.get(nameSegment(name));
    return place?.data !== undefined && place.visitedIn !== this.pass.id;
  }

  /**
   * What an earlier run recorded at the place, if anything.
   * @throws HistoryDivergedError when it is of another kind.
   */
  recorded<K extends RecordedKind>(
    place: Place,
    kind: K,
  ): Extract<EntryData, { readonly kind: K }> | undefined {
    const { data } = place;
    if (data === undefined) return undefined;
    if (data.kind !== kind) {
      const path = readablePath(place.path);
      throw new HistoryDivergedError(
        `"${path}" was recorded as ${kindName(data.kind)}, but the code now has ${kindName(kind)} of that name. ` +
          `Give the new entry another name, and put ${removal(place, data)} before it.`,
        path,
      );
    }
    return data as Extract<EntryData, { readonly kind: K }>;
  }

  /**
   * Called before a step runs that history does not hold (design §4.4).
   * @throws HistoryDivergedError
   */
  checkNewStep(place: Place): void {
    if (this.unvisited === 0) return;
    const missed = this.firstUnvisited(true);
    if (missed === undefined) return;
    const path = readablePath(place.path);
    throw new HistoryDivergedError(
      `Step "${path}" is new, but ${this.describeMissed(missed)} was recorded by an earlier run and has not been reached in this one. ` +
        `The code has changed under this instance. If the entry is gone, put ${removal(missed, missed.data as EntryData)} before the step; ` +
        `if the step was inserted, gate it with ctx.getVersion.`,
      path,
    );
  }

  /**
   * Ends the scope after its body returned: nothing may be in progress, nothing recorded directly in it
   * may have been left out (design §4.5).
   */
  end(scopeName: () => string): void {
    this.open = false;
    if (this.current !== undefined) {
      throw this.noteFatal(new UnawaitedEntryError(this.pathOf(this.current.name), scopeName()));
    }
    if (this.unvisited === 0 || this.pass.mode === "rollback") return;
    const missed = this.firstUnvisited(false);
    if (missed === undefined) return;
    const path = readablePath(missed.path);
    throw this.noteFatal(
      new HistoryDivergedError(
        `${scopeName()} ended, but ${this.describeMissed(missed)} was recorded by an earlier run and was not reached in this one. ` +
          `The code has changed under this instance. If the entry is gone, put ${removal(missed, missed.data as EntryData)} where it was.`,
        path,
      ),
    );
  }

  /** Closes the scope after its body threw. */
  close(): void {
    this.open = false;
  }

  private firstUnvisited(lateRemovalExcused: boolean): Place | undefined {
    for (const child of this.place.children.values()) {
      if (child.data === undefined || child.visitedIn === this.pass.id) continue;
      const { declaresRemoved } = this.pass.run.settings;
      if (lateRemovalExcused && declaresRemoved?.(child.path.split("/").map(readSegment)) === true) continue;
      return child;
    }
    return undefined;
  }

  private describeMissed(missed: Place): string {
    return `${kindName((missed.data as EntryData).kind)} "${readablePath(missed.path)}"`; // only places with data are missed
  }
}

/** Errors whose message has the place already: they pass through every scope around. */
const placed = new WeakSet<FatalError>();

function ignore(): void {
  // the same rejection reaches whoever awaits the entry
}

const kindName = (kind: RecordedKind): string => `a ${kind.replace("_", " ")}`;

/** The statement that tells the engine that an entry is gone. */
function removal(place: Place, data: EntryData): string {
  const name = String(readSegment(place.segment));
  const wait = /^(.*):(count|deadline|\d+)$/.exec(name);
  const kind: EntryKind | "branch" = data.kind;
  return wait !== null && (kind === "message" || kind === "sleep")
    ? `\`await ctx.removed(${JSON.stringify(wait[1])}, "message")\``
    : `\`await ctx.removed(${JSON.stringify(name)}, "${kind}")\``;
}
