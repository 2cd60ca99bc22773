import type { Activation, ExitTrace, Operation, TraceBlock, TraceNode } from "../2-solve/types.js";

/** What a walk along all paths carries and does. `State` is a value, never `null`: the methods give new ones. */
export interface PathVisitor<State extends object> {
  /** Where two paths meet. */
  join(left: State, right: State): State;
  /** @param spot where the walk is */
  operation(operation: Operation, state: State, spot: Spot): State;
  /** A path ends by `throw`. */
  thrown?(exit: ExitTrace, state: State, spot: Spot): void;
}

export interface Spot {
  /** The operation of the first function that led here; the operation itself in that function. */
  readonly anchor: Operation | null;
  /** Inside a `try` whose `catch` keeps errors from going on. */
  readonly caught: boolean;
}

/**
 * Walks every path through a function and the program's functions that it calls: arms of a choice are
 * alternatives, a native loop is walked twice, recursion once.
 *
 * @returns the state at the end; `null` when no path comes to it
 */
export function followPaths<State extends object>(
  activation: Activation,
  start: State,
  visitor: PathVisitor<State>,
): State | null {
  return new Walk(visitor).function(activation, start, { anchor: null, caught: false });
}

/** `work().catch(…)`: its failure does not go on. */
function isHandled(operation: Operation): boolean {
  if (operation.kind !== "effect" && operation.kind !== "access" && operation.kind !== "call") return false;
  return operation.use.how === "chained" && operation.use.handled;
}

class Walk<State extends object> {
  private readonly entered = new Set<string>();
  /** States that leave the current function by `return`. */
  private returned: State | null = null;

  constructor(private readonly visitor: PathVisitor<State>) {}

  function(activation: Activation, start: State, spot: Spot): State | null {
    if (this.entered.has(activation.id)) return start;
    this.entered.add(activation.id);
    const outer = this.returned;
    this.returned = null;
    const end = this.meet(this.block(activation.trace, start, spot, []), this.returned);
    this.returned = outer;
    this.entered.delete(activation.id);
    return end;
  }

  /** @param left per enclosing loop or block, innermost last: the states that leave it by `break`. */
  private block(block: TraceBlock, start: State, spot: Spot, left: { state: State | null }[]): State | null {
    let now: State | null = start;
    for (const node of block) {
      if (now === null) return null;
      now = this.node(node, now, spot, left);
    }
    return now;
  }

  private node(node: TraceNode, state: State, spot: Spot, left: { state: State | null }[]): State | null {
    switch (node.t) {
      case "op":
        return this.operation(node.op, state, spot);
      case "choice":
        return node.arms
          .map((arm) => this.block(arm, state, spot, left))
          .reduce((a, b) => this.meet(a, b), null);
      case "repeat": {
        const out: { state: State | null } = { state: null };
        const first = this.block(node.body, state, spot, [...left, out]);
        const again =
          first === null || node.times === 1 ? first : this.block(node.body, first, spot, [...left, out]);
        return this.meet(this.meet(node.endless ? null : state, this.meet(first, again)), out.state);
      }
      case "block": {
        const out: { state: State | null } = { state: null };
        return this.meet(this.block(node.body, state, spot, [...left, out]), out.state);
      }
      case "try": {
        const keeps = node.handler !== null && node.handler.rethrows === "never";
        const inside = this.block(node.block, state, { ...spot, caught: spot.caught || keeps }, left);
        const handled = node.handler
          ? this.block(node.handler.body, this.meet(state, inside) ?? state, spot, left)
          : null;
        const end = this.meet(inside, handled);
        if (!node.finalizer) return end;
        const last = this.block(node.finalizer.body, end ?? state, spot, left);
        return end === null ? null : last;
      }
      case "exit":
        return this.exit(node, state, spot, left);
    }
  }

  private exit(node: ExitTrace, state: State, spot: Spot, left: { state: State | null }[]): null {
    if (node.how === "throw") this.visitor.thrown?.(node, state, spot);
    else if (node.how === "return") this.returned = this.meet(this.returned, state);
    else {
      const target = left[left.length - 1 - node.depth];
      if (target) target.state = this.meet(target.state, state);
    }
    return null;
  }

  private operation(operation: Operation, state: State, spot: Spot): State | null {
    const here = { anchor: spot.anchor ?? operation, caught: spot.caught || isHandled(operation) };
    const after = this.visitor.operation(operation, state, here);
    if (operation.kind !== "call" || operation.targets.length === 0) return after;
    return operation.targets
      .map((target) => this.function(target, after, here))
      .reduce((a, b) => this.meet(a, b), null);
  }

  private meet(left: State | null, right: State | null): State | null {
    if (left === null || right === null) return left ?? right;
    return this.visitor.join(left, right);
  }
}
