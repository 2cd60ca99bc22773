import type { Block, EntryKind, MessageNode, RemovedNode, VersionCheckNode } from "./format.js";
import type { Choose } from "./explore.js";
import type { GuardNode } from "./guard-matching.js";
import { gateKey, keysOf, mayBeSame, patternText, withoutTurns, type InstanceName } from "./names.js";
import { timeoutQuestion, type Gates } from "./old-run.js";
import { branchKeys, DEADLINE_KIND, isGeneratedBy, messageEntries, type RecordedItem } from "./recorded.js";
import type { ReplayFlags } from "./replay-flags.js";
import { canPass, canPassAgain } from "./passable.js";
import { walkScope, type EntryNode, type Question, type ScopeEnd, type WalkLimits } from "./walk.js";

/*
 * The replay contract (design §4), for one scope:
 * 1. An entry found under its key with another kind diverges (§4.3).
 * 2. Before a new step runs, every recorded entry of the scope has been visited (§4.4).
 * 3. When the scope ends, every recorded entry of the scope has been visited (§4.5).
 * 4. `removed` visits the old entry, its generated ones included (§4.6).
 * 5. A gate: the recorded version, else 1 while entries are unvisited, else `latest` (§4.7).
 * 6. A changed branch set on a recorded join or race diverges (§4.8).
 * Of the recorded entries those at `items[0..upTo]` are in the history.
 */

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

export interface FreshEntry extends VisitedEntry {
  /** The gates known when the code came to it. */
  readonly gates: Gates;
}

/** How the code came to a recorded entry. */
export interface Visit {
  readonly node: EntryNode;
  /** The gates known then. */
  readonly gates: Gates;
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

export interface ReplayInput {
  readonly block: Block;
  readonly functions: Readonly<Record<string, Block>>;
  readonly limits: WalkLimits;
  readonly flags: ReplayFlags;
  /** Whether the end of this scope is validated (the root's is not under every engine). */
  readonly endValidated: boolean;
  readonly items: readonly RecordedItem[];
  /** Index of the last item that the history holds; -1 for an empty history. */
  readonly upTo: number;
  /** Whether the entry at an index that the history holds is completed. */
  readonly completed: (index: number) => boolean;
  readonly gates: Gates;
  /** Positions at which a name may be recorded; empty = surely not. */
  readonly locate: (name: InstanceName, taken: (index: number) => boolean) => readonly number[];
  /** The answer that the recorded data gives; `null` = any. */
  readonly answer: (question: Question, occurrence: number, gates: Gates) => number | null;
  readonly choose: Choose;
  /** The answers of an open question in the order in which they are to be tried; default: as they come. */
  readonly prefer?: (question: Question, taken: (index: number) => boolean) => readonly number[];
  /** A name that may be one of several recorded ones is the first of them. */
  readonly greedy?: boolean;
  /** Keys that this scope declares removed anywhere in its code (for `lateRemovedAccepted`). */
  readonly declared: ReadonlySet<string>;
  /**
   * Goes on behind a refusal, as if it had been mended: for entries for which this is true, by declaring them
   * removed. Missing = the first refusal is the end.
   */
  readonly mended?: (index: number) => boolean;
}

export interface ReplayResult {
  readonly refusal: Refusal | null;
  /** With `mended`: the same refusal for the other entries that are gone. */
  readonly also: readonly Refusal[];
  /** With `mended`: those behind it. */
  readonly later: readonly Refusal[];
  /** True when the refusal hangs on names that are built from data and could be equal. */
  readonly nameDependent: boolean;
  readonly end: ScopeEnd;
  /** This result holds for every history up to an index below this one (and from `upTo` on). */
  readonly validBefore: number;
  /** Which node visited the item at an index. */
  readonly visitedBy: ReadonlyMap<number, Visit>;
  /** Entries that the history did not hold, in order. */
  readonly fresh: readonly FreshEntry[];
  /** Held by the history, never visited; try blocks included. */
  readonly unvisited: readonly number[];
  /** In the order in which they were asked. */
  readonly asked: readonly Asked[];
}

/** Replays the code of one scope on what the scope has recorded. */
export function replayScope(input: ReplayInput): ReplayResult {
  const replay = new ScopeReplay(input);
  const end = walkScope(input.block, input.functions, input.limits, replay);
  return replay.finish(end);
}

class ScopeReplay {
  private readonly visited: Uint8Array;
  private readonly visitedBy = new Map<number, Visit>();
  private readonly fresh: FreshEntry[] = [];
  private readonly asked: Asked[] = [];
  private readonly occurrences = new Map<GuardNode | string, number>();
  private gates: Gates;
  private refusal: Refusal | null = null;
  private readonly also: Refusal[] = [];
  private readonly later: Refusal[] = [];
  private nameDependent = false;
  private threshold = Infinity;
  private lowRecord = 0;
  private lowUndeclared = 0;

