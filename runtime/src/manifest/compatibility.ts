import { explore, type Choose } from "./explore.js";
import { Findings, type Finding } from "./findings.js";
import type { Block, WorkflowManifest } from "./format.js";
import { patternText } from "./names.js";
import { runOld, type Gates, type OldRun } from "./old-run.js";
import { canPass } from "./passable.js";
import { problemOf, type Problem } from "./problem.js";
import { crashAt, type RecordedItem } from "./recorded.js";
import type { ReplayFlags } from "./replay-flags.js";
import type { Asked, Refusal, ReplayResult, Visit } from "./replay-result.js";
import { byHistory, RunReplay, type Deploy, type JudgedHistory } from "./run-replay.js";
import { isScopeNode, scopesOf, type ScopeNode } from "./scope-nodes.js";
import type { SettledArms } from "./settled-choices.js";
import { codeOf, isUnchanged, sizeOf, whereOf, type PairCode, type ScopePair } from "./scope-pair.js";
import type { WalkLimits } from "./walk.js";

/*
 * Does the new code accept every history that the old code can have recorded?
 *
 * Scope by scope, since the contract looks at direct children only: every run of the old code of a
 * scope (answers to its guards, versions of its gates) × every point at which it can crash × every run
 * of the new code that the recorded data leaves open. Guards with equal text get equal answers in both.
 * A scope in a scope is looked at when some run of the new code comes to it.
 */

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

/** A run of the old code of a scope, with what the new code is replayed on it by. */
interface PairRun {
  readonly pair: ScopePair;
  readonly code: PairCode;
  readonly run: OldRun;
  readonly replay: RunReplay;
}

/** A node of the new code that comes to a recorded scope. */
interface ScopeVisit {
  readonly node: ScopeNode;
  readonly gates: Gates;
  readonly asked: readonly Asked[];
}

/** Every kind of refusal that a history of `before` can meet in `after`, each with its smallest history. */
export function incompatibilities(
  before: WorkflowManifest,
  after: WorkflowManifest,
  flags: ReplayFlags,
  limits: CompatibilityLimits = DEFAULT_LIMITS,
): { readonly findings: readonly Finding[]; readonly effort: Effort } {
  const check = new Check({ before, after, flags, limits }, limits.runs);
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
  return { findings: check.findings.all, effort: check.effort };
}

class Check {
  readonly findings = new Findings();
  readonly effort: Effort = { runs: 0, tooLarge: 0 };
  private readonly seen = new Map<Block, Map<Block, Set<string>>>();

  constructor(
    private readonly deploy: Deploy,
    private readonly mostRuns: number,
  ) {}

  pair(pair: ScopePair): void {
    if (this.isKnown(pair) || isUnchanged(pair)) return;
    const { before, after, flags, limits } = this.deploy;
    const code = codeOf(pair, after, flags);
    let left = this.mostRuns;
    const runs =
      (settled: SettledArms) =>
      (choose: Choose): void => {
        const run = runOld({
          settled,
          block: code.old,
          functions: before.functions,
          limits,
          gates: pair.oldGates,
          retired: (key) => code.retired.has(key),
          idOf: code.guards.idOf,
          choose,
        });
        const one = { pair, code, run, replay: new RunReplay(this.deploy, pair, code, run) };
        const { spent, refused } = this.replayAll(one, left);
        left -= spent;
        if (refused && left > 0) left -= this.lookBehind(one);
      };
    const complete = code.settled.every((settled) => explore(this.mostRuns, runs(settled)).complete);
    this.effort.runs += this.mostRuns - left;
    if (!complete || left <= 0) this.reportTooLarge(pair);
  }

