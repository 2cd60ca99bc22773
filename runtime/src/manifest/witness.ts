import { explore } from "./explore.js";
import { scopesOf, isScopeNode, type Finding, type Problem, type ScopeStep } from "./compatibility.js";
import type { Witness, WitnessCall } from "./diff-types.js";
import type { Block, WorkflowManifest } from "./format.js";
import type { HistoryEntry, HistoryScope } from "./history.js";
import { keyText } from "./names.js";
import { runOld, type OldRun } from "./old-run.js";
import { describe, quote } from "./phrases.js";
import { recordedText, refusalText } from "./refusal-text.js";
import type { RecordedItem } from "./recorded.js";
import { armText } from "./sites.js";

/** The history of a finding, as data, with the call at which the new code is refused. */
export function witnessOf(finding: Finding, before: WorkflowManifest): Witness {
  const { problem, path } = finding;
  return {
    history: { entries: entriesOn([...path], finding, before) },
    call: callOf(finding),
    error: errorText(problem, finding),
    diverges: problem.why !== "silent-rerun" && problem.why !== "abandoned" && problem.why !== "too-large",
    assumptions: assumptionsOf(finding),
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

function entriesOn(path: readonly ScopeStep[], finding: Finding, before: WorkflowManifest): HistoryEntry[] {
  const [step, ...rest] = path;
  if (step === undefined) return recordedEntries(finding.run, finding.upTo, before);
  const inner: HistoryScope = {
    name: step.node.kind === "loop" ? "0" : step.scope,
    entries: entriesOn(rest, finding, before),
  };
  const entries = recordedEntries(step.run, step.at, before);
  const opener = entries.pop();
  return opener === undefined ? [] : [...entries, { ...opener, state: "in progress", scopes: [inner] }];
}

/** The first items of a run as entries; the last one is where the instance stands. */
function recordedEntries(run: OldRun, upTo: number, before: WorkflowManifest): HistoryEntry[] {
  return run.items.slice(0, upTo + 1).map((item, index) => entryOf(item, index === upTo, before));
}

function entryOf(item: RecordedItem, last: boolean, before: WorkflowManifest): HistoryEntry {
  const waits = last && (item.kind === "sleep" || isScopeNode(item.node));
  return {
    name: keyText(item.key),
    kind: item.kind,
    state: waits ? "in progress" : "completed",
    ...(item.version === null ? {} : { version: item.version }),
    ...(item.branches === null ? {} : { branches: item.branches }),
    ...contentOf(item, waits, before),
  };
}

/** What a scope holds that the new code may look for in vain: try blocks, and scopes in progress. */
function contentOf(
  item: RecordedItem,
  waits: boolean,
  before: WorkflowManifest,
): { scopes?: HistoryScope[] } {
  const { node } = item;
  if (!isScopeNode(node) || (node.kind !== "try" && !waits)) return {};
  const scopes = scopesOf(node).map((scope) => ({
    name: node.kind === "loop" ? "0" : scope.name,
    entries: firstRun(scope.body, before),
  }));
  return { scopes };
}

function firstRun(block: Block, before: WorkflowManifest): HistoryEntry[] {
  const [run] = explore(1, (choose) =>
    runOld({
      block,
      functions: before.functions,
      limits: { turns: 1, calls: 1 },
      gates: new Map(),
      retired: () => true,
      idOf: () => null,
      choose,
    }),
  ).results;
  return run === undefined ? [] : recordedEntries(run, run.items.length - 1, before);
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
      if (after <= upTo + 1) texts.push(`before: ${armText(text, answer, 2)}`);
    }
  };
  for (const step of finding.path) add(step.run, step.at - 1);
  add(finding.run, finding.upTo - 1);
  for (const { text, answer } of finding.free) texts.push(`now: ${armText(text, answer, 2)}`);
  return [...new Set(texts)];
}

/** What the runtime says, or what happens without a word. */
function errorText(problem: Problem, finding: Finding): string {
  const recorded = finding.run.items[problem.unvisited];
  switch (problem.why) {
    case "silent-rerun":
      return `no error: ${problem.steps.map(quote).join(", ")} of ${recordedText(recorded)} silently runs again in ${describe(problem.at.node)}`;
    case "abandoned":
      return `no error: what ${recordedText(recorded)} has recorded is never looked at again`;
    case "too-large":
      return "not known: there are more combinations of guards than are tried";
    default:
      return refusalText(problem, recorded);
  }
}
