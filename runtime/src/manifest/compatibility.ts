import { explore } from "./explore.js";
import type { Block, StepNode, WorkflowManifest } from "./format.js";
import { matchGuards, type GuardMatching } from "./guard-matching.js";
import { patternText } from "./names.js";
import { questionAsked, runOld, type Gates, type OldRun } from "./old-run.js";
import type { RecordedItem } from "./recorded.js";
import {
  declaredRemoved,
  replayScope,
  type Asked,
  type ReplayInput,
  type Refusal,
  type ReplayResult,
} from "./replay.js";
import type { ReplayFlags } from "./replay-flags.js";
import { nameCounts, shared } from "./sharing.js";
import { canPass } from "./passable.js";
import { problemOf, type Problem } from "./problem.js";
import { isScopeNode, scopesOf, type ScopeNode } from "./scope-nodes.js";
import { stepsByKey } from "./steps-in.js";
import type { WalkLimits } from "./walk.js";

/*
 * Does the new code accept every history that the old code can have recorded?
 *
 * Scope by scope, since the contract looks at direct children only: every run of the old code of a
 * scope (answers to its guards, versions of its gates) × every point at which it can crash × every run
 * of the new code that the recorded data leaves open. Guards with equal text get equal answers in both.
 * A scope in a scope is looked at when some run of the new code comes to it.
 */

/** A history that the new code refuses, or takes without looking at what it had done. */
export interface Finding {
  readonly path: readonly ScopeStep[];
  readonly problem: Problem;
  /** False: it depends on data that the manifests do not show; `because` says on what. */
  readonly sure: boolean;
  readonly because: string | null;
  readonly run: OldRun;
  /** Index of the last item that the history holds. */
  readonly upTo: number;
  /** Guards of the new code, with the answers that lead here. */
  readonly asked: readonly Asked[];
  readonly size: number;
  /** True when the code is refused before it comes here: this shows when that is mended. */
  readonly behind: boolean;
}

/** The way from the root: the entry that opens the scope, with what its own scope had recorded then. */
export interface ScopeStep {
  readonly run: OldRun;
  readonly at: number;
  /** Index of the last item of its own scope that was recorded: `at`, or later for a try block. */
  readonly upTo: number;
  readonly node: ScopeNode;
  /** Branch name for joins and races, else "". */
  readonly scope: string;
  /** Guards of the new code, with the answers that lead into the scope. */
  readonly asked: readonly Asked[];
}

export interface Effort {
  /** Runs of old or new code; more than `limits.runs` per scope are not tried. */
  runs: number;
  /** Scopes that were too large. */
  tooLarge: number;
}

export interface CompatibilityLimits extends WalkLimits {
  /** Runs of old and new code per pair of scopes. */
  readonly runs: number;
}

export const DEFAULT_LIMITS: CompatibilityLimits = { turns: 2, calls: 2, runs: 3000 };

/** Ways behind a refusal that are looked at. */
const MOST_BEHIND = 8;

/** Both versions of a scope, as they are run. */
interface Code {
  /** The steps that the old code has under a key. */
  readonly stepsBefore: (key: string) => readonly StepNode[];
  readonly old: Block;
  readonly block: Block;
  readonly guards: GuardMatching;
  /** How often each name is written in the new code of the scope. */
  readonly names: ReadonlyMap<string, number>;
  /** Tells the scope from others: names and branches from the root. */
  readonly where: string;
}

/** A node of the new code that comes to a recorded scope. */
interface ScopeVisit {
  readonly node: ScopeNode;
  readonly gates: Gates;
  readonly asked: readonly Asked[];
}

interface Pair {
  readonly old: Block;
  readonly new: Block;
  readonly oldGates: Gates;
  readonly newGates: Gates;
  readonly path: readonly ScopeStep[];
  readonly sure: boolean;
  readonly root: boolean;
  /** Only histories in which the scope has come to its end: more was recorded after it. */
  readonly complete: boolean;
  /** The code is refused before it comes to the scope. */
  readonly behind: boolean;
}

/** Every kind of refusal that a history of `before` can meet in `after`, each with its smallest history. */
export function incompatibilities(
  before: WorkflowManifest,
  after: WorkflowManifest,
  flags: ReplayFlags,
  limits: CompatibilityLimits = DEFAULT_LIMITS,
): { readonly findings: readonly Finding[]; readonly effort: Effort } {
  const check = new Check(before, after, flags, limits);
  check.pair({
    old: before.body,
    new: after.body,
    oldGates: new Map(),
    newGates: new Map(),
    path: [],
    sure: true,
    root: true,
    complete: false,
    behind: false,
  });
  return { findings: [...check.findings.values()], effort: check.effort };
}

