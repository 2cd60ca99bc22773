import type { EffectKind, Place, Span } from "../../types.js";
import type { Act, CallEdge, Sink } from "../act.js";
import type { Cell } from "../values/heap.js";
import type { Solver } from "../solver.js";
import type { Operation, TraceBlock, TraceNode } from "../types.js";
import { BOTTOM, join, sourceOf, type PromiseOrigin, type Value } from "../values/value.js";

/**
 * One run over an activation's body. Collects the trace, the operations, the uses of promises and the
 * calls; they replace those of the run before.
 */
export class Run {
  readonly trace: TraceNode[] = [];
  readonly operations: Operation[] = [];
  readonly sinks: Sink[] = [];
  readonly calls: CallEdge[] = [];
  /** Native loops around the present place, outermost first. */
  loops: readonly string[] = [];
  /** Enclosing `repeat`s and `block`s with their labels, innermost last. */
  jumps: { readonly label: string | null; readonly kind: "repeat" | "block" }[] = [];
  tryDepth = 0;
  /** The call or statement that is being looked at: where implied calls (iterators) happen. */
  at: Span = [0, 0];
  /** Where the guards around the present place come from. */
  control: Value = BOTTOM;
  /** Declarations being handled, for names of definitions: `const x = workflow(…)`. */
  naming: string | null = null;
  private block: TraceNode[] = this.trace;
  private readonly wake = (reader: Act): void => {
    this.solver.wake(reader, this.act);
  };

  constructor(
    readonly solver: Solver,
    readonly act: Act,
  ) {}

  get file(): string {
    return this.act.function.file;
  }
  place(span: Span): Place {
    return { file: this.file, span };
  }
  read(cell: Cell): Value {
    return cell.read(this.act);
  }
  write(cell: Cell, value: Value): void {
    cell.add(value, this.wake);
  }

  /**
   * Runs `body` with a block of its own and gives what it left there.
   * @param guard what decides whether it runs at all.
   */
  nested(body: () => void, guard: Value | null = null): TraceBlock {
    const outer = this.block;
    const control = this.control;
    const own: TraceNode[] = [];
    this.block = own;
    if (guard) this.control = join(control, sourceOf(guard));
    try {
      body();
    } finally {
      this.block = outer;
      this.control = control;
    }
    return own;
  }
  push(node: TraceNode): void {
    this.block.push(node);
  }
  record<T extends Operation>(op: T): T {
    this.operations.push(op);
    this.push({ t: "op", op });
    return op;
  }
  /** What every operation has. */
  base(place: Place): {
    readonly place: Place;
    readonly activation: Act;
    readonly zone: Act["zone"];
    readonly tryDepth: number;
    readonly loops: readonly string[];
  } {
    return { place, activation: this.act, zone: this.act.zone, tryDepth: this.tryDepth, loops: this.loops };
  }

  origin(kind: PromiseOrigin["kind"], span: Span, what = ""): PromiseOrigin {
    return { key: `${this.act.n}/${what}${span[0]}:${span[1]}`, kind, place: this.place(span) };
  }

  /** Says how the promises in a value are used here. */
  sink(
    value: Value,
    how: Sink["how"],
    span: Span,
    more: Partial<Pick<Sink, "direct" | "combinator" | "by" | "chain">> = {},
  ): void {
    for (const atom of value.atoms)
      if (atom.a === "promise")
        this.sinks.push({
          origin: atom.origin.key,
          how,
          place: this.place(span),
          direct: more.direct ?? false,
          insideTry: this.tryDepth > 0,
          combinator: more.combinator ?? null,
          by: more.by ?? "",
          chain: more.chain ?? null,
        });
  }
}

/** An effect's kind and how it is told. */
export interface EffectNote {
  readonly effect: EffectKind;
  readonly what: string;
  readonly why: string;
}
