import type { Place, Span } from "../../types.js";
import type { Act } from "../act.js";
import type { Run } from "./run.js";
import type { Solver } from "../solver.js";
import type { SharedOperation, Zone } from "../types.js";

/** A read or write of process-local state; where that is changed is worked out when all is solved. */
export class Shared implements SharedOperation {
  readonly kind = "shared";
  readonly place: Place;
  readonly activation: Act;
  readonly tryDepth: number;
  readonly loops: readonly string[];
  private readonly solver: Solver;
  constructor(
    run: Run,
    span: Span,
    readonly name: string,
    readonly mode: SharedOperation["mode"],
    readonly what: SharedOperation["what"],
    readonly declared: Place,
    private readonly change: (solver: Solver) => Place | null,
  ) {
    this.place = run.place(span);
    this.activation = run.act;
    this.tryDepth = run.tryDepth;
    this.loops = run.loops;
    this.solver = run.solver;
  }
  get zone(): Zone {
    return this.activation.zone;
  }
  get changedAt(): Place | null {
    return this.change(this.solver);
  }
}
