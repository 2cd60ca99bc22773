import type { EntryKind } from "./format.js";

/**
 * A history as plain data: what an instance has recorded, as a tree of scopes. Order = order of
 * recording. Made by an engine's adapter (`historyOf`) or by the diff (a witness).
 */
export interface History {
  readonly entries: readonly HistoryEntry[];
}

export interface HistoryEntry {
  readonly name: string;
  /** `try` = a try block; it has no record of its own and is listed for what it holds. */
  readonly kind: EntryKind | "try";
  /** `in progress`: a step that waits for a retry, a sleep or wait that is not over, an open scope. */
  readonly state: "completed" | "in progress";
  /** `version_check`: the recorded version. */
  readonly version?: number;
  /** `join` and `race`: the recorded branch names. */
  readonly branches?: readonly string[];
  /** `join` and `race`: names of branches that have ended: they are not run again. */
  readonly ended?: readonly string[];
  /** `loop`: the number of the iteration in hand; earlier ones that are kept are not run again. */
  readonly iteration?: number;
  /**
   * What was recorded inside. `try`: one scope named "". `join`, `race`: one per branch, by its name.
   * `loop`: the iterations that are kept, by number as text; without `iteration` the last one is in
   * flight unless the loop is completed.
   */
  readonly scopes?: readonly HistoryScope[];
}

export interface HistoryScope {
  readonly name: string;
  readonly entries: readonly HistoryEntry[];
}

/** One record of a flat history, as engines keep them. */
export interface HistoryRecord {
  /** Names from the root; a loop's iterations are numbers (`["poll", 3, "fetch"]`). */
  readonly path: readonly (string | number)[];
  readonly kind: EntryKind;
  readonly completed: boolean;
  readonly version?: number;
  /** Loops only: the number of the iteration in hand. */
  readonly iteration?: number;
  readonly branches?: readonly string[];
  /** Joins and races: names of branches that have ended. */
  readonly ended?: readonly string[];
}

interface Draft {
  name: string;
  kind: EntryKind | "try";
  state: "completed" | "in progress";
  version?: number;
  iteration?: number;
  branches?: readonly string[];
  ended?: readonly string[];
  readonly scopes: Map<string, Map<string, Draft>>;
}

/**
 * The tree of a flat history. Parents may come after their children; a parent without a record is a
 * try block.
 */
export function historyOf(records: Iterable<HistoryRecord>): History {
  const root = new Map<string, Draft>();
  for (const record of records) {
    const entry = place(root, record.path);
    entry.kind = record.kind;
    entry.state = record.completed ? "completed" : "in progress";
    if (record.version !== undefined) entry.version = record.version;
    if (record.iteration !== undefined) entry.iteration = record.iteration;
    if (record.branches !== undefined) entry.branches = record.branches;
    if (record.ended !== undefined) entry.ended = record.ended;
  }
  mendBranches(root);
  return { entries: [...root.values()].map(freeze) };
}

/** Finds or makes the entry at `path`; a number names an iteration of the loop before it. */
function place(root: Map<string, Draft>, path: readonly (string | number)[]): Draft {
  let scope = root;
  let entry: Draft | undefined;
  for (const segment of path) {
    if (typeof segment === "number") {
      if (entry === undefined) throw new Error("a history record has an iteration without a loop");
      scope = scopeOf(entry, String(segment));
      entry = undefined;
      continue;
    }
    if (entry !== undefined) scope = scopeOf(entry, "");
    entry = scope.get(segment);
    if (entry === undefined) {
      entry = { name: segment, kind: "try", state: "in progress", scopes: new Map() };
      scope.set(segment, entry);
    }
  }
  if (entry === undefined) throw new Error("a history record needs a path with a name at its end");
  return entry;
}

function scopeOf(entry: Draft, name: string): Map<string, Draft> {
  const known = entry.scopes.get(name);
  if (known !== undefined) return known;
  const made = new Map<string, Draft>();
  entry.scopes.set(name, made);
  return made;
}

/** Under a join or race, what `place` took for try blocks are the branches. */
function mendBranches(scope: Map<string, Draft>): void {
  for (const entry of scope.values()) {
    const inner = entry.scopes.get("");
    if ((entry.kind === "join" || entry.kind === "race") && inner !== undefined) {
      entry.scopes.delete("");
      for (const branch of inner.values()) entry.scopes.set(branch.name, branch.scopes.get("") ?? new Map());
    }
    for (const child of entry.scopes.values()) mendBranches(child);
  }
}

function freeze(entry: Draft): HistoryEntry {
  return {
    name: entry.name,
    kind: entry.kind,
    state: entry.state,
    ...(entry.version === undefined ? {} : { version: entry.version }),
    ...(entry.iteration === undefined ? {} : { iteration: entry.iteration }),
    ...(entry.branches === undefined ? {} : { branches: entry.branches }),
    ...(entry.ended === undefined ? {} : { ended: entry.ended }),
    ...(entry.scopes.size === 0
      ? {}
      : {
          scopes: [...entry.scopes].map(([name, entries]) => ({
            name,
            entries: [...entries.values()].map(freeze),
          })),
        }),
  };
}

/** Entries in the whole tree, try blocks not counted. */
export function historySize(history: { readonly entries: readonly HistoryEntry[] }): number {
  let size = 0;
  for (const entry of history.entries) {
    if (entry.kind !== "try") size++;
    for (const scope of entry.scopes ?? []) size += historySize(scope);
  }
  return size;
}
