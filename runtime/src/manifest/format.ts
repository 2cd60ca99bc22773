/**
 * The manifest: what each workflow can record, as data (design §7).
 *
 * Everything here is plain JSON. The compiler writes it, the diff reads it, the runtime carries it.
 * Stable under formatting, renamed locals and moved code: no line numbers, no absolute paths, no times.
 */

/** The format that this code reads and writes. Older ones are upgraded on read, newer ones are refused. */
export const MANIFEST_FORMAT_VERSION = 2;

/** Engine profile names (design §1). */
export type EngineName = "rivetkit-2" | "rivet-workflows-1" | "stepproof";

/** Kinds of entry that a history can hold (design §2). */
export type EntryKind =
  | "step"
  | "loop"
  | "sleep"
  | "message"
  | "rollback_checkpoint"
  | "join"
  | "race"
  | "removed"
  | "version_check";

export interface Manifest {
  readonly formatVersion: number;
  /** Tool and version that wrote it, for example `stepproof 0.1.0`. */
  readonly tool: string;
  /** By the name of `setup({ use })`, else by the name of the variable that holds the definition. */
  readonly workflows: Readonly<Record<string, WorkflowManifest>>;
}

export interface WorkflowManifest {
  readonly name: string;
  /** Source file, relative to the project, with `/`. */
  readonly file: string;
  readonly engine: EngineName;
  /** Hash of everything below, so that equal workflows are told without a walk. */
  readonly hash: string;
  readonly body: Block;
  /** Bodies of functions that call themselves (named references of `call` nodes). */
  readonly functions: Readonly<Record<string, Block>>;
  /** Actor state, as printed type. */
  readonly stateType: string | null;
  /** Queues by name. */
  readonly queues: Readonly<Record<string, QueueManifest>>;
}

export interface QueueManifest {
  readonly bodyType: string;
  readonly responseType: string | null;
}

/** Statements of one scope (or of one arm, or of one native loop) in program order. */
export type Block = readonly ManifestNode[];

/**
 * A name of an entry: literal text and holes. `["item-", { hole: "index", perIteration: true }]` is
 * `item-${i}` in a native loop over `i`. A plain name is one string.
 */
export type NamePattern = readonly NamePart[];
export type NamePart = string | NameHole;
export interface NameHole {
  /** Normalised text of the expression (locals renamed by order), including what helpers it calls do. */
  readonly hole: string;
  /** True when it takes a new value in each turn of the innermost native loop around it. */
  readonly perIteration: boolean;
  /** The value in turn 0, 1, … when the code says it (`for (let i = 0; i < 3; i++)` → `["0","1","2"]`). */
  readonly values?: readonly string[];
  /** How the whole name is computed. */
  readonly reads?: Reads;
}

/**
 * What a value is computed from that decides something: a guard, a name, a set of branches, whether a wait has a
 * timeout. Recorded results are its ends; the native code between them and the value is its fingerprint. On equal
 * recorded data equal computations give equal values. Missing = the text says it all (hand-written manifests).
 */
export interface Reads {
  /** The entries whose results it reads, by name and path (`charge.status`), sorted: for people. */
  readonly entries: readonly string[];
  /** One, or one per combination of versions of the gates that it hangs on. Empty = not known (format 1). */
  readonly ways: readonly Reading[];
}

export interface Reading {
  /** Fingerprint of the native code and of where its recorded data comes from. */
  readonly native: string;
  /** The versions under which it is computed so; missing = always. */
  readonly when?: readonly GateRange[];
}

/** Versions of a gate, both ends included; `to: null` = no upper end. */
export interface GateRange {
  readonly name: NamePattern;
  readonly from: number;
  readonly to: number | null;
}

/** What a guard or a name depends on. `unknown` = not proven to come from recorded data. */
export type GuardSource = "constant" | "recorded" | "gate" | "unknown";

export interface Guard {
  /** Normalised text of the condition: locals renamed by order, so that renaming makes no diff. */
  readonly text: string;
  readonly source: GuardSource;
  /** With `source: "gate"`: the gate's name and, per arm, the versions that take it. */
  readonly gate: GateTest | null;
  /** How the condition is computed: two of one text that are computed differently are two. */
  readonly reads?: Reads;
}

export interface GateTest {
  readonly name: NamePattern;
  /** One item per arm, in order: lowest and highest version that takes it (`null` = no bound). */
  readonly arms: readonly { readonly from: number; readonly to: number | null }[];
}

export type ManifestNode =
  | StepNode
  | SleepNode
  | MessageNode
  | LoopNode
  | TryNode
  | BranchesNode
  | CheckpointNode
  | RemovedNode
  | VersionCheckNode
  | ChoiceNode
  | RepeatNode
  | ExitNode
  | InlineNode
  | CallNode;

