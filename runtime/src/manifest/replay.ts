import { changedBranches } from "./branch-sets.js";
import type { Choose } from "./explore.js";
import type { Block, EntryKind, MessageNode, RemovedNode, VersionCheckNode } from "./format.js";
import type { GuardNode } from "./guard-matching.js";
import { HistoryRanges, type HistoryRange } from "./history-ranges.js";
import { gateKey, mayBeSame, withoutTurns, type InstanceName } from "./names.js";
import { timeoutQuestion, type Gates } from "./old-run.js";
import { canPass, canPassAgain } from "./passable.js";
import { crashAt, DEADLINE_KIND, isGeneratedBy, messageEntries, type RecordedItem } from "./recorded.js";
import type { ReplayFlags } from "./replay-flags.js";
import { freshOf, ReplayResult, type Refusal, type ReplayLog } from "./replay-result.js";
import { walkScope, type EntryNode, type Question, type WalkLimits } from "./walk.js";

/*
 * The replay contract (design §4), for one scope:
 * 1. An entry found under its key with another kind diverges (§4.3).
 * 2. Before a new step runs, every recorded entry of the scope has been visited (§4.4).
 * 3. When the scope ends, every recorded entry of the scope has been visited (§4.5).
 * 4. `removed` visits the old entry, its generated ones included (§4.6).
 * 5. A gate: the recorded version, else 1 while entries are unvisited, else `latest` (§4.7).
 * 6. A changed branch set on a recorded join or race diverges (§4.8).
 *
 * One walk replays the histories of a run that end at any of its items, as long as the code goes the same way on
 * all of them: a refusal takes those out that it concerns. Where the way parts, the walk goes on with the shorter
 * ones, and says from which one on another is needed.
 */

export interface ReplayInput {
  readonly block: Block;
  readonly functions: Readonly<Record<string, Block>>;
  readonly limits: WalkLimits;
  readonly flags: ReplayFlags;
  /** Whether the end of this scope is validated (the root's is not under every engine). */
  readonly endValidated: boolean;
  readonly items: readonly RecordedItem[];
  /** The histories to replay: they hold `items` up to an index that is one of these. */
  readonly histories: HistoryRange;
  /** Whether the entry at an index is completed in the history that ends at `upTo`. */
  readonly completed: (index: number, upTo: number) => boolean;
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
   * removed. Missing = the first refusal is the end. For one history only.
   */
  readonly mended?: (index: number) => boolean;
}

/** The ways in which the replay of the histories ended. */
export interface Replays {
  readonly results: readonly ReplayResult[];
  /** From this history on another walk is needed; `Infinity` = from none. */
  readonly before: number;
}

/** Replays the code of one scope on what the scope has recorded. */
export function replayHistories(input: ReplayInput): Replays {
  const replay = new ScopeReplay(input);
  const end = walkScope(input.block, input.functions, input.limits, replay);
  return replay.finish(end === "end" || end === "break");
}

/** The replay of one history, which holds the items up to an index; -1 for an empty one. */
export function replayScope(input: Omit<ReplayInput, "histories">, upTo: number): ReplayResult {
  const [result] = replayHistories({ ...input, histories: { from: upTo, to: upTo + 1 } }).results;
  if (result === undefined) throw new Error("A replay has no result.");
  return result;
}

class ScopeReplay {
  private readonly visited: Uint8Array;
  private readonly log: ReplayLog = { visits: new Map(), fresh: [], asked: [], mended: new Set() };
  private readonly occurrences = new Map<GuardNode | string, number>();
  private readonly results: ReplayResult[] = [];
  /** The histories that the walk is on. */
  private readonly histories: HistoryRanges;
  private before = Infinity;
  private gates: Gates;
  private chosen = 0;
  private lowRecord = 0;
  private lowUndeclared = 0;
  /** With `mended`: the first refusal, those that go with it and those behind it. */
  private refusal: Refusal | null = null;
  private nameDependent = false;
  private readonly also: Refusal[] = [];
  private readonly later: Refusal[] = [];

  constructor(private readonly input: ReplayInput) {
    this.visited = new Uint8Array(input.items.length);
    this.histories = new HistoryRanges(input.histories);
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
    const pick = this.choose(question.options);
    const order = this.input.prefer?.(question, (at) => this.visited[at] === 1);
    const answer = order?.[pick] ?? pick;
    this.note(question, answer, false);
    return answer;
  }

  private choose(options: number): number {
    this.chosen += 1;
    return this.input.choose(options);
  }

