import type {
  Activation,
  EntryOperation,
  EntrySite,
  Operation,
  Rule,
  TraceBlock,
  TraceNode,
  ValueInfo,
} from "../../2-solve/types.js";
import { reportAt } from "../report-at.js";

/** A completable message must be completed on every path before the next queue wait and the end. */
export const completeMessages: Rule = (analysis, report) => {
  for (const activation of analysis.activations) {
    if (activation.zone !== "workflow") continue;
    for (const receipt of activation.operations) {
      if (receipt.kind !== "entry" || !isCompletable(receipt)) continue;
      const path = new Paths(receipt);
      path.run(activation.trace);
      if (!path.open) continue;
      const before = path.open;
      reportAt(analysis, receipt, report, () => ({
        rule: "complete-messages",
        message: `The message of this \`queue.${receipt.method}\` is not completed on every path before ${before}: its sender waits in vain`,
        help: "Call `await message.complete(response)` on each path, the early returns included.",
      }));
    }
  }
};

function isCompletable(operation: EntryOperation): boolean {
  return (
    operation.entry === "message" && operation.options["completable"]?.constants?.includes(true) === true
  );
}

/** Whether the message is not received yet, waits for completion, or is done with. Paths carry sets of these. */
type State = "before" | "pending" | "done";
type States = ReadonlySet<State>;

const none = (): States => new Set();
const union = (sets: readonly States[]): States => new Set(sets.flatMap((set) => [...set]));

/** Follows the paths of one activation from a receipt. */
class Paths {
  /** Where a path was found that leaves the message open: for the text of the finding. */
  open: string | null = null;
  /** In a helper that is given the message: the states that it returns with. */
  private returned: Set<State> | null = null;

  /** @param helpers functions that are being followed, so that recursion ends */
  constructor(
    private readonly receipt: EntryOperation,
    private readonly helpers: readonly Activation[] = [],
  ) {}

  run(trace: TraceBlock): void {
    if (this.block(trace, new Set<State>(["before"]), []).has("pending")) this.open = "the end";
  }

  /** The states that a helper leaves behind which is called while the message waits. */
  private behind(helper: Activation): States {
    if (this.helpers.includes(helper)) return new Set<State>(["done"]);
    const inner = new Paths(this.receipt, [...this.helpers, helper]);
    inner.returned = new Set();
    const end = inner.block(helper.trace, new Set<State>(["pending"]), []);
    this.open ??= inner.open;
    return union([end, inner.returned]);
  }

  /** @param breaks per enclosing loop or block, innermost last: the states that leave through `break`. */
  private block(block: TraceBlock, states: States, breaks: readonly Set<State>[]): States {
    let now = states;
    for (const node of block) now = this.node(node, now, breaks);
    return now;
  }

  private node(node: TraceNode, states: States, breaks: readonly Set<State>[]): States {
    switch (node.t) {
      case "op":
        return this.operation(node.op, states);
      case "choice": {
        const asks = this.asksForMessage(node.guard.value);
        const isEmpty = asks ? armWithoutMessage(node.arms, this.receipt) : () => false;
        return union(
          node.arms.map((arm) => this.block(arm, isEmpty(arm) ? settled(states) : states, breaks)),
        );
      }
      case "repeat": {
        const left = new Set<State>();
        const after = this.block(node.body, states, [...breaks, left]);
        // A loop over the batch completes each message that there is.
        const emptied = completesIn(node.body, this.receipt) && this.asksForMessage(node.guard.value);
        return union([node.endless ? none() : emptied ? settled(states) : states, after, left]);
      }
      case "block": {
        const left = new Set<State>();
        return union([this.block(node.body, states, [...breaks, left]), left]);
      }
      case "try": {
        const inside = this.block(node.block, states, breaks);
        // `try { await message.complete(…) } catch …`: it is the answer itself that failed.
        const thrown = beginsWithCompletion(node.block, this.receipt)
          ? settled(states)
          : union([states, inside]);
        const handled = node.handler ? this.block(node.handler.body, thrown, breaks) : none();
        return this.block(node.finalizer?.body ?? [], union([inside, handled]), breaks);
      }
      case "exit":
        return this.exit(node, states, breaks);
    }
  }

