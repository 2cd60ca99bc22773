import type { Block, ChoiceNode, RepeatNode } from "./format.js";
import { patternText } from "./names.js";

export type GuardNode = ChoiceNode | RepeatNode;

/**
 * Which guards of the new code ask what guards of the old code asked: equal texts, told apart by what
 * they decide about. One old guard may have several new ones (a copy in each arm of a gate).
 */
export interface GuardMatching {
  readonly idOf: (old: GuardNode) => number | null;
  /** Ids of old guards, the likeliest first. */
  readonly candidates: (now: GuardNode) => readonly number[];
}

/** Guards of one text beyond this number are matched by order alone. */
const MOST_COMPARED = 64;

/** Matches the guards of two versions of one scope. */
export function matchGuards(old: Block, now: Block): GuardMatching {
  const ids = new Map<GuardNode, number>();
  const groups = new Map<string, GuardNode[]>();
  for (const node of guardsIn(old)) {
    if (ids.has(node)) continue;
    ids.set(node, ids.size);
    const key = groupKey(node);
    groups.set(key, [...(groups.get(key) ?? []), node]);
  }
  const candidates = new Map<GuardNode, readonly number[]>();
  const newGroups = new Map<string, GuardNode[]>();
  for (const node of guardsIn(now)) {
    const key = groupKey(node);
    newGroups.set(key, [...(newGroups.get(key) ?? []), node]);
  }
  for (const [key, news] of newGroups) {
    for (const [node, olds] of matchGroup(groups.get(key) ?? [], news)) {
      candidates.set(
        node,
        olds.flatMap((one) => ids.get(one) ?? []),
      );
    }
  }
  return { idOf: (node) => ids.get(node) ?? null, candidates: (node) => candidates.get(node) ?? [] };
}

function groupKey(node: GuardNode): string {
  return JSON.stringify([node.kind, node.guard.text, node.kind === "choice" ? node.arms.length : 0]);
}

function matchGroup(
  olds: readonly GuardNode[],
  news: readonly GuardNode[],
): Map<GuardNode, readonly GuardNode[]> {
  const matched = new Map<GuardNode, readonly GuardNode[]>();
  if (olds.length > MOST_COMPARED || news.length > MOST_COMPARED) {
    news.forEach((node, index) => {
      matched.set(
        node,
        olds.slice(index, index + 1).filter((old) => readTheSame(old, node)),
      );
    });
    return matched;
  }
  const [onlyOld] = olds;
  const [onlyNew] = news;
  if (olds.length === 1 && news.length === 1 && onlyOld !== undefined && onlyNew !== undefined) {
    return matched.set(onlyNew, readTheSame(onlyOld, onlyNew) ? [onlyOld] : []);
  }
  const claimed = new Set<GuardNode>();
  for (const node of news) {
    const scored = olds
      .filter((old) => readTheSame(old, node))
      .map((old) => ({ old, score: likeness(old, node) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    if (scored.length === 0) continue;
    matched.set(
      node,
      scored.map(({ old }) => old),
    );
    const [best] = scored;
    if (best !== undefined) claimed.add(best.old);
  }
  const left = new Set(olds.filter((old) => !claimed.has(old)));
  for (const node of news.filter((each) => !matched.has(each))) {
    const old = [...left].find((each) => readTheSame(each, node));
    matched.set(node, old === undefined ? [] : [old]);
    if (old !== undefined) left.delete(old);
  }
  return matched;
}

/**
 * True when two conditions of one text can be the same question: they read results of the same entries. One may
 * read further ones, in another arm of a gate: `v < 2 ? await step("old") : await step("new")`.
 */
function readTheSame({ guard: old }: GuardNode, { guard: now }: GuardNode): boolean {
  const [before, after] = [old.asks ?? [], now.asks ?? []];
  return before.every((one) => after.includes(one)) || after.every((one) => before.includes(one));
}

/** 0 = nothing in common; 2 = the same. */
function likeness(old: GuardNode, now: GuardNode): number {
  if (JSON.stringify(blocksOf(old)) === JSON.stringify(blocksOf(now))) return 2;
  const names = new Set(blocksOf(old).flatMap(namesIn));
  const others = new Set(blocksOf(now).flatMap(namesIn));
  const common = [...names].filter((name) => others.has(name)).length;
  return common === 0 ? 0 : common / (names.size + others.size - common);
}

function blocksOf(node: GuardNode): readonly Block[] {
  return node.kind === "choice" ? node.arms : [node.body];
}

function namesIn(block: Block): string[] {
  return block.flatMap((node): string[] => {
    switch (node.kind) {
      case "choice":
        return node.arms.flatMap(namesIn);
      case "repeat":
      case "inline":
        return namesIn(node.body);
      case "exit":
      case "call":
        return [];
      default:
        return [patternText(node.name)];
    }
  });
}

function guardsIn(block: Block): GuardNode[] {
  return block.flatMap((node): GuardNode[] => {
    if (node.kind === "choice") return [node, ...node.arms.flatMap(guardsIn)];
    if (node.kind === "repeat") return [node, ...guardsIn(node.body)];
    return node.kind === "inline" ? guardsIn(node.body) : [];
  });
}