  /** Replays the new code on every history of one old run; gives the number of runs that took, and if one was refused. */
  private replayAll(one: PairRun, budget: number): { readonly spent: number; readonly refused: boolean } {
    const { pair, run, replay } = one;
    const { length } = run.items;
    let spent = 1;
    let refused = false;
    if (pair.complete && run.end === "halt") return { spent, refused };
    let from = pair.complete ? length - 1 : run.first;
    // Histories that one walk is to replay; fewer when all together lead more ways than can be tried.
    let together = Infinity;
    while (from < length) {
      if (spent > budget) return { spent, refused };
      const to = Math.min(length, from + together);
      const left = Math.max(1, budget - spent);
      const replays = replay.of({ from, to }, together === 1 ? left : Math.ceil(left / 2));
      spent += replays.walks;
      if (!replays.complete) {
        if (together === 1) return { spent: budget + 1, refused };
        together = 1;
        continue;
      }
      const next = Math.min(to, replays.before);
      for (const history of byHistory(replays.results, next)) {
        refused ||= history.results.some((result) => result.refusal !== null);
        spent += this.judgeHistory(one, history, left);
      }
      from = crashAt(run.items, next);
    }
    return { spent, refused };
  }

  /** Gives the number of further runs that took. */
  private judgeHistory(one: PairRun, { upTo, next, results }: JudgedHistory, limit: number): number {
    const { run, replay } = one;
    let spent = 0;
    this.judge(one, upTo, results);
    if (this.stopsAt(run.items[upTo], upTo, results)) {
      const done = replay.of({ from: upTo, to: upTo + 1 }, limit, { lastDone: true });
      spent += done.walks;
      this.judge(one, upTo, done.results);
    }
    this.descend(one, upTo, next, results);
    return spent;
  }

  /**
   * What the new code would be refused for as well if the first refusal were mended, on the longest history of a
   * run, so that one diff tells all that there is to mend. Gives the number of runs that took.
   */
  private lookBehind(one: PairRun): number {
    const { pair, code, run, replay } = one;
    const upTo = run.items.length - 1;
    if (upTo < 0 || !replay.oldAccepts(upTo)) return 1;
    const isGone = (at: number): boolean => !code.names.has(patternText(run.items[at]?.node?.name ?? []));
    const histories = { from: upTo, to: upTo + 1 };
    const { results, complete, walks } = replay.of(histories, MOST_BEHIND, { mended: isGone });
    const same = (refusal: Refusal): string =>
      JSON.stringify([refusal.why, refusal.unvisited, refusal.at?.key ?? null]);
    const tell = (where: PairRun, refusals: (result: ReplayResult) => readonly Refusal[]): void => {
      const keys = results.map((result) => new Set(refusals(result).map(same)));
      for (const result of results)
        for (const refusal of refusals(result)) {
          const always = complete && keys.every((known) => known.has(same(refusal)));
          this.report(where, upTo, result, refusal, always);
        }
    };
    const behind = { ...one, pair: { ...pair, behind: true } };
    tell(one, (result) => result.also);
    tell(behind, (result) => result.later);
    this.descend(behind, 0, run.items.length, results, (visit) => visit.behind);
    return walks;
  }

  /** The new code never gets past the last entry, but the old code may have completed it. */
  private stopsAt(item: RecordedItem | undefined, at: number, results: readonly ReplayResult[]): boolean {
    if (item === undefined || item.node === null || item.kind === "try") return false;
    if (!isScopeNode(item.node) || !canPass(item.node, this.deploy.before.functions)) return false;
    return results.some((result) => {
      const visit = result.visit(at);
      return visit !== undefined && !canPass(visit.node, this.deploy.after.functions);
    });
  }

  private judge(one: PairRun, upTo: number, results: readonly ReplayResult[]): void {
    const { pair, code, run, replay } = one;
    const { before, after } = this.deploy;
    const versions = { before, after, stepsBefore: code.stepsBefore };
    const problems = results.map((result) => problemOf(result, run, versions));
    const found = results.flatMap((result, at) =>
      withOthersGone(code, run, result, problems[at] ?? null).map((problem) => ({ result, problem })),
    );
    const size = sizeOf(pair, upTo);
    if (found.every(({ problem }) => this.findings.isSettled(keyOf(code, run, problem), size))) return;
    if (!replay.oldAccepts(upTo)) return;
    // A way that hangs on names that could be equal may be no refusal.
    const always = results.every((result, at) => problems[at] !== null && !result.nameDependent);
    for (const { result, problem } of found) this.report(one, upTo, result, problem, always);
  }

