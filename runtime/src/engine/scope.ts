import type { EntryKind } from "../manifest/format.js";
import type { EntryData, EntryOf, RecordedKind } from "./entry.js";
import {
  CancelledError,
  ContextError,
  DuplicateEntryError,
  EntryInProgressError,
  FatalError,
  HistoryDivergedError,
  StoreError,
  UnawaitedEntryError,
} from "./errors.js";
import type { Place } from "./history.js";
import { nameSegment, readSegment } from "./names.js";
import type { Pass } from "./pass.js";
import { never, type Strand } from "./strand.js";

interface EntryInProgress {
  readonly kind: string;
  readonly name: unknown;
}

/** A place of which it is known that nothing of another kind is recorded there. */
export type PlaceOf<K extends RecordedKind> = Place & { readonly data: EntryOf<K> | undefined };

/** Makes the context of a scope. */
export type ContextOf = (scope: Scope) => unknown;

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
   * sees it at the next entry or at its end. It stays open when the pass stops meanwhile.
   */
  enter<T>(kind: string, name: unknown, operation: () => Promise<T>): Promise<T> {
    const { pass } = this;
    const { guard } = pass.run.settings;
    if (pass.stopping) return never();
    let promise: Promise<T>;
    try {
      this.check(name);
      this.current = { kind, name };
      promise = (guard === undefined ? operation() : guard.outside(operation)).then(
        (value) => {
          this.current = undefined;
          return pass.stopping ? never<T>() : value;
        },
        (error: unknown) => {
          this.current = undefined;
          promise.catch(ignore);
          if (pass.dead && error instanceof StoreError) return never<T>(); // the pool opens the instance anew
          throw this.noteFatal(error);
        },
      );
    } catch (error) {
      promise = Promise.reject(error as Error);
      promise.catch(ignore);
    }
    return promise;
  }

  /**
   * Runs the user code of this scope to its end, and closes it. What it throws passes through; what it gives
   * does not when the pass stops meanwhile: the next one finds it again.
   * @param name of the scope, for messages.
   * @param use what to make of the result, at once: afterwards another branch may have won.
   */
  async run<T>(body: () => unknown, name: () => string, use: (result: unknown) => T): Promise<T> {
    const { instance, settings } = this.pass.run;
    const { guard } = settings;
    try {
      const result: unknown = await (guard === undefined ? body() : guard.workflow(instance, body));
      if (this.pass.stopping) return never();
      if (this.strand.cancelled) throw new CancelledError(this.place.shown);
      this.end(name);
      return use(result);
    } finally {
      this.open = false;
    }
  }

  /** A fatal error ends the pass at once, whatever user code makes of it. */
  private noteFatal(error: unknown): unknown {
    const { pass } = this;
    if (!(error instanceof FatalError)) return error;
    this.tellPlace(error);
    if (!this.strand.cancelled && pass.mode === "run" && !pass.dead) pass.run.passFailed(pass, error);
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
    const path = (): string => this.pathOf(name);
    if (!this.open)
      throw this.noteFatal(
        new ContextError(
          "context_ended",
          `"${path()}" was started on a context whose scope has ended. Use the context of the scope that is running.`,
          path(),
        ),
      );
    if (this.current !== undefined)
      throw this.noteFatal(
        new EntryInProgressError(path(), this.current.kind, this.pathOf(this.current.name)),
      );
  }

  /** This scope and those around it, the innermost first. */
  private *around(): Generator<Scope> {
    for (let scope: Scope | undefined = this as Scope; scope !== undefined; scope = scope.parent) yield scope;
  }

  /**
   * True while the code at this point was run by an earlier pass, as far as the history tells: entries are
   * left to visit here or around, or the pass has done nothing new yet.
   */
  get replaying(): boolean {
    return !this.pass.beganNew || [...this.around()].some(({ unvisited }) => unvisited > 0);
  }

  /** A step that can be undone is about to be recorded: the loops around it hear of it. */
  noteUndoable(): void {
    for (const scope of this.around()) scope.onUndoable?.();
  }

  /** For messages. */
  pathOf(name: unknown): string {
    const here = this.place.shown;
    return here === "" ? String(name) : `${here}/${String(name)}`;
  }

  /** The place of that name, marked. */
  private take(name: string, mark: number): Place {
    const place = this.place.child(nameSegment(name));
    if (place.mark === mark || place.mark === -mark) throw new DuplicateEntryError(this.pathOf(name));
    place.mark = mark;
    return place;
  }

  /**
   * The place of an entry of that name, now visited.
   * @param kind what may be recorded there; anything without it.
   * @throws DuplicateEntryError when this pass visited it before.
   * @throws HistoryDivergedError when another kind is recorded there.
   */
  visit<K extends RecordedKind>(name: string, kind?: K): PlaceOf<K> {
    const place = this.take(name, this.pass.id);
    const { data } = place;
    if (data === undefined) return place as PlaceOf<K>;
    this.unvisited--;
    if (kind !== undefined && data.kind !== kind) {
      const path = place.shown;
      throw new HistoryDivergedError(
        `"${path}" was recorded as ${kindName(data.kind)}, but the code now has ${kindName(kind)} of that name. ` +
          `Give the new entry another name, and put ${removal(place, data)} before it.`,
        path,
      );
    }
    return place as PlaceOf<K>;
  }

  /**
   * Takes a name that has no record of its own (a try block, a queue wait). Gives its place.
   * @throws DuplicateEntryError
   */
  reserve(name: string): Place {
    return this.take(name, -this.pass.id);
  }

  /** Whether an earlier run recorded an entry of that name that this pass has not visited. */
  holds(name: string): boolean {
    const place = this.place.find(nameSegment(name));
    return place?.data !== undefined && place.mark !== this.pass.id;
  }

  /**
   * Called before a step runs that history does not hold (design §4.4).
   * @throws HistoryDivergedError
   */
  checkNewStep(place: Place): void {
    this.checkMissed(
      this.pass.run.settings.declaresRemoved,
      (missed, remedy) =>
        `Step "${place.shown}" is new, but ${missed} not been reached in this one. The code has changed under this instance. ` +
        `If the entry is gone, put ${remedy} before the step; if the step was inserted, gate it with ctx.getVersion.`,
      place,
    );
  }

  /**
   * Ends the scope after its body returned: nothing may be in progress, nothing recorded directly in it
   * may have been left out (design §4.5).
   */
  private end(scopeName: () => string): void {
    try {
      if (this.current !== undefined)
        throw new UnawaitedEntryError(this.pathOf(this.current.name), scopeName());
      if (this.pass.mode === "run")
        this.checkMissed(
          undefined,
          (missed, remedy) =>
            `${scopeName()} ended, but ${missed} not been reached in this one. The code has changed under this instance. ` +
            `If the entry is gone, put ${remedy} where it was.`,
        );
    } catch (error) {
      throw this.noteFatal(error);
    }
  }

  /**
   * @param excused whether an entry need not have been visited yet.
   * @param message what to say of an entry that should have been, and of the statement that says it is gone.
   * @throws HistoryDivergedError about `at`; without it about the entry.
   */
  private checkMissed(
    excused: ((path: (string | number)[]) => boolean) | undefined,
    message: (missed: string, remedy: string) => string,
    at?: Place,
  ): void {
    if (this.unvisited === 0) return;
    for (const place of this.place.children) {
      if (place.mark === this.pass.id) continue;
      const { data } = place;
      if (data === undefined || excused?.(place.path.split("/").map(readSegment))) continue;
      const missed = `${kindName(data.kind)} "${place.shown}" was recorded by an earlier run and has`;
      throw new HistoryDivergedError(message(missed, removal(place, data)), (at ?? place).shown);
    }
  }
}

/** Errors whose message has the place already: they pass through every scope around. */
const placed = new WeakSet<FatalError>();

function ignore(): void {
  // the same rejection reaches whoever awaits the entry
}

const kindName = (kind: RecordedKind): string => `a ${kind.replace("_", " ")}`;

/** The statement that tells the engine that an entry is gone. */
function removal({ segment }: Place, { kind }: EntryData): string {
  const name = String(readSegment(segment));
  const wait = /^(.*):(count|deadline|\d+)$/.exec(name);
  const [was, of]: [string | undefined, EntryKind | "branch"] =
    wait !== null && (kind === "message" || kind === "sleep") ? [wait[1], "message"] : [name, kind];
  return `\`await ctx.removed(${JSON.stringify(was)}, "${of}")\``;
}
