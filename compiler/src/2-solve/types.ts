/**
 * What solving gives to the rules, to the manifest and to the reports: the `Analysis`.
 *
 * How to read it. An **activation** is one function body under one set of circumstances: which zone it
 * runs in, which contexts and functions reach it. Its `trace` is the body in program order, with the
 * choices, loops and `try`s that order its **operations**. `analysis.operations` is every operation of
 * every live activation, flat, for rules that do not care about order. The **skeleton** of a workflow
 * is the trace with the helpers inlined and everything but entries left out.
 *
 * A rule is one function `(analysis, report) => void`. To place a finding it asks
 * `analysis.routesTo(operation)`: one route per line of the author's own workflow code that leads to
 * the operation, each with the shortest chain. Reporting the same place twice is fine: the reports are
 * deduplicated (shortest chain kept, the others counted).
 */

import type {
  CallExpr,
  ChainLink,
  ContextKind,
  EffectKind,
  EngineProfile,
  Expr,
  FileFacts,
  Finding,
  FunctionFacts,
  FunctionId,
  Place,
  Span,
  Stmt,
  TypeFacts,
} from "../types.js";
import type { TurnValues } from "./values/turn-values.js";
import type { EntryKind, Guard, NamePattern, Reads } from "../../../runtime/src/manifest/format.js";

export type { EntryKind, Guard, NameHole, NamePattern } from "../../../runtime/src/manifest/format.js";

// ------------------------------------------------------------------------------------ the whole

export interface Analysis {
  /** Sorted by file and place. */
  readonly workflows: readonly WorkflowAnalysis[];
  /** Live activations, sorted by the place of their function, then by circumstances. */
  readonly activations: readonly Activation[];
  /** Every operation of every activation, in the same order. */
  readonly operations: readonly Operation[];
  /** Calls whose target could not be told, reachable from workflow code (`--strict`, `--explain-unknown`). */
  readonly unknownCallees: readonly UnknownCallee[];
  /** Files that were read, by path. */
  readonly files: ReadonlyMap<string, FileFacts>;
  readonly functionOf: (id: FunctionId) => FunctionFacts | null;
  /**
   * The ways from workflows to an operation (or to a place in an activation), one per line of the
   * author's own workflow code. Empty when no workflow reaches it.
   *
   * `isOwn` says in which activations the finding may be placed, for rules that want the line of a
   * certain caller; without it `Activation.own` counts.
   */
  readonly routesTo: (operation: Operation, isOwn?: (activation: Activation) => boolean) => readonly Route[];
  /** True when some entry is recorded while this activation runs (by itself or by what it calls). */
  readonly makesEntries: (activation: Activation) => boolean;
  /** Parts of the program that were not followed to their end, since it is too big. */
  readonly unfinished: readonly ("start" | "workflows")[];
  /** How much of the bounds on a program's size it took (`Effort.share`). */
  readonly effort: number;
}

/** A rule: reads the analysis, reports findings. Order and duplicates do not matter. */
export type Rule = (analysis: Analysis, report: (finding: Finding) => void) => void;

export interface WorkflowAnalysis {
  /** Of `setup({ use })`, else the variable that holds the definition, else `file:line`. */
  readonly name: string;
  /** The head of the call of `workflow(…)`. */
  readonly place: Place;
  /** The whole call, arguments included. */
  readonly call: Place;
  readonly engine: EngineProfile["name"];
  readonly root: Scope;
  /** The bodies of `run`: one, unless `run` is chosen at run time. */
  readonly run: readonly Activation[];
  readonly skeleton: Skeleton;
  /** Actor state as written in the definition. */
  readonly stateType: TypeFacts | null;
  readonly queues: readonly QueueAnalysis[];
}

export interface QueueAnalysis {
  readonly name: string;
  readonly bodyType: TypeFacts | null;
  readonly responseType: TypeFacts | null;
}

export interface Route {
  /** `null` for a helper that takes a workflow context and that no workflow calls. */
  readonly workflow: WorkflowAnalysis | null;
  /** The line in the author's own workflow code: the operation, or the call that leads to it. */
  readonly place: Place;
  /** From the workflow to the operation, both included. */
  readonly chain: readonly ChainLink[];
  /** Names of the functions between the author's line and the operation: `chooseReviewer`, `pick`. */
  readonly through: readonly string[];
  /** Further ways that lead to the same author's line. */
  readonly otherWays: number;
}

export interface UnknownCallee {
  /** `service.load`, as written. */
  readonly text: string;
  /** `no-types`: a package without catalogue row or source; `dynamic`: a value that could be anything. */
  readonly why: "package" | "dynamic";
  readonly operation: EffectOperation;
}