  private report(one: PairRun, upTo: number, result: ReplayResult, problem: Problem, always: boolean): void {
    const { pair, code, run } = one;
    const key = keyOf(code, run, problem);
    const size = sizeOf(pair, upTo);
    if (this.findings.isSettled(key, size)) return;
    const because = doubt(one, upTo, result, problem, always);
    this.findings.add(key, {
      path: pair.path,
      problem,
      sure: because === null,
      because,
      run,
      upTo,
      asked: result.asked,
      size,
      behind: pair.behind,
    });
  }

  /**
   * Looks into the scopes that both versions open, for histories that end at `from` … `to - 1`.
   * @param counts visits to look at; default: all.
   */
  private descend(
    one: PairRun,
    from: number,
    to: number,
    results: readonly ReplayResult[],
    counts: (visit: Visit) => boolean = () => true,
  ): void {
    const { run } = one;
    const lowest = Math.max(from, 0);
    for (let at = 0; at < to; at++) {
      const item = run.items[at];
      if (item === undefined || !isScopeNode(item.node)) continue;
      // Its histories end in it, or, for a try block, later.
      if (at < lowest && item.kind !== "try") continue;
      const visitOf = (result: ReplayResult): Visit | null => {
        const visit = result.visit(at);
        return visit !== undefined && counts(visit) ? visit : null;
      };
      const visits = visitsOf(item, results, visitOf);
      // A way that is refused before it comes here proves a refusal as well.
      const only =
        new Set(visits.map((visit) => visit.node)).size === 1 &&
        results.every((result) => visitOf(result) !== null || result.refusal !== null);
      for (const visit of visits) {
        const now = { ...visit, only };
        // The history ends in the scope.
        if (at >= lowest) this.pairScopes(one, { at, upTo: at }, item.node, now);
        // A try block is entered again on every replay, also when more was recorded after it.
        const later = Math.max(lowest, at + 1);
        if (item.kind === "try" && later < to) this.pairScopes(one, { at, upTo: later }, item.node, now);
      }
    }
  }

  private pairScopes(
    { pair, run }: PairRun,
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

  private isKnown(pair: ScopePair): boolean {
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

  private reportTooLarge(pair: ScopePair): void {
    this.effort.tooLarge += 1;
    const run: OldRun = {
      items: [],
      answers: new Map(),
      assumed: [],
      gatesAt: () => new Map(),
      end: "halt",
      first: 0,
      pinned: [],
    };
    this.findings.add(JSON.stringify([whereOf(pair), "too-large"]), {
      path: pair.path,
      problem: { why: "too-large", unvisited: -1, at: null },
      sure: false,
      because: `more than ${this.mostRuns} combinations of guards; not all were tried`,
      run,
      upTo: -1,
      asked: [],
      size: 0,
      behind: pair.behind,
    });
  }
}

/** What the refusal depends on, or `null` when it is certain. */
function doubt(
  { pair, run }: PairRun,
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

/** A problem, and the same for what the new code does not have at all: that has to be seen to as well. */
function withOthersGone(
  code: PairCode,
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

/** Nodes of the new code that came to the item, with what they knew of the gates. */
function visitsOf(
  item: RecordedItem,
  results: readonly ReplayResult[],
  visitOf: (result: ReplayResult) => Visit | null,
): ScopeVisit[] {
  const visits = new Map<string, ScopeVisit>();
  const nodes: ScopeNode[] = [];
  for (const result of results) {
    const visit = visitOf(result);
    if (visit === null || visit.node.kind !== item.kind || !isScopeNode(visit.node)) continue;
    if (!nodes.includes(visit.node)) nodes.push(visit.node);
    const key = JSON.stringify([nodes.indexOf(visit.node), [...visit.gates]]);
    if (!visits.has(key))
      visits.set(key, { node: visit.node, gates: visit.gates, asked: result.asked.slice(0, visit.asked) });
  }
  return [...visits.values()];
}

/** Findings with equal keys tell of the same. */
const keyOf = ({ where }: PairCode, run: OldRun, problem: Problem): string =>
  JSON.stringify([where, problem.why, run.items[problem.unvisited]?.key ?? "", problem.at?.key ?? ""]);