class Check {
  readonly findings = new Map<string, Finding>();
  readonly effort: Effort = { runs: 0, tooLarge: 0 };
  private readonly seen = new Map<Block, Map<Block, Set<string>>>();

  constructor(
    private readonly before: WorkflowManifest,
    private readonly after: WorkflowManifest,
    private readonly flags: ReplayFlags,
    private readonly limits: CompatibilityLimits,
  ) {}

  pair(pair: Pair): void {
    if (this.isKnown(pair) || isUnchanged(pair)) return;
    const slim = shared(pair.old, pair.new, this.after.functions);
    const guards = matchGuards(slim.old, slim.new);
    const code: Code = {
      old: slim.old,
      block: slim.new,
      guards,
      stepsBefore: stepsByKey(slim.old),
      names: nameCounts(pair.new, new Map()),
      where: whereOf(pair),
    };
    const retired = retiredGates(pair.new);
    let left = this.limits.runs;
    const old = explore(this.limits.runs, (choose) => {
      const run = runOld({
        block: slim.old,
        functions: this.before.functions,
        limits: this.limits,
        gates: pair.oldGates,
        retired: (key) => retired.has(key),
        idOf: guards.idOf,
        choose,
      });
      const { spent, refused } = this.replayAll(pair, code, run, left);
      left -= spent;
      if (refused && left > 0) left -= this.lookBehind(pair, code, run);
      return null;
    });
    this.effort.runs += this.limits.runs - left;
    if (!old.complete || left <= 0) this.reportTooLarge(pair);
  }

  /** Replays the new code on every history of one old run; gives the number of runs that took, and if one was refused. */
  private replayAll(
    pair: Pair,
    code: Code,
    run: OldRun,
    budget: number,
  ): { readonly spent: number; readonly refused: boolean } {
    const index = positionsIn(run);
    const declared = declaredRemoved(code.block);
    let spent = 1;
    let refused = false;
    if (pair.complete && run.end === "halt") return { spent, refused };
    let upTo = pair.complete ? run.items.length - 1 : run.first;
    while (upTo < run.items.length) {
      if (spent > budget) return { spent, refused };
      const limit = Math.max(1, budget - spent);
      const replay = this.explored(pair, code, run, { upTo, lastDone: false }, index, declared, limit);
      spent += replay.results.length;
      if (!replay.complete) return { spent: budget + 1, refused };
      refused ||= replay.results.some((result) => result.refusal !== null);
      const next = Math.min(...replay.results.map((result) => result.validBefore));
      this.judge(pair, code, run, upTo, replay.results);
      if (this.stopsAt(run.items[upTo], upTo, replay.results)) {
        const done = this.explored(pair, code, run, { upTo, lastDone: true }, index, declared, limit);
        spent += done.results.length;
        this.judge(pair, code, run, upTo, done.results);
      }
      this.descend(pair, run, upTo, Math.min(next, run.items.length), replay.results);
      upTo = next;
      while (upTo < run.items.length && run.items[upTo]?.crash === false) upTo++;
    }
    return { spent, refused };
  }

  /**
   * What the new code would be refused for as well if the first refusal were mended, on the longest history of a
   * run, so that one diff tells all that there is to mend. Gives the number of runs that took.
   */
  private lookBehind(pair: Pair, code: Code, run: OldRun): number {
    const upTo = run.items.length - 1;
    if (upTo < 0 || !this.oldAccepts(pair, code, run, upTo)) return 1;
    const index = positionsIn(run);
    const isGone = (at: number): boolean => !code.names.has(patternText(run.items[at]?.node?.name ?? []));
    const { results, complete } = this.explored(
      pair,
      code,
      run,
      { upTo, lastDone: false },
      index,
      declaredRemoved(code.block),
      MOST_BEHIND,
      isGone,
    );
    const same = (refusal: Refusal): string =>
      JSON.stringify([refusal.why, refusal.unvisited, refusal.at?.key ?? null]);
    const tell = (where: Pair, refusals: (result: ReplayResult) => readonly Refusal[]): void => {
      const keys = results.map((result) => new Set(refusals(result).map(same)));
      for (const result of results)
        for (const refusal of refusals(result)) {
          const always = complete && keys.every((one) => one.has(same(refusal)));
          this.report(where, code, run, upTo, result, refusal, always);
        }
    };
    tell(pair, (result) => result.also);
    tell({ ...pair, behind: true }, (result) => result.later);
    const behind = results.map((result) => ({
      ...result,
      visitedBy: new Map([...result.visitedBy].filter(([, visit]) => visit.behind)),
    }));
    this.descend({ ...pair, behind: true }, run, 0, run.items.length, behind);
    return results.length;
  }