  constructor(private readonly input: ReplayInput) {
    this.visited = new Uint8Array(input.items.length);
    this.gates = input.gates;
  }

  version(gate: InstanceName): number | null {
    return this.gates.get(gateKey(gate)) ?? null;
  }

  decide(question: Question): number {
    const asker = question.node ?? question.key;
    const seen = this.occurrences.get(asker) ?? 0;
    this.occurrences.set(asker, seen + 1);
    const known = this.input.answer(question, seen, this.gates);
    if (known !== null) {
      this.note(question, known, true);
      return known;
    }
    const pick = this.input.choose(question.options);
    const order = this.input.prefer?.(question, (at) => this.visited[at] === 1);
    const answer = order?.[pick] ?? pick;
    this.note(question, answer, false);
    return answer;
  }

  private note({ text, usual }: Question, answer: number, known: boolean): void {
    if (text !== null && answer !== usual) this.asked.push({ text, answer, known });
  }

  visit(node: EntryNode, name: InstanceName): "on" | "halt" | "endless" {
    switch (node.kind) {
      case "message":
        this.visitMessage(node, name);
        break;
      case "removed":
        this.visitRemoved(node, name);
        break;
      case "version_check":
        this.visitVersion(node, name);
        break;
      case "step": {
        const index = this.visitOne(node, name, "step");
        if (index > this.input.upTo) this.startNewStep(node, name, index);
        break;
      }
      case "join":
      case "race": {
        const index = this.visitOne(node, name, node.kind);
        this.compareBranches(node, name, index);
        break;
      }
      default:
        this.visitOne(node, name, node.kind);
    }
    if (this.refusal !== null && this.input.mended === undefined) return "halt";
    return this.getsPast(node, name) ? "on" : "endless";
  }

  /** A completed loop, join or race gives its recorded result, whatever its code is now. */
  private getsPast(node: EntryNode, name: InstanceName): boolean {
    if (canPass(node, this.input.functions)) return true;
    const index = this.input.items.findIndex((item) => item.key === name.key);
    if (index < 0) return false;
    this.notice(index);
    this.notice(index + 1);
    if (node.kind === "try") {
      // More was recorded behind it, so the old code had come to its end.
      const old = this.input.items[index]?.node ?? null;
      const twin = old?.kind === "try" ? old : null;
      return index < this.input.upTo && canPassAgain(node, twin, this.input.functions);
    }
    return index <= this.input.upTo && this.input.completed(index);
  }

  finish(end: ScopeEnd): ReplayResult {
    const refused = this.refusal !== null && this.input.mended === undefined;
    if (!refused && (end === "end" || end === "break")) this.validateEnd();
    // A result without refusal is judged by what it left unvisited, which grows with the history.
    this.notice(this.firstUnvisited(0, () => false));
    const { upTo, items } = this.input;
    const unvisited: number[] = [];
    for (let index = 0; index <= upTo && index < items.length; index++) {
      if (this.visited[index] === 0) unvisited.push(index);
    }
    return {
      refusal: this.refusal,
      also: this.also,
      later: this.later,
      nameDependent: this.nameDependent,
      end: refused ? "halt" : end,
      validBefore: this.threshold,
      visitedBy: this.visitedBy,
      fresh: this.fresh,
      unvisited,
      asked: this.asked,
    };
  }

  /** Results change when the history reaches `index`. */
  private notice(index: number): void {
    if (index > this.input.upTo && index < this.threshold) this.threshold = index;
  }

  /**
   * Marks the entry of that name as visited and gives its index; one past `upTo` (`Infinity` when it is
   * recorded nowhere) means that the history does not hold it.
   */
  private visitOne(node: EntryNode, name: InstanceName, kind: EntryKind | "try"): number {
    const index = this.find(name);
    const item = this.input.items[index];
    const differs = item !== undefined && item.kind !== kind;
    if (differs && (item.kind === "try" || kind === "try")) {
      // A try block has no record: its name and that of an entry do not meet.
      this.notice(index);
      this.fresh.push({ key: name.key, node, gates: this.gates });
      return Infinity;
    }
    if (differs) this.notice(index);
    // An entry past `upTo` is marked all the same: in longer histories it counts as visited from here.
    if (item !== undefined) this.mark(index, node);
    if (index > this.input.upTo) this.fresh.push({ key: name.key, node, gates: this.gates });
    else if (differs) this.refuse({ why: "kind", unvisited: index, at: { key: name.key, node } }, false);
    return index;
  }