  private note({ text, usual }: Question, answer: number, known: boolean): void {
    if (text !== null && answer !== usual) this.log.asked.push({ text, answer, known });
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
      case "step":
        this.startNewStep(node, name, this.visitOne(node, name, "step"));
        break;
      case "join":
      case "race":
        this.compareBranches(node, name, this.visitOne(node, name, node.kind));
        break;
      default:
        this.visitOne(node, name, node.kind);
    }
    if (this.histories.isEmpty) return "halt";
    return this.getsPast(node, name) ? "on" : "endless";
  }

  /** A completed loop, join or race gives its recorded result, whatever its code is now. */
  private getsPast(node: EntryNode, name: InstanceName): boolean {
    if (canPass(node, this.input.functions)) return true;
    const index = this.input.items.findIndex((item) => item.key === name.key);
    if (index < 0) return false;
    this.partAt(index);
    this.partAt(index + 1);
    const upTo = this.histories.first;
    if (node.kind === "try") {
      // More was recorded behind it, so the old code had come to its end.
      const old = this.input.items[index]?.node ?? null;
      const twin = old?.kind === "try" ? old : null;
      return index < upTo && canPassAgain(node, twin, this.input.functions);
    }
    return index <= upTo && this.input.completed(index, upTo);
  }

  /** The results; `ended`: the walk came to the end of the scope. */
  finish(ended: boolean): Replays {
    if (ended && !this.histories.isEmpty) this.validateEnd();
    for (const { from, to } of this.histories.take(-1, Infinity)) {
      // A history without refusal is judged by what it left unvisited, which grows with it.
      const starts = [from];
      for (let index = from + 1; index < to; index++) if (this.visited[index] === 0) starts.push(index);
      starts.forEach((start, at) => {
        this.tell({ from: start, to: starts[at + 1] ?? to }, this.refusal, this.nameDependent);
      });
    }
    return { results: this.results, before: this.before };
  }

  private tell({ from, to }: HistoryRange, refusal: Refusal | null, nameDependent: boolean): void {
    const { log, chosen, also, later, input } = this;
    const histories = { from: from === input.histories.from ? from : crashAt(input.items, from), to };
    if (histories.from >= to) return;
    this.results.push(new ReplayResult(log, histories, chosen, refusal, nameDependent, also, later));
  }

  /** Histories that hold the item at `index` go another way from here: left to another walk. */
  private partAt(index: number): void {
    if (index <= this.histories.first) return;
    const [left] = this.histories.take(index, Infinity);
    if (left !== undefined) this.before = Math.min(this.before, left.from);
  }

  /**
   * Marks the entry of that name as visited and gives its index (`Infinity` when it is recorded nowhere):
   * histories that end before it do not hold it.
   */
  private visitOne(node: EntryNode, name: InstanceName, kind: EntryKind | "try"): number {
    const index = this.find(name);
    const item = this.input.items[index];
    const differs = item !== undefined && item.kind !== kind;
    if (differs && (item.kind === "try" || kind === "try")) {
      // A try block has no record: its name and that of an entry do not meet.
      this.log.fresh.push({ key: name.key, node, index: Infinity, gates: this.gates });
      return Infinity;
    }
    // In histories that hold it later it counts as visited from here.
    if (item !== undefined) this.mark(index, node);
    if (index > this.histories.first) this.log.fresh.push({ key: name.key, node, index, gates: this.gates });
    if (differs)
      this.refuse(index, Infinity, { why: "kind", unvisited: index, at: { key: name.key, node } }, false);
    return index;
  }

  private find(name: InstanceName): number {
    const places = this.input.locate(name, (index) => this.visited[index] === 1);
    const first = places[0] ?? Infinity;
    if (places.length === 0) return Infinity;
    if (places.length === 1 && this.input.items[first]?.key === name.key) return first;
    if (this.input.greedy === true) return first;
    return places[this.choose(places.length + 1)] ?? Infinity;
  }

  private mark(index: number, node: EntryNode): void {
    this.visited[index] = 1;
    const { visits, asked } = this.log;
    if (visits.has(index)) return;
    const behind = this.refusal !== null;
    visits.set(index, { node, gates: this.gates, order: visits.size, asked: asked.length, behind });
  }

  private startNewStep(node: EntryNode, name: InstanceName, own: number): void {
    const { flags, declared, items } = this.input;
    if (!flags.newStepNeedsVisitedSiblings || own <= this.histories.first) return;
    const late = flags.lateRemovedAccepted;
    const lowest = (): number =>
      (this.lowUndeclared = this.firstUnvisited(
        this.lowUndeclared,
        (item) => item.kind === "try" || (late && this.isDeclared(item, declared)),
      ));
    this.refuseUnvisited(own, lowest, (unvisited) => ({
      refusal: { why: "new-step", unvisited, at: { key: name.key, node } },
      maybe: mayBeSame(name.key, items[unvisited]?.key ?? ""),
    }));
  }

  /**
   * Refuses the histories that end before `to` because of an unvisited entry, and if that is mended because of
   * the next one.
   */
  private refuseUnvisited(
    to: number,
    lowest: () => number,
    why: (unvisited: number) => { readonly refusal: Refusal; readonly maybe: boolean },
  ): void {
    const refuse = (low: number): void => {
      const { refusal, maybe } = why(low);
      this.refuse(low, to, refusal, maybe);
    };
    const low = lowest();
    if (low >= to || low >= this.input.histories.to) return;
    refuse(low);
    if (this.input.mended === undefined) return;
    const next = lowest();
    if (next !== low && next < this.input.histories.to) refuse(next);
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
    const { items } = this.input;
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
    this.refuse(index, Infinity, { why: "kind", unvisited: index, at: { key: name.key, node } }, false);
  }

  private visitVersion(node: VersionCheckNode, name: InstanceName): void {
    const index = this.visitOne(node, name, "version_check");
    this.partAt(index);
    const recorded = index <= this.histories.first ? (this.input.items[index]?.version ?? null) : null;
    this.gates = new Map(this.gates).set(gateKey(name), recorded ?? this.resolve(node.latest ?? 2));
  }

  private resolve(latest: number): number {
    const { flags, items } = this.input;
    if (flags.gateCountsFinishedScopes) {
      const finished = items.findIndex((item) => isScopeKind(item.kind));
      if (finished >= 0) this.partAt(finished);
      if (finished >= 0 && finished <= this.histories.first) return 1;
    }
    const low = this.firstUnvisitedRecord();
    this.partAt(low);
    return low <= this.histories.first ? 1 : latest;
  }

  private compareBranches(
    node: Extract<EntryNode, { kind: "join" | "race" }>,
    name: InstanceName,
    index: number,
  ): void {
    const item = this.input.items[index];
    if (!this.input.flags.branchSetChecked || item === undefined) return;
    const change = changedBranches(item, node);
    if (change === null) return;
    const { added, removed, maybe } = change;
    const at = { key: name.key, node };
    this.refuse(index, Infinity, { why: "branches", unvisited: index, at, added, removed }, maybe);
  }

  private validateEnd(): void {
    const { flags, endValidated } = this.input;
    if (!endValidated) return;
    const lowest = (): number =>
      flags.scopeEnd === "subtree" ? this.firstUnvisited(0, () => false) : this.firstUnvisitedRecord();
    this.refuseUnvisited(Infinity, lowest, (unvisited) => ({
      refusal: { why: "scope-end", unvisited, at: null },
      maybe: false,
    }));
  }

  /** Refuses the histories that end at `from` ≤ index < `to`, of those that the walk is on. */
  private refuse(from: number, to: number, refusal: Refusal, maybe: boolean): void {
    const { mended, histories } = this.input;
    if (mended !== undefined) {
      if (histories.from >= from && histories.from < to) this.mend(refusal, maybe, mended);
      return;
    }
    for (const range of this.histories.take(from, to))
      this.tell(range, refusal, this.hangsOnNames(refusal, maybe, range.from));
  }

  /** True when the history ends at `upTo` and what it is refused for could have one of the names that follow. */
  private hangsOnNames(refusal: Refusal, maybe: boolean, upTo: number): boolean {
    if (maybe) return true;
    if (refusal.why !== "new-step" && refusal.why !== "scope-end") return false;
    const key = this.input.items[refusal.unvisited]?.key ?? "";
    return freshOf(this.log.fresh, upTo).some((entry) => entry.key !== key && mayBeSame(entry.key, key));
  }

  /** Notes the refusal and goes on: what is to be declared removed counts as visited; each is refused by itself. */
  private mend(refusal: Refusal, maybe: boolean, mended: (index: number) => boolean): void {
    const first = this.refusal === null;
    if (!first) this.later.push(refusal);
    if (refusal.why === "new-step" || refusal.why === "scope-end") {
      for (let index = 0; index < this.input.histories.to; index++) {
        if (this.visited[index] !== 0 || !mended(index)) continue;
        this.visited[index] = 1;
        this.log.mended.add(index);
        if (index !== refusal.unvisited)
          (first ? this.also : this.later).push({ ...refusal, unvisited: index });
      }
    }
    if (!first) return;
    this.refusal = refusal;
    this.nameDependent = this.hangsOnNames(refusal, maybe, this.input.histories.from);
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