  /** The new code never gets past the last entry, but the old code may have completed it. */
  private stopsAt(item: RecordedItem | undefined, at: number, results: readonly ReplayResult[]): boolean {
    if (item === undefined || item.node === null || item.kind === "try") return false;
    if (!isScopeNode(item.node) || !canPass(item.node, this.before.functions)) return false;
    return results.some((result) => {
      const visit = result.visitedBy.get(at);
      return visit !== undefined && !canPass(visit.node, this.after.functions);
    });
  }

  private explored(
    pair: Pair,
    code: Code,
    run: OldRun,
    { upTo, lastDone }: { readonly upTo: number; readonly lastDone: boolean },
    index: ReadonlyMap<string, number>,
    declared: ReadonlySet<string>,
    limit: number,
    mended?: (at: number) => boolean,
  ): ReturnType<typeof explore<ReplayResult>> {
    const input: Omit<ReplayInput, "choose"> = {
      block: code.block,
      functions: this.after.functions,
      limits: this.limits,
      flags: this.flags,
      endValidated: !pair.root || this.flags.rootValidated,
      items: run.items,
      upTo,
      completed: (at) => at < upTo || lastDone,
      gates: pair.newGates,
      locate: (name) => {
        const at = index.get(name.key);
        return at === undefined ? [] : [at];
      },
      answer: (question, occurrence, gates) => {
        const asked = questionAsked(question, gates);
        if (asked === null) return null;
        const ids = question.node === null ? [] : code.guards.candidates(question.node);
        for (const id of [...ids, question.key]) {
          const known = run.answers.get(`${id}#${occurrence}`);
          if (known?.asked === asked && known.answer < question.options) return known.answer;
        }
        return null;
      },
      declared,
      ...(mended && { mended }),
    };
    return explore(limit, (choose) => replayScope({ ...input, choose }));
  }

  private judge(pair: Pair, code: Code, run: OldRun, upTo: number, results: readonly ReplayResult[]): void {
    const problems = results.map((result) =>
      problemOf(result, run, {
        before: this.before,
        after: this.after,
        stepsBefore: code.stepsBefore,
      }),
    );
    const found = results.flatMap((result, at) =>
      this.withOthersGone(code, run, result, problems[at] ?? null).map((problem) => ({ result, problem })),
    );
    const size = sizeOf(pair, upTo);
    if (found.every(({ problem }) => this.isSettled(keyOf(code, run, problem), size))) return;
    if (!this.oldAccepts(pair, code, run, upTo)) return;
    // A way that hangs on names that could be equal may be no refusal.
    const always = results.every((result, at) => problems[at] !== null && !result.nameDependent);
    for (const { result, problem } of found) this.report(pair, code, run, upTo, result, problem, always);
  }

  /** A problem, and the same for what the new code does not have at all: that has to be seen to as well. */
  private withOthersGone(
    code: Code,
    run: OldRun,
    result: ReplayResult,
    problem: Problem | null,
  ): readonly Problem[] {
    if (problem === null) return [];
    if (problem.why !== "new-step" && problem.why !== "scope-end") return [problem];
    const others = result.unvisited.filter((index) => {
      const name = run.items[index]?.node?.name;
      if (index === problem.unvisited || name === undefined || run.items[index]?.kind === "try") return false;
      return !code.names.has(patternText(name));
    });
    return [problem, ...others.map((unvisited): Problem => ({ ...problem, unvisited }))];
  }

  /** A history of that size says nothing that is not known. */
  private isSettled(key: string, size: number): boolean {
    const known = this.findings.get(key);
    return known !== undefined && known.sure && !known.behind && known.size <= size;
  }

