import { scopesOf, isScopeNode } from "./scope-nodes.js";
import { explore } from "./explore.js";
import type { Block, WorkflowManifest } from "./format.js";
import type { History, HistoryEntry } from "./history.js";
import { instanceName, matchesPattern, type InstanceName } from "./names.js";
import type { Gates } from "./old-run.js";
import { refusalText } from "./refusal-text.js";
import { isGeneratedBy, type RecordedItem } from "./recorded.js";
import { declaredRemoved } from "./removals.js";
import { replayScope } from "./replay.js";
import type { ReplayResult } from "./replay-result.js";
import type { ReplayFlags } from "./replay-flags.js";
import { canPass } from "./passable.js";
import type { EntryNode, Question } from "./walk.js";

/** Whether code can go on from a history. */
export type Acceptance =
  | {
      readonly accepted: true;
      /** False when there were more ways through the code than were tried. */
      readonly proven: boolean;
    }
  | {
      readonly accepted: false;
      /** The entry at which the code is refused, on the way that gets furthest; the scope when its end is. */
      readonly path: readonly string[];
      /** What the engine says there. */
      readonly error: string;
    };

interface ScopeAttempt {
  readonly entries: readonly HistoryEntry[];
  readonly items: readonly RecordedItem[];
  readonly block: Block;
  readonly gates: Gates;
  readonly path: readonly string[];
  readonly root: boolean;
}

/** Ways through the code of one scope that are tried. */
const MOST_WAYS = 2000;

/**
 * Does the code that `workflow` describes go on from this history? Guards on recorded data may turn out
 * either way, so a history is refused only when every way through the code is (contract §4).
 */
export function accepts(history: History, workflow: WorkflowManifest, flags: ReplayFlags): Acceptance {
  const checker = new Checker(workflow, flags);
  return checker.scope(history.entries, workflow.body, new Map(), [], true);
}

class Checker {
  constructor(
    private readonly workflow: WorkflowManifest,
    private readonly flags: ReplayFlags,
  ) {}

  scope(
    entries: readonly HistoryEntry[],
    block: Block,
    gates: Gates,
    path: readonly string[],
    root: boolean,
  ): Acceptance {
    const items = entries.map(itemOf);
    const attempt = { entries, items, block, gates, path, root };
    const quick = this.attempt(attempt, true);
    if (quick.accepted) return quick;
    const orphan = items.some((item) => item.kind !== "try" && !holds(block, [item.key]));
    const validated = !root || this.flags.rootValidated;
    if (orphan && validated && alwaysEnds(block, this.workflow.functions)) return quick;
    return this.attempt(attempt, false);
  }

  /** `greedy`: a name with holes is taken for the first recorded one that fits. */
  private attempt(scope: ScopeAttempt, greedy: boolean): Acceptance {
    const { entries, items, block, gates, path, root } = scope;
    const index = new Map(items.map((item, at) => [item.key, at]));
    const declared = declaredRemoved(block);
    const { functions } = this.workflow;
    let furthest: { readonly visits: number; readonly refused: Acceptance } | null = null;
    const ways = explore(
      MOST_WAYS,
      (choose): Acceptance => {
        const result = replayScope(
          {
            block,
            functions,
            limits: { turns: items.length + 1, calls: items.length + 2 },
            flags: this.flags,
            endValidated: !root || this.flags.rootValidated,
            items,
            completed: (at) => entries[at]?.state === "completed",
            gates,
            locate: (name, taken) => locate(name, items, index, taken),
            answer: () => null,
            choose,
            greedy,
            prefer: (question, taken) => likeliestFirst(question, items, taken),
            declared,
          },
          items.length - 1,
        );
        const verdict = this.verdict(result, entries, items, path);
        const visits = result.visits.length;
        if (!verdict.accepted && (furthest === null || visits > furthest.visits)) {
          furthest = { visits, refused: verdict };
        }
        return verdict;
      },
      (verdict) => verdict.accepted,
    );
    const found = ways.results.at(-1);
    if (found?.accepted === true) return found;
    const last = furthest as { readonly refused: Acceptance } | null;
    return ways.complete && last !== null ? last.refused : { accepted: true, proven: false };
  }

  private verdict(
    result: ReplayResult,
    entries: readonly HistoryEntry[],
    items: readonly RecordedItem[],
    path: readonly string[],
  ): Acceptance {
    let proven = true;
    // Inner scopes run before the code comes to the place where the outer one is refused.
    for (const [at, { node, gates }] of result.visits) {
      const inner = this.inner(entries[at], node, gates, path);
      if (!inner.accepted) return inner;
      proven &&= inner.proven;
    }
    const { refusal } = result;
    if (refusal === null) return { accepted: true, proven };
    const call = refusal.at === null ? path : [...path, refusal.at.key];
    return { accepted: false, path: call, error: refusalText(refusal, items[refusal.unvisited]) };
  }