// ------------------------------------------------------------------------------------ activations

/**
 * `workflow` runs again on replay; `step` and `rollback` are the bodies of those; `outside` is all
 * else (module code, actions, lifecycle hooks).
 */
export type Zone = "workflow" | "step" | "rollback" | "outside";

export interface Activation {
  /** Stable for one text: function, zone and circumstances. */
  readonly id: string;
  readonly function: FunctionFacts;
  readonly zone: Zone;
  /** The scope in charge while it runs; `null` for code that no context reaches. */
  readonly scope: Scope | null;
  /**
   * The author's own workflow code: a `run`, an entry's callback, a function that handles a context,
   * or a callback written inside one of those. Findings are placed here.
   */
  readonly own: boolean;
  /** In program order. */
  readonly trace: TraceBlock;
  readonly operations: readonly Operation[];
  /** What it can return (awaited for an async function). */
  readonly returns: ValueInfo;
}

/** Where names must be unique, and whose context is in charge. */
export interface Scope {
  readonly id: string;
  readonly kind: ContextKind;
  readonly parent: Scope | null;
  /** The call that opened it (`ctx.loop(…)`), or the workflow definition. */
  readonly opener: Place;
  /** Its callback; `null` when a helper's annotated parameter stands for it. */
  readonly callback: FunctionId | null;
  /** `workflow "triage"`, `loop "poll"`, `branch "users"`, `step "charge"`. */
  readonly label: string;
}

// ------------------------------------------------------------------------------------ traces

export type TraceBlock = readonly TraceNode[];
export type TraceNode =
  | { readonly t: "op"; readonly op: Operation }
  | ChoiceTrace
  | RepeatTrace
  | TryTrace
  | ExitTrace
  /** A labelled block or a `switch`: `break` with its depth leads here. */
  | { readonly t: "block"; readonly place: Place; readonly body: TraceBlock };

export interface ChoiceTrace {
  readonly t: "choice";
  readonly form: "if" | "switch" | "conditional" | "logical" | "optional" | "callee";
  readonly place: Place;
  readonly guard: GuardInfo;
  /** One per outcome; the empty one included. */
  readonly arms: readonly TraceBlock[];
}
export interface RepeatTrace {
  readonly t: "repeat";
  readonly place: Place;
  /** Named in `ValueInfo.varies` and in holes' `variesIn`. */
  readonly loop: string;
  readonly form: "for" | "while" | "do" | "for-of" | "for-in" | "for-await" | "callback";
  readonly guard: GuardInfo;
  /** Largest number of turns when the code says it; `null` = from data or unbounded. */
  readonly times: number | null;
  /** What its variable is in each turn, when the code says it. */
  readonly turnValues: TurnValues | null;
  /** No condition at all: `while (true)`, `for (;;)`. */
  readonly endless: boolean;
  readonly body: TraceBlock;
}
export interface TryTrace {
  readonly t: "try";
  readonly place: Place;
  readonly block: TraceBlock;
  readonly handler: HandlerTrace | null;
  readonly finalizer: { readonly place: Place; readonly body: TraceBlock } | null;
}
export interface HandlerTrace {
  readonly place: Place;
  readonly body: TraceBlock;
  /** Whether the caught error (or another one) leaves the handler: on every path, on some, on none. */
  readonly rethrows: "always" | "sometimes" | "never";
  /** True when the handler uses the error for anything but rethrowing and logging. */
  readonly readsError: boolean;
  /** Classes that the handler tests the error against: `CardDeclined`, `@rivet-dev/workflows#StepExhaustedError`. */
  readonly tests: readonly string[];
}
export interface ExitTrace {
  readonly t: "exit";
  readonly how: "return" | "throw" | "break" | "continue";
  /** For `break` and `continue`: enclosing `repeat`s and `block`s to leave, innermost = 0. */
  readonly depth: number;
  readonly place: Place;
  /** What is returned or thrown. */
  readonly value: ValueInfo | null;
}

export interface GuardInfo {
  readonly guard: Guard;
  readonly value: ValueInfo;
  readonly test: Expr | null;
  /** Of a `switch`. */
  readonly cases: Extract<Stmt, { s: "switch" }>["cases"] | null;
}

// ------------------------------------------------------------------------------------ values

/** A number, string, boolean, `null` or `undefined`; regexes and bigints by their text. */
export type Constant = string | number | boolean | null | undefined;

