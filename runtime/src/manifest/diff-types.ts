import type { ChangeKind, Level } from "./change-kinds.js";
import type { EntryKind } from "./format.js";
import type { History } from "./history.js";

export type { ChangeKind, Level } from "./change-kinds.js";

/** What a deploy of `new` over running instances of `old` means. */
export interface DiffResult {
  readonly version: 1;
  readonly verdict: Level | "identical";
  /** By name. */
  readonly workflows: readonly WorkflowDiff[];
  /** Pairs of scopes with more combinations of guards than are tried; each is listed as `risky`. */
  readonly tooLarge: number;
}

export interface WorkflowDiff {
  readonly name: string;
  /** Of the new version, of the old one when the workflow is gone. */
  readonly file: string;
  readonly verdict: Level | "identical";
  /** Worst first, then by path. */
  readonly changes: readonly Change[];
}

export interface Change {
  readonly kind: ChangeKind;
  readonly id: ChangeId;
  /** Names from the root to the entry, branch names included; empty for the workflow itself. */
  readonly path: readonly string[];
  readonly level: Level;
  /** One line. */
  readonly message: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly witness: Witness | null;
  readonly remedy: Remedy | null;
}

/** Names a change for `stepproof.accepted.json`: structured, and another one when before or after differ. */
export interface ChangeId {
  readonly workflow: string;
  readonly kind: ChangeKind;
  readonly path: readonly string[];
  /** Hash of before and after. */
  readonly content: string;
}

/** A history that the old version can hold and the new one does not go on from. */
export interface Witness {
  readonly history: History;
  /** What the new code calls when it is refused; `null` when nothing fails. */
  readonly call: WitnessCall | null;
  /** The runtime's error, or what happens instead of one. */
  readonly error: string;
  readonly diverges: boolean;
  /** The steps that run a second time without a word; empty when something else is wrong. */
  readonly reruns: readonly string[];
  /** What the data must be like, guard by guard. */
  readonly assumptions: readonly string[];
  /** The answers of the guards that lead to it, in the order in which the new code asks them. */
  readonly decisions: readonly WitnessDecision[];
  /** Why it is not certain; `null` when it is. */
  readonly because: string | null;
}

/** One answer of one guard of the new code. */
export interface WitnessDecision {
  /** Path of names of the scope in which it is asked, branch names included. */
  readonly scope: readonly string[];
  /** The guard's text. */
  readonly text: string;
  /** The arm; for a native loop 0 = another turn, 1 = no more. */
  readonly answer: number;
}

export interface WitnessCall {
  /** Path of the entry that is called; of the scope when the scope's end is refused. */
  readonly path: readonly string[];
  /** `step`, `loop` …; `end` = the end of the scope. */
  readonly what: string;
}

/** What to change in the new code so that the histories of the old one go on. */
export interface Remedy {
  /** One line: what to do and why it helps. */
  readonly title: string;
  /** The code to write. */
  readonly statement: string;
  readonly place: RemedyPlace;
  /** For `stepproof fix`; empty when a person has to do it. */
  readonly edits: readonly RemedyEdit[];
}

export interface RemedyPlace {
  /** Path of the scope; empty = the root. */
  readonly scope: readonly string[];
  readonly position: InsertPosition | "instead of" | "around";
  /** Name of the entry in the new code; `null` with `at the start` and `at the end`. */
  readonly entry: string | null;
}

/** Where a statement can be put: beside the statement of an entry, or as the first or last of its scope. */
export type InsertPosition = "before" | "behind" | "at the start" | "at the end";

/** An edit of the new code. `scope` is the path of the scope, names are those of the new code. */
export type RemedyEdit =
  | {
      readonly do: "insert-removed";
      readonly scope: readonly string[];
      readonly name: string;
      readonly was: EntryKind;
      readonly position: InsertPosition;
      /** With `before` and `behind`: the entry's name. */
      readonly entry: string | null;
    }
  | { readonly do: "rename"; readonly scope: readonly string[]; readonly from: string; readonly to: string }
  | { readonly do: "gate"; readonly scope: readonly string[]; readonly entry: string; readonly gate: string }
  | {
      readonly do: "set-removed-kind";
      readonly scope: readonly string[];
      readonly name: string;
      readonly was: EntryKind;
    }
  | {
      readonly do: "move-removed";
      readonly scope: readonly string[];
      readonly name: string;
      readonly position: InsertPosition;
      /** With `before` and `behind`: the entry's name. */
      readonly entry: string | null;
    };