  private report(
    pair: Pair,
    code: Code,
    run: OldRun,
    upTo: number,
    result: ReplayResult,
    problem: Problem,
    always: boolean,
  ): void {
    const key = keyOf(code, run, problem);
    const size = sizeOf(pair, upTo);
    if (this.isSettled(key, size)) return;
    const because = this.doubt(pair, run, upTo, result, problem, always);
    const finding: Finding = {
      path: pair.path,
      problem,
      sure: because === null,
      because,
      run,
      upTo,
      asked: result.asked,
      size,
      behind: pair.behind,
    };
    const known = this.findings.get(key);
    if (known === undefined || isBetter(finding, known)) this.findings.set(key, finding);
  }

  /** What the refusal depends on, or `null` when it is certain. */
  private doubt(
    pair: Pair,
    run: OldRun,
    upTo: number,
    result: ReplayResult,
    problem: Problem,
    always: boolean,
  ): string | null {
    const pin = [
      ...run.pinned.filter((gate) => gate.at <= upTo),
      ...pair.path.flatMap((step) => step.run.pinned.filter((gate) => gate.at <= step.upTo)),
    ][0];
    if (pin !== undefined) {
      return `only an instance that is still pinned to version ${pin.version} of the gate "${pin.key}"`;
    }
    if (result.nameDependent) return "the names are built from data and could be equal";
    if (problem.why === "abandoned") return "nothing fails, but what was recorded is not used any more";
    if (problem.why === "silent-rerun" && problem.guard !== null) return `it depends on: ${problem.guard}`;
    if (!always) {
      const guard = result.asked.findLast((one) => !one.known);
      return guard === undefined ? "it depends on data" : `it depends on: ${guard.text}`;
    }
    if (pair.sure) return null;
    const guard = pair.path.flatMap((step) => step.asked).findLast((one) => !one.known);
    return guard === undefined
      ? "it depends on the way the code takes to this place"
      : `it depends on: ${guard.text}`;
  }

  /** Unchanged code must not be blamed for what it does by itself under the engine's own rules. */
  private oldAccepts(pair: Pair, code: Code, run: OldRun, upTo: number): boolean {
    const index = positionsIn(run);
    const { results } = explore(8, (choose) =>
      replayScope({
        block: code.old,
        functions: this.before.functions,
        limits: this.limits,
        flags: this.flags,
        endValidated: !pair.root || this.flags.rootValidated,
        items: run.items,
        upTo,
        completed: (at) => at < upTo,
        gates: pair.oldGates,
        locate: (name) => {
          const at = index.get(name.key);
          return at === undefined ? [] : [at];
        },
        answer: (question, occurrence) => {
          const id = (question.node === null ? null : code.guards.idOf(question.node)) ?? question.key;
          return run.answers.get(`${id}#${occurrence}`)?.answer ?? null;
        },
        declared: declaredRemoved(pair.old),
        choose,
      }),
    );
    return results.some((result) => result.refusal === null);
  }

  /** Looks into the scopes that both versions open, for histories that end at `from` … `to - 1`. */
  private descend(pair: Pair, run: OldRun, from: number, to: number, results: readonly ReplayResult[]): void {
    const lowest = Math.max(from, 0);
    for (let at = 0; at < to; at++) {
      const item = run.items[at];
      if (item === undefined || !isScopeNode(item.node)) continue;
      const visits = this.visitsOf(at, item, results);
      // A way that is refused before it comes here proves a refusal as well.
      const only =
        new Set(visits.map((visit) => visit.node)).size === 1 &&
        results.every((result) => result.visitedBy.has(at) || result.refusal !== null);
      for (const visit of visits) {
        const now = { ...visit, only };
        // The history ends in the scope.
        if (at >= lowest) this.pairScopes(pair, run, { at, upTo: at }, item.node, now);
        // A try block is entered again on every replay, also when more was recorded after it.
        const later = Math.max(lowest, at + 1);
        if (item.kind === "try" && later < to)
          this.pairScopes(pair, run, { at, upTo: later }, item.node, now);
      }
    }
  }

  /** Nodes of the new code that came to the item, with what they knew of the gates. */
  private visitsOf(at: number, item: RecordedItem, results: readonly ReplayResult[]): ScopeVisit[] {
    const visits = new Map<string, ScopeVisit>();
    const nodes: ScopeNode[] = [];
    for (const result of results) {
      const visit = result.visitedBy.get(at);
      if (visit === undefined || visit.node.kind !== item.kind || !isScopeNode(visit.node)) continue;
      if (!nodes.includes(visit.node)) nodes.push(visit.node);
      const key = JSON.stringify([nodes.indexOf(visit.node), [...visit.gates]]);
      if (!visits.has(key))
        visits.set(key, {
          node: visit.node,
          gates: visit.gates,
          asked: result.asked.slice(0, visit.asked),
        });
    }
    return [...visits.values()];
  }

