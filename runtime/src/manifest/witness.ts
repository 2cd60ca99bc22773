import { explore } from "./explore.js";
import type { Finding, ScopeStep } from "./findings.js";
import type { Problem } from "./problem.js";
import { scopesOf, isScopeNode } from "./scope-nodes.js";
import type { Witness, WitnessCall, WitnessDecision } from "./diff-types.js";
import type { Block, WorkflowManifest } from "./format.js";
import type { HistoryEntry, HistoryScope } from "./history.js";
import { keysOf, keyText } from "./names.js";
import { runOld, type OldRun } from "./old-run.js";
import { describe, quote } from "./phrases.js";
import { recordedText, refusalText } from "./refusal-text.js";
import type { Asked } from "./replay-result.js";
import type { RecordedItem } from "./recorded.js";
import { answerText } from "./sites.js";
import { stepsWhenFresh } from "./steps-in.js";
import type { EntryNode } from "./walk.js";

/** The history of a finding, as data, with the call at which the new code is refused. */
export function witnessOf(finding: Finding, before: WorkflowManifest): Witness {
  const { problem } = finding;
  const history = new HistoryOfFinding(finding, before);
  const entries = history.entries(finding.path);
  return {
    history: { entries },
    call: callOf(finding),
    error: errorText(problem, finding),
    diverges: problem.why !== "silent-rerun" && problem.why !== "abandoned" && problem.why !== "too-large",
    reruns: problem.why === "silent-rerun" ? problem.steps : [],
    assumptions: [...new Set([...history.assumptions, ...assumptionsOf(finding)])],
    decisions: [...decisionsOf(finding), ...history.decisions],
    because: finding.because,
  };
}

/** The names of the scope in which a finding was made, from the root. */
export function scopePath(path: readonly ScopeStep[]): string[] {
  return path.flatMap((step) => [
    keyText(step.run.items[step.at]?.key ?? ""),
    ...(step.scope === "" ? [] : [step.scope]),
  ]);
}

/** Runs of a scope that are looked at for one that comes to its end. */
const MOST_RUNS = 64;

class HistoryOfFinding {
  /** Of the scopes that are filled in. */
  readonly assumptions: string[] = [];
  readonly decisions: WitnessDecision[] = [];

  constructor(
    private readonly finding: Finding,
    private readonly before: WorkflowManifest,
  ) {}

  entries(path: readonly ScopeStep[], scope: readonly string[] = []): HistoryEntry[] {
    const [step, ...rest] = path;
    if (step === undefined) return this.recorded(this.finding.run, this.finding.upTo, scope);
    const name = step.node.kind === "loop" ? "0" : step.scope;
    const inner: HistoryScope = { name, entries: this.entries(rest, [...scope, ...scopePath([step])]) };
    const state = step.upTo > step.at ? "completed" : "in progress";
    return this.recorded(step.run, step.upTo, scope, step.at).map((entry, at) =>
      at === step.at ? { ...entry, state, scopes: [inner] } : entry,
    );
  }

  /**
   * The first items of a run as entries; the last one is where the instance stands. The content of the
   * item at `open` is the caller's.
   */
  private recorded(run: OldRun, upTo: number, scope: readonly string[], open = -1): HistoryEntry[] {
    return run.items.slice(0, upTo + 1).map((item, index) => {
      const waits = index === upTo && (item.kind === "sleep" || isScopeNode(item.node));
      const content = index === open ? {} : this.content(item, waits, [...scope, keyText(item.key)]);
      return { ...this.entry(item, waits), ...content };
    });
  }

  private entry(item: RecordedItem, waits: boolean): HistoryEntry {
    return {
      name: keyText(item.key),
      kind: item.kind,
      state: waits ? "in progress" : "completed",
      ...(item.version === null ? {} : { version: item.version }),
      ...(item.branches === null ? {} : { branches: item.branches }),
    };
  }

  /** What a scope holds that the new code may look for in vain: try blocks, and scopes in progress. */
  private content(item: RecordedItem, waits: boolean, path: readonly string[]): { scopes?: HistoryScope[] } {
    const { node } = item;
    if (!isScopeNode(node) || (node.kind !== "try" && !waits)) return {};
    const scopes = scopesOf(node).map((scope) => ({
      name: node.kind === "loop" ? "0" : scope.name,
      entries: this.filled(scope.body, scope.name === "" ? path : [...path, scope.name], waits),
    }));
    return { scopes };
  }

