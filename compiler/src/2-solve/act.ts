import type { BindingId, FunctionFacts, Place } from "../types.js";
import { Cell } from "./values/heap.js";
import type { ScopeNode } from "./entries/scope.js";
import type {
  Activation,
  CallOperation,
  Operation,
  PromiseUse,
  TraceBlock,
  ValueInfo,
  Zone,
} from "./types.js";

/** The code that makes up a module runs at `load`; for rules that is `outside`. */
export type Phase = "load" | Zone;

/** What the circumstances of an activation are. */
export interface Circumstances {
  readonly fn: FunctionFacts;
  /** The activation that made the closure. */
  readonly env: Act | null;
  readonly phase: Phase;
  readonly scope: ScopeNode | null;
}

/** How a promise is used at one place; by the key of its origin. */
export interface Sink {
  readonly origin: string;
  readonly how: "await" | "float" | "void" | "return" | "combine" | "chain" | "pass";
  readonly place: Place;
  /** `await`: the awaited expression is the call itself. */
  readonly direct: boolean;
  readonly insideTry: boolean;
  readonly combinator: "all" | "race" | "any" | "allSettled" | null;
  /** `combine`: what starts them, as written. */
  readonly by: string;
  readonly chain: {
    readonly method: "then" | "catch" | "finally";
    readonly handled: boolean;
    readonly next: string;
  } | null;
}

/**
 * An activation while it is solved, and afterwards (it is the public `Activation`). Cells only grow;
 * `trace`, `operations`, `sinks` and `calls` are those of the last run.
 */
export class Act implements Activation {
  readonly self = new Cell();
  readonly args: Cell[] = [];
  /** Values of spread arguments, which can be at any position. */
  readonly spread = new Cell();
  /** Fewest arguments it was called with; a spread counts as none missing. */
  argCount = Number.POSITIVE_INFINITY;
  readonly vars = new Map<BindingId, Cell>();
  readonly result = new Cell();
  readonly yielded = new Cell();

  /** The one that calls it, as far as is known; `null` when there are several, or the engine calls it. */
  caller: Act | null | undefined = undefined;
  /** Less than those of the activations that it calls, as far as they do not call it back. */
  rank: number;
  queued = false;
  running = false;
  ran = false;
  /** How often its body was begun. */
  runs = 0;
  /** Entered by the engine: a `run`, an entry's callback, a hook. */
  entered = false;
  /** Handles a workflow context (or one nested in it). */
  handles = false;

  trace: TraceBlock = [];
  operations: Operation[] = [];
  sinks: Sink[] = [];
  /** Calls made in the last run, in order: the edges of the call graph. */
  calls: CallEdge[] = [];
  /** Set when solving is done. */
  returns: ValueInfo = PENDING;
  own = false;

  constructor(
    readonly n: number,
    readonly id: string,
    readonly circumstances: Circumstances,
  ) {
    this.rank = n;
  }

  get function(): FunctionFacts {
    return this.circumstances.fn;
  }
  get env(): Act | null {
    return this.circumstances.env;
  }
  get phase(): Phase {
    return this.circumstances.phase;
  }
  get zone(): Zone {
    return this.phase === "load" ? "outside" : this.phase;
  }
  get scope(): ScopeNode | null {
    return this.circumstances.scope;
  }

  arg(index: number): Cell {
    return (this.args[index] ??= new Cell());
  }
  variable(id: BindingId): Cell {
    let cell = this.vars.get(id);
    if (!cell) this.vars.set(id, (cell = new Cell()));
    return cell;
  }
}

/** One way from an activation to another. */
export interface CallEdge {
  readonly to: Act;
  readonly place: Place;
  /** The whole call: functions written in it run where they stand. */
  readonly within: Place;
  /** For chains: `calls chooseReviewer()`. */
  readonly label: string;
  readonly op: CallOperation | null;
  /** The callee runs in place, or as an entry's callback, or later by itself. */
  readonly kind: "call" | "entry" | "later";
}

const PENDING: ValueInfo = {
  place: { file: "", span: [0, 0] },
  text: "",
  expr: null,
  constants: null,
  source: "unknown",
  effects: [],
  entries: [],
  varies: [],
  functions: [],
  contexts: [],
  instances: [],
  fields: null,
};

/** The use of a thing that is no promise. */
export const NO_PROMISE: PromiseUse = { how: "none" };
