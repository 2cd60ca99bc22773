import { askable } from "./asked-as.js";
import type { Block, ChoiceNode, RepeatNode } from "./format.js";
import { patternText } from "./names.js";

export type GuardNode = ChoiceNode | RepeatNode;

/**
 * Which guards of the new code can ask what guards of the old code asked: they are computed in the same way (under
 * some versions of the gates), and are told apart by what they decide about. One old guard may have several new ones
 * (a copy in each arm of a gate).
 */
export interface GuardMatching {
  readonly idOf: (old: GuardNode) => number | null;
  /** Ids of old guards, the likeliest first. */
  readonly candidates: (now: GuardNode) => readonly number[];
}

/** Guards that ask the same beyond this number are matched by order alone. */
const MOST_COMPARED = 64;

/** Matches the guards of two versions of one scope. */
export function matchGuards(old: Block, now: Block): GuardMatching {
  const ids = new Map<GuardNode, number>();
  for (const node of guardsIn(old)) if (!ids.has(node)) ids.set(node, ids.size);
  const groups = grouped([...ids.keys()]);
  const candidates = new Map<GuardNode, number[]>();
  for (const [key, news] of grouped(guardsIn(now))) {
    for (const [node, olds] of matchGroup(groups.get(key) ?? [], news)) {
      const known = candidates.get(node) ?? [];
      known.push(...olds.flatMap((one) => ids.get(one) ?? []).filter((id) => !known.includes(id)));
      candidates.set(node, known);
    }
  }
  return { idOf: (node) => ids.get(node) ?? null, candidates: (node) => candidates.get(node) ?? [] };
}

/** By all that they can ask. */
function grouped(nodes: readonly GuardNode[]): Map<string, GuardNode[]> {
  const groups = new Map<string, GuardNode[]>();
  for (const node of nodes) {
    for (const asked of askable(node.guard)) {
      const key = JSON.stringify([node.kind, asked, node.kind === "choice" ? node.arms.length : 0]);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [node]);
      else group.push(node);
    }
  }
  return groups;
}

function matchGroup(
  olds: readonly GuardNode[],
  news: readonly GuardNode[],
): Map<GuardNode, readonly GuardNode[]> {
  const matched = new Map<GuardNode, readonly GuardNode[]>();
  if (olds.length > MOST_COMPARED || news.length > MOST_COMPARED) {
    news.forEach((node, index) => {
      matched.set(node, olds.slice(index, index + 1));
    });
    return matched;
  }
  const [onlyOld] = olds;
  const [onlyNew] = news;
  if (olds.length === 1 && news.length === 1 && onlyOld !== undefined && onlyNew !== undefined) {
    return matched.set(onlyNew, [onlyOld]);
  }
  const claimed = new Set<GuardNode>();
  for (const node of news) {
    const scored = olds
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
  const left = olds.filter((old) => !claimed.has(old));
  for (const node of news.filter((each) => !matched.has(each))) {
    const old = left.shift();
    matched.set(node, old === undefined ? [] : [old]);
  }
  return matched;
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