  private holdsStep(node: EntryNode, names: readonly string[]): boolean {
    return stepsWhenFresh(node, this.before.functions).some((step) =>
      keysOf(step.node.name).some((key) => names.includes(keyText(key))),
    );
  }

  private runs(block: Block, latest: boolean, enough: (run: OldRun) => boolean): readonly OldRun[] {
    return explore(
      MOST_RUNS,
      (choose) =>
        runOld({
          block,
          functions: this.before.functions,
          limits: { turns: 1, calls: 1 },
          gates: new Map(),
          retired: () => latest,
          idOf: () => null,
          choose,
        }),
      enough,
    ).results;
  }

  /**
   * What a scope recorded in a run that came to its end, one that ran a step of which the finding tells if
   * there is one. `open`: it is still in progress.
   */
  private filled(block: Block, scope: readonly string[], open: boolean): HistoryEntry[] {
    const { problem } = this.finding;
    const told = problem.why === "silent-rerun" ? problem.steps : [];
    const tells = (run: OldRun): boolean =>
      told.length === 0 || run.items.some(({ node }) => node !== null && this.holdsStep(node, told));
    const ends = (run: OldRun): boolean => run.end !== "halt" && run.items.length > 0;
    // The latest versions of gates, or older ones where the block does not end with the latest.
    const runs = [true, false].flatMap((latest) =>
      this.runs(block, latest, (run) => ends(run) && tells(run)),
    );
    // A scope that is still open need not have come to its end.
    const run =
      runs.find((one) => ends(one) && tells(one)) ??
      runs.find(open ? tells : ends) ??
      runs.find(open ? ends : tells) ??
      runs.at(-1);
    if (run === undefined) return [];
    for (const { text, answer } of run.assumed) {
      this.assumptions.push(answerText(text, answer));
      this.decisions.push({ scope, text, answer });
    }
    return this.recorded(run, run.items.length - 1, scope);
  }
}

function callOf(finding: Finding): WitnessCall | null {
  const { problem } = finding;
  const scope = scopePath(finding.path);
  if (problem.why === "scope-end") return { path: scope, what: "end" };
  if (problem.at === null) return null;
  return { path: [...scope, keyText(problem.at.key)], what: problem.at.node.kind };
}

function assumptionsOf(finding: Finding): string[] {
  const texts: string[] = [];
  const add = (run: OldRun, upTo: number): void => {
    for (const { text, answer, after } of run.assumed) {
      if (after <= upTo + 1) texts.push(answerText(text, answer));
    }
  };
  for (const step of finding.path) add(step.run, step.upTo - 1);
  add(finding.run, finding.upTo - 1);
  for (const { text, answer, known } of [...finding.path.flatMap((step) => step.asked), ...finding.asked])
    texts.push(`${known ? "" : "in the new code: "}${answerText(text, answer)}`);
  return texts;
}

/**
 * What the guards of the scopes on the way have to answer, in the order in which the new code asks; behind
 * them what only the old code asked there, for code that was moved.
 */
function decisionsOf(finding: Finding): WitnessDecision[] {
  const found: WitnessDecision[] = [];
  const add = (scope: readonly string[], run: OldRun, upTo: number, asked: readonly Asked[]): void => {
    for (const { text, answer } of asked) found.push({ scope, text, answer });
    const known = new Set(asked.map((one) => one.text));
    for (const { text, answer, after } of run.assumed)
      if (after <= upTo + 1 && !known.has(text)) found.push({ scope, text, answer });
  };
  finding.path.forEach((step, index) => {
    add(scopePath(finding.path.slice(0, index)), step.run, step.upTo - 1, step.asked);
  });
  add(scopePath(finding.path), finding.run, finding.upTo - 1, finding.asked);
  return found;
}

/** What the runtime says, or what happens without a word. */
function errorText(problem: Problem, finding: Finding): string {
  const recorded = finding.run.items[problem.unvisited];
  switch (problem.why) {
    case "silent-rerun":
      return `no error: ${problem.steps.map(quote).join(", ")} of ${recordedText(recorded)} silently runs again ${problem.at.node.kind === "step" ? "outside of it" : `in ${describe(problem.at.node)}`}`;
    case "abandoned":
      return `no error: what ${recordedText(recorded)} has recorded is never looked at again`;
    case "too-large":
      return "not known: there are more combinations of guards than are tried";
    default:
      return refusalText(problem, recorded);
  }
}