  /** The scopes of an entry that are entered again: those in progress, and try blocks always. */
  private inner(
    entry: HistoryEntry | undefined,
    node: EntryNode,
    gates: Gates,
    path: readonly string[],
  ): Acceptance {
    const accepted: Acceptance = { accepted: true, proven: true };
    if (entry === undefined || !isScopeNode(node) || node.kind !== entry.kind) return accepted;
    if (entry.kind !== "try" && entry.state === "completed") return accepted;
    const scopes =
      entry.kind === "loop"
        ? iterationInHand(entry)
        : (entry.scopes ?? []).filter(({ name }) => entry.ended?.includes(name) !== true);
    let proven = true;
    for (const scope of scopes) {
      const loop = entry.kind === "loop";
      const code = scopesOf(node).find(
        (one) => loop || one.name === scope.name || matchesName(scope.name, node, one.name),
      );
      if (code === undefined) continue;
      const here = [
        ...path,
        entry.name,
        ...(scope.name === "" ? [] : [loop ? `~${scope.name}` : scope.name]),
      ];
      const verdict = this.scope(scope.entries, code.body, gates, here, false);
      if (!verdict.accepted) return verdict;
      proven &&= verdict.proven;
    }
    return { accepted: true, proven };
  }
}

/** A branch of a set that is built from data: its pattern stands for every name that fits. */
function matchesName(name: string, node: EntryNode, text: string): boolean {
  if (node.kind !== "join" && node.kind !== "race") return false;
  if (!node.open) return false;
  return node.branches.some((branch) => matchesPattern(name, branch.name) && text !== "");
}

function iterationInHand(entry: HistoryEntry): NonNullable<HistoryEntry["scopes"]> {
  const scopes = entry.scopes ?? [];
  if (entry.iteration !== undefined) return scopes.filter((scope) => scope.name === String(entry.iteration));
  return [...scopes].sort((one, other) => Number(one.name) - Number(other.name)).slice(-1);
}

function itemOf(entry: HistoryEntry): RecordedItem {
  return {
    key: entry.name,
    kind: entry.kind,
    node: null,
    version: entry.version ?? null,
    branches: entry.branches === undefined ? null : [...entry.branches].sort(),
    crash: true,
  };
}

function locate(
  name: InstanceName,
  items: readonly RecordedItem[],
  index: ReadonlyMap<string, number>,
  taken: (index: number) => boolean,
): readonly number[] {
  if (name.literal) {
    const at = index.get(name.key);
    return at === undefined ? [] : [at];
  }
  const fitting: number[] = [];
  for (let at = 0; at < items.length && fitting.length < MOST_CANDIDATES; at++) {
    if (!taken(at) && matchesPattern(items[at]?.key ?? "", name.pattern)) fitting.push(at);
  }
  return fitting;
}

/** Recorded names that a pattern is tried with. */
const MOST_CANDIDATES = 3;

/** Arms that hold something recorded and not yet visited come first. */
function likeliestFirst(
  question: Question,
  items: readonly RecordedItem[],
  taken: (index: number) => boolean,
): readonly number[] {
  const waiting = items.filter((_item, at) => !taken(at)).map((item) => item.key);
  const scores = question.arms.map((arm) => (holds(arm, waiting) ? 0 : arm.length === 0 ? 1 : 2));
  return question.arms.map((_arm, at) => at).sort((one, other) => (scores[one] ?? 0) - (scores[other] ?? 0));
}

function holds(block: Block, waiting: readonly string[]): boolean {
  return block.some((node) => {
    switch (node.kind) {
      case "choice":
        return node.arms.some((arm) => holds(arm, waiting));
      case "repeat":
      case "inline":
        return holds(node.body, waiting);
      case "exit":
      case "call":
        return false;
      default: {
        const { pattern, key } = instanceName(node.name, []);
        return waiting.some(
          (name) => matchesPattern(name, pattern) || (node.kind === "message" && isGeneratedBy(name, key)),
        );
      }
    }
  });
}

/** False when some way through the block may never come to its end: then it is not validated. */
function alwaysEnds(block: Block, functions: WorkflowManifest["functions"]): boolean {
  return block.every((node) => {
    switch (node.kind) {
      case "repeat":
        return (node.guard.source !== "constant" || node.times !== null) && alwaysEnds(node.body, functions);
      case "choice":
        return node.arms.every((arm) => alwaysEnds(arm, functions));
      case "inline":
        return alwaysEnds(node.body, functions);
      case "exit":
        return node.how !== "throw";
      case "call":
        return false;
      default:
        return canPass(node, functions);
    }
  });
}