  private pairScopes(
    pair: Pair,
    run: OldRun,
    where: { readonly at: number; readonly upTo: number },
    old: ScopeNode,
    now: ScopeVisit & { readonly only: boolean },
  ): void {
    for (const scope of scopesOf(old)) {
      const twin = scopesOf(now.node).find((candidate) => candidate.name === scope.name);
      if (twin === undefined) continue;
      this.pair({
        old: scope.body,
        new: twin.body,
        oldGates: run.gatesAt(where.at),
        newGates: now.gates,
        path: [...pair.path, { run, ...where, node: old, scope: scope.name, asked: now.asked }],
        sure: pair.sure && now.only,
        root: false,
        complete: where.upTo > where.at,
        behind: pair.behind,
      });
    }
  }

  private isKnown(pair: Pair): boolean {
    const gates = JSON.stringify([
      [...pair.oldGates],
      [...pair.newGates],
      pair.sure,
      pair.complete,
      pair.behind,
    ]);
    const byNew = this.seen.get(pair.old) ?? new Map<Block, Set<string>>();
    this.seen.set(pair.old, byNew);
    const known = byNew.get(pair.new) ?? new Set<string>();
    byNew.set(pair.new, known);
    if (known.has(gates)) return true;
    known.add(gates);
    return false;
  }

  private reportTooLarge(pair: Pair): void {
    this.effort.tooLarge += 1;
    const key = JSON.stringify([whereOf(pair), "too-large"]);
    const run: OldRun = {
      items: [],
      answers: new Map(),
      assumed: [],
      gatesAt: () => new Map(),
      end: "halt",
      first: 0,
      pinned: [],
    };
    this.findings.set(key, {
      path: pair.path,
      problem: { why: "too-large", unvisited: -1, at: null },
      sure: false,
      because: `more than ${this.limits.runs} combinations of guards; not all were tried`,
      run,
      upTo: -1,
      asked: [],
      size: 0,
      behind: pair.behind,
    });
  }
}

const texts = new WeakMap<Block, string>();

function textOf(block: Block): string {
  let text = texts.get(block);
  if (text === undefined) texts.set(block, (text = JSON.stringify(block)));
  return text;
}

/** The same code under the same gates accepts what it has recorded. */
function isUnchanged(pair: Pair): boolean {
  return (
    textOf(pair.old) === textOf(pair.new) &&
    JSON.stringify([...pair.oldGates]) === JSON.stringify([...pair.newGates])
  );
}

/** Where each key was recorded first. */
function positionsIn(run: OldRun): ReadonlyMap<string, number> {
  const index = new Map<string, number>();
  run.items.forEach((item, at) => {
    if (!index.has(item.key)) index.set(item.key, at);
  });
  return index;
}

const whereOf = ({ path }: Pair): string =>
  JSON.stringify(path.map((step) => [step.run.items[step.at]?.key, step.scope]));

/** Findings with equal keys tell of the same. */
const keyOf = ({ where }: Code, run: OldRun, problem: Problem): string =>
  JSON.stringify([where, problem.why, run.items[problem.unvisited]?.key ?? "", problem.at?.key ?? ""]);

/** Entries that the history holds, those on the way to the scope included. */
const sizeOf = ({ path }: Pair, upTo: number): number =>
  path.reduce((sum, step) => sum + step.upTo + 1, upTo + 1);

function isBetter(finding: Finding, known: Finding): boolean {
  if (finding.behind !== known.behind) return known.behind;
  if (finding.sure !== known.sure) return finding.sure;
  return finding.size < known.size;
}

function retiredGates(block: Block): Set<string> {
  const keys = new Set<string>();
  const collect = (nodes: Block): void => {
    for (const node of nodes) {
      if (node.kind === "removed" && node.was === "version_check") keys.add(patternText(node.name));
      else if (node.kind === "choice") node.arms.forEach(collect);
      else if (node.kind === "repeat" || node.kind === "inline") collect(node.body);
    }
  };
  collect(block);
  return keys;
}
