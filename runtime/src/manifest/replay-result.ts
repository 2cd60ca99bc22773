import type { HistoryRange } from "./history-ranges.js";
import type { Gates } from "./old-run.js";
import type { EntryNode } from "./walk.js";

/** Why the code is refused on a history. Numbers index the recorded items. */
export type Refusal =
  | { readonly why: "new-step"; readonly unvisited: number; readonly at: VisitedEntry }
  | { readonly why: "scope-end"; readonly unvisited: number; readonly at: null }
  | { readonly why: "kind"; readonly unvisited: number; readonly at: VisitedEntry }
  | {
      readonly why: "branches";
      readonly unvisited: number;
      readonly at: VisitedEntry;
      readonly added: readonly string[];
      readonly removed: readonly string[];
    };

export interface VisitedEntry {
  readonly key: string;
  readonly node: EntryNode;
}

/** An entry that the code came to, with where it is recorded. */
export interface FreshEntry extends VisitedEntry {
  /** `Infinity` = nowhere. */
  readonly index: number;
  /** The gates known when the code came to it. */
  readonly gates: Gates;
}

/** How the code came to a recorded entry. */
export interface Visit {
  readonly node: EntryNode;
  /** The gates known then. */
  readonly gates: Gates;
  /** How many recorded entries were visited before. */
  readonly order: number;
  /** How many of the result's `asked` guards were asked before. */
  readonly asked: number;
  /** True when the code was refused before. */
  readonly behind: boolean;
}

/** A guard of the new code with its answer: the arm, or for a native loop 0 = another turn, 1 = no more. */
export interface Asked {
  readonly text: string;
  readonly answer: number;
  /** True when recorded data decided it; false when it could be answered in any way. */
  readonly known: boolean;
}

/** What a replay sees. It is shared by all its results: the walk goes on for other histories, and the log grows. */
export interface ReplayLog {
  /** By index of the item, in the order of the visits; of items past the end of a history as well. */
  readonly visits: Map<number, Visit>;
  /** Every entry that the code came to and that some history does not hold. */
  readonly fresh: FreshEntry[];
  readonly asked: Asked[];
  /** Items that count as visited because they are to be declared removed. */
  readonly mended: Set<number>;
}

/** How the replay of some histories ended, all in the same way. */
export class ReplayResult {
  private readonly visitCount: number;
  private readonly freshCount: number;
  private readonly askedCount: number;

  constructor(
    private readonly log: ReplayLog,
    readonly histories: HistoryRange,
    /** Questions that were answered by choice before. */
    readonly chosen: number,
    readonly refusal: Refusal | null,
    /** True when the refusal hangs on names that are built from data and could be equal. */
    readonly nameDependent: boolean,
    /** With `mended`: the same refusal for the other entries that are gone. */
    readonly also: readonly Refusal[] = [],
    /** With `mended`: those behind it. */
    readonly later: readonly Refusal[] = [],
  ) {
    this.visitCount = log.visits.size;
    this.freshCount = log.fresh.length;
    this.askedCount = log.asked.length;
  }

  /** Which node visited the item at an index; items past the history's end included. */
  visit(index: number): Visit | undefined {
    const visit = this.log.visits.get(index);
    return visit !== undefined && visit.order < this.visitCount ? visit : undefined;
  }

  get visits(): readonly (readonly [index: number, visit: Visit])[] {
    return [...this.log.visits].slice(0, this.visitCount);
  }

  /** Entries that the (shortest) history did not hold, in order. */
  get fresh(): readonly FreshEntry[] {
    return freshOf(this.log.fresh.slice(0, this.freshCount), this.histories.from);
  }

  /** Held by the (shortest) history, never visited; try blocks included. */
  get unvisited(): readonly number[] {
    const unvisited: number[] = [];
    for (let index = 0; index <= this.histories.from; index++)
      if (this.visit(index) === undefined && !this.log.mended.has(index)) unvisited.push(index);
    return unvisited;
  }

  /** In the order in which they were asked. */
  get asked(): readonly Asked[] {
    return this.log.asked.slice(0, this.askedCount);
  }
}

/** Those that the history up to an index does not hold. */
export function freshOf(entries: readonly FreshEntry[], upTo: number): readonly FreshEntry[] {
  return entries.filter((entry) => entry.index > upTo);
}