/** What is known of a value where an operation uses it. */
export interface ValueInfo {
  readonly place: Place;
  /** As written, shortened: for messages. */
  readonly text: string;
  /** The expression itself; `null` when there is none. */
  readonly expr: Expr | null;
  /** Every value that it can be, when all are known. */
  readonly constants: readonly Constant[] | null;
  /** `effect` = computed from an effect (then `effects` is not empty). */
  readonly source: "constant" | "recorded" | "gate" | "effect" | "unknown";
  /** Effects that it was computed from. */
  readonly effects: readonly EffectSource[];
  /** Entries whose results it was computed from. */
  readonly entries: readonly EntrySite[];
  /** Native loops (`RepeatTrace.loop`) in each turn of which it can be another value. */
  readonly varies: readonly string[];
  /** Functions of the program that it can be. */
  readonly functions: readonly FunctionId[];
  /** Contexts that it is or holds. */
  readonly contexts: readonly Scope[];
  /** `Loop.break(…)`, `Loop.continue(…)`, instances of classes: `@rivet-dev/workflows#CriticalError`, `CardDeclined`. */
  readonly instances: readonly string[];
  /** Known fields, for object literals; `null` otherwise. */
  readonly fields: Readonly<Record<string, ValueInfo>> | null;
}

/** An effect by its kind and name: `clock`, `Date.now()`. */
export interface EffectSource {
  readonly effect: EffectKind;
  readonly what: string;
  readonly place: Place;
}

/** Points at an `EntryOperation` without holding it. */
export interface EntrySite {
  readonly place: Place;
  readonly method: EntryMethod;
  /** `["failure", "error"]` for a value read out of the entry's result. */
  readonly path: readonly string[];
}

// ------------------------------------------------------------------------------------ operations

export type Operation =
  | EntryOperation
  | EffectOperation
  | AccessOperation
  | CallOperation
  | AwaitOperation
  | SharedOperation
  | WriteOperation
  | EscapeOperation
  | RecordedReadOperation
  | RecordedWriteOperation
  | CompleteOperation;

interface OperationBase {
  readonly place: Place;
  readonly activation: Activation;
  /** Same as `activation.zone`. */
  readonly zone: Zone;
  /** How often it was written in `try` blocks of this activation (handler and finalizer not counted). */
  readonly tryDepth: number;
  /** Native loops of this activation around it, outermost first. */
  readonly loops: readonly string[];
}

export type EntryMethod =
  | "step"
  | "tryStep"
  | "try"
  | "loop"
  | "sleep"
  | "sleepUntil"
  | "next"
  | "nextBatch"
  | "join"
  | "race"
  | "rollbackCheckpoint"
  | "removed"
  | "getVersion";

/** A call that records: `ctx.step(…)`. */
export interface EntryOperation extends OperationBase {
  readonly kind: "entry";
  /** The call itself; `null` when the method is run by something else. */
  readonly call: CallExpr | null;
  readonly method: EntryMethod;
  readonly entry: EntryKind | "try";
  readonly context: ContextUse;
  /** Alternatives (`fast ? "a" : "b"` gives two); empty when the name can't be read at all. */
  readonly names: readonly NamePattern[];
  /** Per alternative and hole: the native loops in which it takes a new value each turn. */
  readonly variesIn: readonly (readonly (readonly string[])[])[];
  /** Per alternative and hole: its text in a form that renaming locals and formatting leave alone. */
  readonly holes: readonly (readonly string[])[];
  /** Per alternative and hole: its expression when it hangs on one variable alone and can be worked out. */
  readonly turnExprs: readonly (readonly (Expr | null)[])[];
  readonly name: ValueInfo;
  /**
   * Options by key, from the options object or from positional arguments put under the names that the
   * options object uses (`timeout`, `count`, `run`, `rollback`, `state`, `duration`, `until`, `branches`,
   * `was` for `removed`, `latest` for `getVersion`).
   */
  readonly options: Readonly<Record<string, ValueInfo>>;
  /** True when all options are known (no spread of unknown data). */
  readonly optionsKnown: boolean;
  /** The last argument, where the options are not all known. */
  readonly rest: ValueInfo | null;
  readonly callbacks: readonly EntryCallback[];
  /** `join`/`race`: false when the set of branches is built from data. */
  readonly branchesFixed: boolean;
  /** What the branch set depends on. */
  readonly branches: ValueInfo | null;
  readonly use: PromiseUse;
  /** Queue names (`names` option); `null` = all. */
  readonly queues: readonly string[] | null;
}

export interface EntryCallback {
  readonly role: "body" | "branch" | "rollback";
  /** Branch name. */
  readonly name: NamePattern | null;
  readonly activations: readonly Activation[];
  readonly scope: Scope;
}

export interface ContextUse {
  /** The scope that the context belongs to (kind included). */
  readonly scope: Scope;
  /** As written: `ctx`, `this.ctx`. */
  readonly text: string;
}