  private find(name: InstanceName): number {
    const places = this.input.locate(name, (index) => this.visited[index] === 1);
    const first = places[0] ?? Infinity;
    if (places.length === 0) return Infinity;
    if (places.length === 1 && this.input.items[first]?.key === name.key) return first;
    if (this.input.greedy === true) return first;
    return places[this.input.choose(places.length + 1)] ?? Infinity;
  }

  private mark(index: number, node: EntryNode): void {
    this.visited[index] = 1;
    if (!this.visitedBy.has(index))
      this.visitedBy.set(index, {
        node,
        gates: this.gates,
        asked: this.asked.length,
        behind: this.refusal !== null,
      });
  }

  private startNewStep(node: EntryNode, name: InstanceName, own: number): void {
    const { flags, upTo, declared, items } = this.input;
    if (!flags.newStepNeedsVisitedSiblings) return;
    const late = flags.lateRemovedAccepted;
    const lowest = (): number =>
      (this.lowUndeclared = this.firstUnvisited(
        this.lowUndeclared,
        (item) => item.kind === "try" || (late && this.isDeclared(item, declared)),
      ));
    const low = lowest();
    if (low > upTo) {
      if (low < own) this.notice(low);
      return;
    }
    this.notice(own);
    this.refuseUnvisited(low, lowest, (unvisited) => {
      const maybe = mayBeSame(name.key, items[unvisited]?.key ?? "");
      this.refuse({ why: "new-step", unvisited, at: { key: name.key, node } }, maybe);
    });
  }

  /** Refuses because of an unvisited entry, and if that is mended because of the next one. */
  private refuseUnvisited(low: number, lowest: () => number, refuse: (unvisited: number) => void): void {
    refuse(low);
    const next = lowest();
    if (next !== low && next <= this.input.upTo) refuse(next);
  }

  private isDeclared(item: RecordedItem, declared: ReadonlySet<string>): boolean {
    const key = withoutTurns(item.key);
    if (declared.has(key)) return true;
    const wait = key.slice(0, Math.max(0, key.lastIndexOf(":")));
    return wait !== "" && declared.has(wait) && isGeneratedBy(key, wait);
  }

  private visitMessage(node: MessageNode, name: InstanceName): void {
    const own = messageEntries(name);
    this.visitOne(node, own.count, "message");
    const deadline =
      node.timeout === "yes" || (node.timeout === "maybe" && this.decide(timeoutQuestion(node, name)) === 0);
    if (deadline) this.visitOne(node, own.deadline, DEADLINE_KIND);
    for (let index = 0; index <= this.input.items.length; index++) {
      const message = own.message(index);
      if (this.input.locate(message, (at) => this.visited[at] === 1).length === 0) break;
      this.visitOne(node, message, "message");
    }
  }

  private visitRemoved(node: RemovedNode, name: InstanceName): void {
    const { items, upTo } = this.input;
    if (node.was === "message") {
      for (let index = 0; index < items.length; index++) {
        const key = items[index]?.key ?? "";
        if (this.visited[index] === 0 && isGeneratedBy(key, name.key)) this.mark(index, node);
      }
    }
    const index = this.find(name);
    const item = items[index];
    if (item === undefined) return;
    this.mark(index, node);
    if (item.kind === node.was || item.kind === "removed") return;
    this.notice(index);
    if (index <= upTo) this.refuse({ why: "kind", unvisited: index, at: { key: name.key, node } }, false);
  }

  private visitVersion(node: VersionCheckNode, name: InstanceName): void {
    const index = this.visitOne(node, name, "version_check");
    const known = index <= this.input.upTo;
    if (!known) this.notice(index);
    const recorded = known ? (this.input.items[index]?.version ?? null) : null;
    this.gates = new Map(this.gates).set(gateKey(name), recorded ?? this.resolve(node.latest ?? 2));
  }

  private resolve(latest: number): number {
    const { flags, items, upTo } = this.input;
    if (flags.gateCountsFinishedScopes) {
      const finished = items.findIndex((item) => isScopeKind(item.kind));
      if (finished >= 0) this.notice(finished);
      if (finished >= 0 && finished <= upTo) return 1;
    }
    const low = this.firstUnvisitedRecord();
    if (low <= upTo) return 1;
    this.notice(low);
    return latest;
  }

