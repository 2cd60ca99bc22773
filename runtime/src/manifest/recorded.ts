import type { EntryKind, MessageNode, NamePattern } from "./format.js";
import { literalName, patternText, type InstanceName } from "./names.js";
import type { EntryNode } from "./walk.js";

/** One entry that a scope directly holds, in order of recording. */
export interface RecordedItem {
  readonly key: string;
  /** `try` = a try block that holds something; it has no record of its own. */
  readonly kind: EntryKind | "try";
  /** The node that recorded it; `null` in a concrete history. */
  readonly node: EntryNode | null;
  /** `version_check` only. */
  readonly version: number | null;
  /** `join` and `race`: sorted branch names; `null` = not known. */
  readonly branches: readonly string[] | null;
  /** True when a crash right after it can be: it ends a transaction. */
  readonly crash: boolean;
}

/** The first history from one on (by the index of its last item) at which a crash can be. */
export function crashAt(items: readonly RecordedItem[], from: number): number {
  let upTo = from;
  while (items[upTo]?.crash === false) upTo++;
  return upTo;
}

/** The kinds under which a node looks for its own entry. */
export function recordedKind(node: EntryNode): EntryKind | "try" {
  return node.kind;
}

/**
 * The entries that a queue wait owns (contract §4.2), in order of recording: its deadline as soon as it
 * waits, the messages and their count in one transaction.
 */
export function messageEntries(name: InstanceName): {
  readonly deadline: InstanceName;
  readonly count: InstanceName;
  readonly message: (index: number) => InstanceName;
} {
  const own = (suffix: string): InstanceName => ({
    key: name.key + suffix,
    pattern: [...name.pattern, suffix],
    literal: name.literal,
  });
  return { deadline: own(":deadline"), count: own(":count"), message: (index) => own(`:${index}`) };
}

/** Kind of a queue wait's deadline entry (`rivetkit` 2.3.19, `executeQueueNextBatch`). */
export const DEADLINE_KIND: EntryKind = "sleep";

/** The branch names of a node as sorted keys; `null` for a set that is built from data. */
export function branchKeys(node: Extract<EntryNode, { kind: "join" | "race" }>): readonly string[] | null {
  if (node.open) return null;
  return node.branches.map((branch) => patternText(branch.name)).sort();
}

/** The names by which `removed(name, "message")` also takes the wait's generated entries. */
export function isGeneratedBy(key: string, wait: string): boolean {
  if (!key.startsWith(`${wait}:`)) return false;
  const rest = key.slice(wait.length + 1);
  return rest === "count" || rest === "deadline" || /^\d+$/.test(rest);
}

/** Whether the wait has a deadline entry, as far as the code says. */
export function mayHaveDeadline(node: MessageNode): boolean {
  return node.timeout !== "no";
}

/** A name for a pattern outside of native loops. */
export function plainName(pattern: NamePattern): InstanceName {
  const text = pattern.every((part) => typeof part === "string") ? pattern.join("") : null;
  return text === null ? { key: patternText(pattern), pattern, literal: false } : literalName(text);
}