/** What becomes of a promise that an operation gives; see `CallOperation` for helpers. */
export type PromiseUse =
  /** Not a promise, or nothing is left to wait for. */
  | { readonly how: "none" }
  | { readonly how: "awaited" }
  /** Returned (or yielded) to the caller, which is judged by itself. */
  | { readonly how: "returned"; readonly insideTry: boolean }
  | { readonly how: "floating" }
  | { readonly how: "voided" }
  /** Kept in a variable or field; awaited at a later place, or never. */
  | { readonly how: "stored"; readonly awaitedAt: Place | null }
  | {
      readonly how: "combined";
      readonly combinator: "all" | "race" | "any" | "allSettled";
      /** What starts them, as written: `Promise.all`, `pMap`. */
      readonly by: string;
      readonly place: Place;
    }
  /** `.then`, `.catch`, `.finally`; `handled` = a rejection handler (`.catch`, second argument of `.then`). */
  | {
      readonly how: "chained";
      readonly methods: readonly ("then" | "catch" | "finally")[];
      readonly handled: boolean;
      readonly place: Place;
      /** Of the promise at the end of the chain. */
      readonly end: "awaited" | "returned" | "floating" | "voided" | "stored" | "combined";
    }
  /** Given to a function whose source is not known. */
  | { readonly how: "passed" };

/** The clock is read, a request is sent … */
export interface EffectOperation extends OperationBase {
  readonly kind: "effect";
  readonly effect: EffectKind;
  /** For messages: `Math.random()`, `new Date()`, `process.env.REGIONS`, `pool.query()`. */
  readonly what: string;
  /** Catalogue's clause; empty for `unknown`. */
  readonly why: string;
  /** A request that changes the outside. */
  readonly writes: boolean;
  readonly args: readonly ValueInfo[];
  readonly use: PromiseUse;
  /** Read of a constant that was computed from an effect at another place (module load). */
  readonly computedAt: Place | null;
  /**
   * The effect's callback runs later, on its own (timer, listener): activations that `runs` it. They
   * are in the same zone.
   */
  readonly later: readonly Activation[];
}

/** `step.state`, `c.db`, `ctx.broadcast(…)`: an actor API reached through a context. */
export interface AccessOperation extends OperationBase {
  readonly kind: "access";
  readonly api: string;
  readonly context: ContextUse;
  /** Property path after the API name as far as written: `["items", "push"]`. */
  readonly path: readonly string[];
  readonly mode: "read" | "write" | "call";
  readonly args: readonly ValueInfo[];
  readonly use: PromiseUse;
}

/** A call of functions of the program. */
export interface CallOperation extends OperationBase {
  readonly kind: "call";
  /** The call itself; for a callback the call that it was given to. `null` for getters and the like. */
  readonly call: CallExpr | null;
  /** What is called, where it is an expression. */
  readonly callee: ValueInfo | null;
  /** As written: `chooseReviewer`, `this.load`. */
  readonly text: string;
  readonly targets: readonly Activation[];
  readonly form:
    "call" | "new" | "tag" | "getter" | "setter" | "callback" | "coercion" | "iterator" | "default";
  /** Native loops in each turn of which another one of several functions is called. */
  readonly varies: readonly string[];
  /** `callback`: run in place by this function (`sort`, `map`). */
  readonly by: string | null;
  readonly args: readonly ValueInfo[];
  readonly use: PromiseUse;
}

/** `await`, `for await`, `await using` of something. */
export interface AwaitOperation extends OperationBase {
  readonly kind: "await";
  readonly text: string;
  /**
   * What is waited for. `entry`: an entry or a helper made of entries and pure code. `pure`: nothing
   * outside. `effect`: outside work that is an operation itself. `foreign`: a promise of its own
   * (`new Promise(…)`, a promise from module state, a callback API). `unknown`: can't be told.
   */
  readonly waitsFor: "entry" | "pure" | "effect" | "foreign" | "unknown";
  readonly value: ValueInfo;
}

/** Process-local mutable state is read or written. */
export interface SharedOperation extends OperationBase {
  readonly kind: "shared";
  readonly name: string;
  readonly mode: "read" | "write";
  readonly what: "variable" | "object" | "static" | "enclosing";
  /** Where it is declared, and one place that changes it. */
  readonly declared: Place;
  readonly changedAt: Place | null;
}

/** A variable, or an object held by one, that belongs to another activation is changed. */
export interface WriteOperation extends OperationBase {
  readonly kind: "write";
  readonly name: string;
  readonly how: "assign" | "property" | "method";
  /** Zone and scope of the activation that owns the variable. */
  readonly owner: { readonly function: FunctionId; readonly zone: Zone; readonly scope: Scope | null };
  readonly declared: Place;
}

