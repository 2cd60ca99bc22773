import type {
  Activation,
  EntryOperation,
  ExitTrace,
  Finding,
  Rule,
  TraceBlock,
  ValueInfo,
} from "../../2-solve/types.js";
import { isPackageFile } from "../../2-solve/program.js";
import { bare, returnsOf, statementsIn } from "../facts-walk.js";
import { placeOfHead } from "./place-of-head.js";

/** What the body of a `ctx.loop` may return, and must return when the loop has a state. */
export const loopResult: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "entry" || operation.method !== "loop") continue;
    const [route] = analysis.routesTo(operation);
    if (!route) continue;
    const found = (message: string, help: string, place: Finding["place"]): void => {
      report({ rule: "loop-result", message, help, place, chain: route.chain, otherWays: route.otherWays });
    };
    for (const body of bodiesOf(operation)) checkBody(operation, body, found);
  }
};

function bodiesOf(operation: EntryOperation): readonly Activation[] {
  return operation.callbacks.flatMap((callback) => (callback.role === "body" ? callback.activations : []));
}

function checkBody(
  operation: EntryOperation,
  body: Activation,
  found: (message: string, help: string, place: Finding["place"]) => void,
): void {
  const hasState = operation.options["state"] !== undefined;
  for (const dropped of droppedOutcomes(body))
    found(
      `\`${dropped.text}\` is not returned, so it does nothing: the loop goes on as if it were not there`,
      `Put \`return\` in front of it.`,
      dropped.place,
    );
  const end = endsOf(body.trace);
  for (const exit of end.returns) {
    if (hasState && (exit.value === null || isNothing(exit.value)))
      found(
        "This path of the loop's body returns nothing, so the loop has no state to go on with",
        "Return `Loop.continue(nextState)`, or `Loop.break(result)` to end the loop.",
        exit.place,
      );
    else if (exit.value && isPlain(exit.value, exit, hasState))
      found(
        `The loop's body returns \`${exit.value.text}\`, which does not end the loop`,
        hasState
          ? `Return \`Loop.break(${exit.value.text})\` to end the loop with it, or \`Loop.continue(…)\` to go on with a new state.`
          : `Return \`Loop.break(${exit.value.text})\` to end the loop with it, or nothing to go on.`,
        exit.place,
      );
  }
  if (hasState && end.falls)
    found(
      "The body of this loop can end without a result, so the loop has no state to go on with",
      EVERY_PATH,
      placeOfHead(body.function),
    );
  if (hasState) for (const helper of returnedHelpers(body, new Set([body]))) checkHelper(helper, found);
}

/** `Loop.break(result);` as a statement. */
function droppedOutcomes({ function: fn }: Activation): readonly { text: string; place: Finding["place"] }[] {
  return [...statementsIn(fn.body)].flatMap((stmt) => {
    const call = stmt.s === "expr" ? bare(stmt.expr) : null;
    if (call?.k !== "call" || call.callee.k !== "member") return [];
    const { object, property } = call.callee;
    const isLoop = object.k === "name" && object.ref.to === "external" && object.ref.name === "Loop";
    if (!isLoop || (property !== "break" && property !== "continue")) return [];
    return [{ text: `Loop.${property}(…)`, place: { file: fn.file, span: call.span } }];
  });
}

const EVERY_PATH = "End every path with `return Loop.continue(nextState)` or `return Loop.break(result)`.";

/** A function whose result is the body's: `run: (loopCtx, state) => one(loopCtx, state)`. */
function checkHelper(
  helper: Activation,
  found: (message: string, help: string, place: Finding["place"]) => void,
): void {
  const { name } = helper.function;
  const lost = `\`${name}\` gives the loop its next state, but returns nothing here: the loop has no state to go on with`;
  const end = endsOf(helper.trace);
  for (const exit of end.returns)
    if (exit.value === null || isNothing(exit.value)) found(lost, EVERY_PATH, exit.place);
  if (end.falls)
    found(
      `\`${name}\` gives the loop its next state, but can end without a result`,
      EVERY_PATH,
      placeOfHead(helper.function),
    );
}