  private compareBranches(
    node: Extract<EntryNode, { kind: "join" | "race" }>,
    name: InstanceName,
    index: number,
  ): void {
    const item = this.input.items[index];
    if (!this.input.flags.branchSetChecked || item === undefined) return;
    const refuse = (added: readonly string[], removed: readonly string[], maybe: boolean): void => {
      this.notice(index);
      if (index > this.input.upTo) return;
      this.refuse({ why: "branches", unvisited: index, at: { key: name.key, node }, added, removed }, maybe);
    };
    const now = branchKeys(node);
    const then = item.branches;
    if (now !== null && then !== null) {
      const added = now.filter((branch) => !then.includes(branch));
      const removed = then.filter((branch) => !now.includes(branch));
      if (added.length === 0 && removed.length === 0) {
        if (item.node !== null && !builtAlike(item.node, node)) refuse([], [], true);
        return;
      }
      refuse(
        added,
        removed,
        [...now, ...then].some((branch) => branch.includes("${")),
      );
      return;
    }
    // A set that is built from data: refused only when the code that builds it is another.
    if (item.node !== null && !(sameNames(item.node, node) && builtAlike(item.node, node)))
      refuse([], [], true);
  }

  private validateEnd(): void {
    const { flags, endValidated, upTo } = this.input;
    if (!endValidated) return;
    const lowest = (): number =>
      flags.scopeEnd === "subtree" ? this.firstUnvisited(0, () => false) : this.firstUnvisitedRecord();
    const low = lowest();
    if (low > upTo) this.notice(low);
    else
      this.refuseUnvisited(low, lowest, (unvisited) => {
        this.refuse({ why: "scope-end", unvisited, at: null }, false);
      });
  }

  private refuse(refusal: Refusal, maybe: boolean): void {
    if (this.refusal !== null) this.later.push(refusal);
    if (refusal.why === "new-step" || refusal.why === "scope-end") this.mend(refusal);
    if (this.refusal !== null) return;
    this.refusal = refusal;
    const key = this.input.items[refusal.unvisited]?.key ?? "";
    const unvisited = refusal.why === "new-step" || refusal.why === "scope-end";
    this.nameDependent =
      maybe || (unvisited && this.fresh.some((entry) => entry.key !== key && mayBeSame(entry.key, key)));
  }

  /** Takes what is to be declared removed for visited; each is refused by itself. */
  private mend(refusal: Extract<Refusal, { why: "new-step" | "scope-end" }>): void {
    const { mended, upTo } = this.input;
    if (mended === undefined) return;
    for (let index = 0; index <= upTo; index++) {
      if (this.visited[index] !== 0 || !mended(index)) continue;
      this.visited[index] = 1;
      if (index === refusal.unvisited) continue;
      (this.refusal === null ? this.also : this.later).push({ ...refusal, unvisited: index });
    }
  }

  /** The first item that has a record and is unvisited; `Infinity` when there is none. */
  private firstUnvisitedRecord(): number {
    this.lowRecord = this.firstUnvisited(this.lowRecord, (item) => item.kind === "try");
    return this.lowRecord;
  }

  private firstUnvisited(from: number, skip: (item: RecordedItem) => boolean): number {
    const { items } = this.input;
    for (let index = from; index < items.length; index++) {
      const item = items[index];
      if (this.visited[index] === 0 && item !== undefined && !skip(item)) return index;
    }
    return Infinity;
  }
}

function isScopeKind(kind: RecordedItem["kind"]): boolean {
  return kind === "loop" || kind === "join" || kind === "race";
}

function sameNames(then: EntryNode | null, now: EntryNode): boolean {
  const names = (node: EntryNode | null): string =>
    node !== null && (node.kind === "join" || node.kind === "race")
      ? JSON.stringify([node.open, node.branches.map((branch) => patternText(branch.name))])
      : "";
  return names(then) === names(now);
}

/** True when both build the names of their branches in the same way. */
function builtAlike(then: EntryNode, now: EntryNode): boolean {
  if ((then.kind !== "join" && then.kind !== "race") || (now.kind !== "join" && now.kind !== "race"))
    return true;
  if (then.reads === undefined && now.reads === undefined) return true;
  const ways = now.reads?.ways ?? [];
  return ways.length > 0 && JSON.stringify(ways) === JSON.stringify(then.reads?.ways);
}

/** Keys that the code of a scope declares removed, in any arm and any turn. */
export function declaredRemoved(block: Block): Set<string> {
  const keys = new Set<string>();
  const collect = (nodes: Block): void => {
    for (const node of nodes) {
      if (node.kind === "removed") for (const key of keysOf(node.name)) keys.add(withoutTurns(key));
      else if (node.kind === "choice") node.arms.forEach(collect);
      else if (node.kind === "repeat" || node.kind === "inline") collect(node.body);
    }
  };
  collect(block);
  return keys;
}
