import type { CallExpr, FunctionId } from "../../types.js";
import type { Act } from "../act.js";
import type { Solver } from "../solver.js";
import type { CallOperation, EntryOperation } from "../types.js";
import { push } from "./multimap.js";

/** A call of an activation, as its caller wrote it. */
export interface Caller {
  readonly from: Act;
  readonly op: CallOperation;
}

/** Who calls whom, when all is solved: by activation, and by the call as it is written. */
export class CallIndex {
  private readonly byFunction = new Map<FunctionId, Act[]>();
  private readonly callers = new Map<Act, Caller[]>();
  private readonly operations = new Map<Act, ReadonlyMap<CallExpr, CallOperation | EntryOperation>>();

  constructor(solver: Solver) {
    for (const act of solver.acts) {
      push(this.byFunction, act.function.id, act);
      for (const { to, op } of act.calls) if (op !== null) push(this.callers, to, { from: act, op });
    }
  }

  /** The activations of a function, in the order in which they were made. */
  actsOf(fn: FunctionId): readonly Act[] {
    return this.byFunction.get(fn) ?? [];
  }

  callersOf(act: Act): readonly Caller[] {
    return this.callers.get(act) ?? [];
  }

  /** What a call in the body of an activation does: records an entry, or runs functions of the program. */
  operationOf(act: Act, call: CallExpr): CallOperation | EntryOperation | null {
    let known = this.operations.get(act);
    if (known === undefined) {
      const found = new Map<CallExpr, CallOperation | EntryOperation>();
      for (const op of act.operations) {
        if ((op.kind !== "call" && op.kind !== "entry") || op.call === null) continue;
        if (op.kind === "call" && !DIRECT.has(op.form)) continue;
        // One call of a thing that can be a function or a context's method: the entry is what it records.
        if (found.get(op.call)?.kind !== "entry") found.set(op.call, op);
      }
      this.operations.set(act, (known = found));
    }
    return known.get(call) ?? null;
  }
}

/** Forms in which the call runs the function itself; the others are run by what is called. */
const DIRECT: ReadonlySet<CallOperation["form"]> = new Set(["call", "new", "tag"]);

const INDEXES = new WeakMap<Solver, CallIndex>();

/** The index of a program that is solved. */
export function callIndexOf(solver: Solver): CallIndex {
  let index = INDEXES.get(solver);
  if (index === undefined) INDEXES.set(solver, (index = new CallIndex(solver)));
  return index;
}