/** The functions that a body returns the results of, and those that they do. */
function returnedHelpers(body: Activation, seen: Set<Activation>): readonly Activation[] {
  for (const returned of returnsOf(body.function.body)) {
    const call = bare(returned);
    if (call.k !== "call") continue;
    for (const operation of body.operations) {
      if (operation.kind !== "call" || operation.form !== "call") continue;
      if (operation.place.span[0] !== call.span[0] || operation.place.span[1] < call.callee.span[1]) continue;
      for (const target of operation.targets) {
        if (seen.has(target) || isPackageFile(target.function.file)) continue;
        seen.add(target);
        returnedHelpers(target, seen);
      }
    }
  }
  return [...seen].slice(1);
}

const isNothing = (value: ValueInfo): boolean =>
  value.constants !== null && value.constants.length > 0 && value.constants.every((one) => one === undefined);

/**
 * A value that is surely not made by `Loop`. The result of a concise arrow (`async (l) => l.sleep(…)`) or
 * of an entry that is returned at once is taken for the nothing that a stateless body gives.
 */
function isPlain(value: ValueInfo, exit: ExitTrace, hasState: boolean): boolean {
  if (value.instances.some((name) => name.includes("Loop"))) return false;
  if (isNothing(value)) return false;
  const concise = exit.place.span[0] === value.place.span[0] && exit.place.span[1] === value.place.span[1];
  if (!hasState && (concise || value.text.includes("("))) return false;
  const isLiteral = value.constants !== null && value.constants.some((one) => one !== undefined);
  return isLiteral || value.fields !== null || (value.entries.length > 0 && !value.text.includes("("));
}

/** The returns of a body, and whether its end can be reached. */
function endsOf(block: TraceBlock): { returns: ExitTrace[]; falls: boolean } {
  const returns: ExitTrace[] = [];
  let falls = true;
  for (const node of block) {
    switch (node.t) {
      case "op":
        break;
      case "exit":
        if (node.how === "return") returns.push(node);
        falls = false;
        break;
      case "choice": {
        const arms = node.arms.map(endsOf);
        returns.push(...arms.flatMap((arm) => arm.returns));
        // An arm that breaks out of a loop or a switch goes on behind that, which its block tells.
        falls &&= arms.some((arm) => arm.falls);
        break;
      }
      case "repeat": {
        const turn = endsOf(node.body);
        returns.push(...turn.returns);
        falls &&= !node.endless || breaksOut(node.body, 0);
        break;
      }
      case "block": {
        const inner = endsOf(node.body);
        returns.push(...inner.returns);
        falls &&= inner.falls || breaksOut(node.body, 0);
        break;
      }
      case "try": {
        const parts = [endsOf(node.block), ...(node.handler ? [endsOf(node.handler.body)] : [])];
        const last = node.finalizer ? endsOf(node.finalizer.body) : null;
        returns.push(...parts.flatMap((part) => part.returns), ...(last?.returns ?? []));
        falls &&= parts.some((part) => part.falls) && (last?.falls ?? true);
        break;
      }
    }
    if (!falls) break;
  }
  return { returns, falls };
}

/** Whether some `break` leaves the loop or block that is `depth` levels out. */
function breaksOut(block: TraceBlock, depth: number): boolean {
  return block.some((node) => {
    switch (node.t) {
      case "op":
        return false;
      case "exit":
        return node.how === "break" && node.depth === depth;
      case "choice":
        return node.arms.some((arm) => breaksOut(arm, depth));
      case "repeat":
      case "block":
        return breaksOut(node.body, depth + 1);
      case "try":
        return [node.block, node.handler?.body ?? [], node.finalizer?.body ?? []].some((part) =>
          breaksOut(part, depth),
        );
    }
  });
}