  private exit(
    node: Extract<TraceNode, { t: "exit" }>,
    states: States,
    breaks: readonly Set<State>[],
  ): States {
    if (node.how === "return" && this.returned) for (const state of states) this.returned.add(state);
    else if (
      node.how === "return" &&
      states.has("pending") &&
      !(node.value && mentions(node.value, this.receipt))
    )
      this.open = "this workflow code returns";
    if (node.how === "break" || node.how === "continue")
      for (const state of states) breaks[breaks.length - 1 - node.depth]?.add(state);
    return none();
  }

  private operation(operation: Operation, states: States): States {
    if (operation === this.receipt) {
      if (states.has("pending")) this.open = "the next turn";
      return states.size > 0 ? new Set<State>(["pending"]) : none();
    }
    if (completes(operation, this.receipt, new Set())) {
      const helpers = operation.kind === "call" && operation.form === "call" ? operation.targets : [];
      if (helpers.length === 0 || !states.has("pending")) return settled(states);
      return union([settled(states), ...helpers.map((helper) => this.behind(helper))]);
    }
    if (operation.kind === "entry" && operation.entry === "message" && states.has("pending")) {
      this.open = "the next wait";
      return settled(states);
    }
    return states;
  }

  /** `if (!message)`, `if (batch.length === 0)`: an arm may be the one without a message. */
  private asksForMessage(guard: ValueInfo): boolean {
    return readsOnly(guard, this.receipt, ["0", "length", "complete"]);
  }
}

/**
 * Which arm of a test for the message's presence is the one without a message: the one that leaves, or the one
 * beside the arm that completes it.
 */
function armWithoutMessage(
  arms: readonly TraceBlock[],
  receipt: EntryOperation,
): (arm: TraceBlock) => boolean {
  const completing = arms.filter((arm) => completesIn(arm, receipt));
  return (arm) =>
    !completing.includes(arm) && (completing.length > 0 || arm.some((node) => node.t === "exit"));
}

const settled = (states: States): States =>
  new Set([...states].map((state) => (state === "pending" ? "done" : state)));

const isAt = (site: EntrySite, receipt: EntryOperation): boolean =>
  site.place.file === receipt.place.file && site.place.span[0] === receipt.place.span[0];

/** The value holds the message itself, not only data out of its body. */
const mentions = (value: ValueInfo, receipt: EntryOperation): boolean => readsOnly(value, receipt, ["0"]);

/** True when the value comes from the receipt and from nothing deeper in it than these properties. */
function readsOnly(value: ValueInfo, receipt: EntryOperation, properties: readonly string[]): boolean {
  const sites = value.entries.filter((site) => isAt(site, receipt));
  return (
    sites.length > 0 &&
    sites.every(
      ({ path: [first, ...deeper] }) =>
        first === undefined || (deeper.length === 0 && properties.includes(first)),
    )
  );
}

/** The first thing that happens in a block is the answer. */
function beginsWithCompletion(block: TraceBlock, receipt: EntryOperation): boolean {
  const first = block.find((node) => node.t !== "op" || DOES.has(node.op.kind));
  return first?.t === "op" && completes(first.op, receipt, new Set());
}

/** Operations that can fail. */
const DOES: ReadonlySet<Operation["kind"]> = new Set(["entry", "call", "effect", "access", "complete"]);

function completesIn(block: TraceBlock, receipt: EntryOperation): boolean {
  return block.some((node) => {
    switch (node.t) {
      case "op":
        return completes(node.op, receipt, new Set());
      case "exit":
        return false;
      case "choice":
        return node.arms.some((arm) => completesIn(arm, receipt));
      case "repeat":
      case "block":
        return completesIn(node.body, receipt);
      case "try":
        return completesIn(node.block, receipt) || completesIn(node.finalizer?.body ?? [], receipt);
    }
  });
}

/** The operation itself, a function or step body that it runs, or code that can't be read and gets the message. */
function completes(operation: Operation, receipt: EntryOperation, seen: Set<string>): boolean {
  if (operation.kind === "complete") return isAt(operation.entry, receipt);
  if (operation.kind === "effect" && operation.effect === "unknown")
    return operation.args.some((argument) => mentions(argument, receipt));
  const inner: readonly Activation[] =
    operation.kind === "call"
      ? operation.targets
      : operation.kind === "entry" && operation !== receipt
        ? operation.callbacks.flatMap((callback) =>
            callback.role === "rollback" ? [] : callback.activations,
          )
        : [];
  return inner.some((activation) => {
    if (seen.has(activation.id)) return false;
    seen.add(activation.id);
    return activation.operations.some((one) => completes(one, receipt, seen));
  });
}