/** A context leaves its callback. */
export interface EscapeOperation extends OperationBase {
  readonly kind: "escape";
  readonly context: ContextUse;
  readonly how: "stored" | "returned" | "captured";
  /** The variable or field, or the API that keeps the callback. */
  readonly into: string;
}

/** A property of an entry's result is read (`failure.error.stack`). */
export interface RecordedReadOperation extends OperationBase {
  readonly kind: "recorded-read";
  readonly entry: EntrySite;
}

/** An entry's result is changed in place. */
export interface RecordedWriteOperation extends OperationBase {
  readonly kind: "recorded-write";
  readonly entry: EntrySite;
  readonly text: string;
}

/** `message.complete(…)`. */
export interface CompleteOperation extends OperationBase {
  readonly kind: "complete";
  readonly entry: EntrySite;
}

// ------------------------------------------------------------------------------------ skeletons

/** Entries only, helpers inlined; mirrors the manifest's nodes (`runtime/src/manifest/format.ts`). */
export interface Skeleton {
  readonly body: SkeletonBlock;
  /** Bodies of functions that call themselves, by the name that `call` nodes use. */
  readonly functions: Readonly<Record<string, SkeletonBlock>>;
  /** True when the workflow has so many ways through helpers that some were left out. */
  readonly cut: boolean;
}
export type SkeletonBlock = readonly SkeletonNode[];
export type SkeletonNode =
  | SkeletonEntry
  | {
      readonly kind: "choice";
      readonly place: Place;
      readonly guard: Guard;
      /** How what decides is computed. */
      readonly reads: ReadsOf;
      readonly arms: readonly SkeletonBlock[];
      /**
       * Set when the choice is a `catch` that goes on: its `try` block is the `covers` nodes before it (then
       * the second arm is the handler), or the first arm (then the handler is the second from `handlerAt` on).
       */
      readonly caught?: { readonly covers: number } | { readonly handlerAt: number };
    }
  | {
      readonly kind: "repeat";
      readonly place: Place;
      readonly loop: string;
      /** `null` for a block that `break` leaves. */
      readonly form: RepeatTrace["form"] | null;
      readonly guard: Guard;
      readonly reads: ReadsOf;
      readonly times: number | null;
      readonly endless: boolean;
      /** How many calls of helpers lie between the scope's callback and the loop. */
      readonly calls: number;
      readonly body: SkeletonBlock;
    }
  /** A helper that can return early, or a labelled block: `return` in it leads behind it. */
  | { readonly kind: "inline"; readonly body: SkeletonBlock }
  | {
      readonly kind: "exit";
      readonly how: "return" | "throw" | "break" | "continue" | "loop_break" | "loop_continue";
      readonly depth: number;
    }
  | { readonly kind: "call"; readonly to: string };

/** How a value is computed that decides something, for the manifest. */
export interface Computed {
  /** `!x`: what is told is how `x` is computed. */
  readonly negated: boolean;
  /** Works it out, the first time that it is called. */
  readonly reads: () => Reads;
}
/** `null` when no expression gives the value. */
export type ReadsOf = Computed | null;

export interface TurnsHere {
  /** `RepeatTrace.loop` */
  readonly loop: string;
  readonly of: TurnValues;
  readonly turns: readonly number[];
}

export interface SkeletonEntry {
  readonly kind: "entry";
  readonly op: EntryOperation;
  readonly name: NamePattern;
  /** Per hole of `name`, in order: the native loops in which it takes a new value each turn. */
  readonly variesIn: readonly (readonly string[])[];
  /** Per hole: see `EntryOperation.holes`. */
  readonly holes: readonly string[];
  /** How its name, its set of branches, the timeout of a wait, and the function that is its body are computed. */
  readonly reads: {
    readonly name: ReadsOf;
    readonly branches: ReadsOf;
    readonly timeout: ReadsOf;
    readonly body: ReadsOf;
  };
  /** Turns, by number, of the loop over constants around it in which this place is reached (`if (i === 0)`). */
  readonly turns: TurnsHere | null;
  /** The calls from the root (or the callback that opened the scope) to the entry's activation. */
  readonly calls: readonly CallOperation[];
  /** `loop` and `try`: one body. `join` and `race`: one per branch. Else empty. */
  readonly bodies: readonly { readonly name: NamePattern | null; readonly body: SkeletonBlock }[];
}

/** Re-exported so that rules need one import. */
export type { Finding, Place, Span };