export interface StepNode {
  readonly kind: "step";
  readonly name: NamePattern;
  /** Printed type of the recorded output; `null` when it can't be told. */
  readonly outputType: string | null;
  /** False when the workflow never looks at the output (nor does a rollback): then its type is free. */
  readonly outputUsed: boolean;
  /** Fingerprint of the body; serves rename detection and "body changed" only. */
  readonly body: string;
  readonly options: StepOptionsManifest;
  /** `tryStep`: a terminal failure is data, of these kinds. `null` for a plain step. */
  readonly catches: readonly string[] | null;
  readonly rollback: boolean;
}

/** Only what the code says; absent = the engine's default. Times in ms. */
export interface StepOptionsManifest {
  readonly timeout?: number | string;
  readonly maxRetries?: number | string;
  readonly retryBackoffBase?: number | string;
  readonly retryBackoffMax?: number | string;
  readonly retryOnTimeout?: boolean | string;
  readonly ephemeral?: boolean | string;
}

export interface SleepNode {
  readonly kind: "sleep";
  readonly name: NamePattern;
}

export interface MessageNode {
  readonly kind: "message";
  readonly name: NamePattern;
  readonly method: "next" | "nextBatch";
  /** A timeout owns the entry `name:deadline`. `maybe` = depends on data. */
  readonly timeout: "no" | "yes" | "maybe";
  /** Largest number of messages; `null` = not readable. Default 1. */
  readonly count: number | null;
  readonly completable: boolean;
  /** Queue names it takes from; `null` = all of the actor's queues. */
  readonly queues: readonly string[] | null;
  /** With `timeout: "maybe"`: how it is decided. */
  readonly reads?: Reads;
}

export interface LoopNode {
  readonly kind: "loop";
  readonly name: NamePattern;
  /** Printed type of the loop's state; `null` for a stateless loop. */
  readonly stateType: string | null;
  readonly pruneInterval: number | null;
  readonly body: Block;
}

export interface TryNode {
  readonly kind: "try";
  readonly name: NamePattern;
  readonly catches: readonly string[] | null;
  readonly body: Block;
}

export interface BranchesNode {
  readonly kind: "join" | "race";
  readonly name: NamePattern;
  readonly branches: readonly BranchManifest[];
  /** True when the set is built from data and can't be listed; `branches` then holds one pattern. */
  readonly open: boolean;
  /** Of a set whose names are built from data: how. */
  readonly reads?: Reads;
}

export interface BranchManifest {
  readonly name: NamePattern;
  readonly body: Block;
}

export interface CheckpointNode {
  readonly kind: "rollback_checkpoint";
  readonly name: NamePattern;
}

export interface RemovedNode {
  readonly kind: "removed";
  readonly name: NamePattern;
  readonly was: EntryKind | string;
}

export interface VersionCheckNode {
  readonly kind: "version_check";
  readonly name: NamePattern;
  readonly latest: number | null;
}

/** Exclusive arms: `if`, `switch`, `?:`, `&&`, `||`, `??`; and native `try` with `catch`, see `caught`. */
export interface ChoiceNode {
  readonly kind: "choice";
  readonly guard: Guard;
  /** `if`: then, else. `switch`: the cases in order, then default; the guard's text names them all. */
  readonly arms: readonly Block[];
  /**
   * A native `try` whose `catch` goes on: the first arm is the block, which an error can end behind any of
   * its entries; the second is the handler. The arms are exclusive only in what they do at their ends.
   */
  readonly caught?: true;
}

/** A native loop (`for`, `while`, `forEach`, …) with entries in it. */
export interface RepeatNode {
  readonly kind: "repeat";
  /** What decides the number of turns. */
  readonly guard: Guard;
  /** Largest number of turns when the code says it; `null` = unbounded or from data. */
  readonly times: number | null;
  readonly body: Block;
}

/**
 * Leaves the block early. `return` ends the nearest `inline` node around it, else the scope (workflow
 * function, loop body, branch, try block); `throw` ends the scope without its end being validated; `break`/`continue` go to the native loop with that label (`null` =
 * innermost), `loop_break`/`loop_continue` are `Loop.break` / `Loop.continue` results of a loop body.
 */
export interface ExitNode {
  readonly kind: "exit";
  readonly how: "return" | "throw" | "break" | "continue" | "loop_break" | "loop_continue";
  /** Native loops to leave, counted from the innermost = 0. Only for `break` and `continue`. */
  readonly depth: number;
}

/**
 * The body of a helper, put in where it is called, in the same scope. Only needed when the helper can
 * return early; a helper without an early `return` is simply part of the block that calls it.
 */
export interface InlineNode {
  readonly kind: "inline";
  readonly body: Block;
}

/** A call of a function in `functions` that (directly or not) calls itself, in the same scope. */
export interface CallNode {
  readonly kind: "call";
  readonly to: string;
}
