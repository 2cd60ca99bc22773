import type { FunctionFacts } from "../../types.js";
import type { Phase } from "../act.js";
import { FUNCTIONS } from "../values/heap.js";
import type { Run } from "./run.js";
import { valueOf, type Atom, type Value } from "../values/value.js";

/** True when a value holds a workflow's context, so that a function that gets it must be told apart. */
export function carries(value: Value, depth: number): boolean {
  return value.atoms.some((atom) => {
    switch (atom.a) {
      case "context":
        return true;
      case "closure":
        return atom.env?.scope !== null && atom.env?.scope !== undefined
          ? true
          : (atom.self !== null && depth > 0 && carries(atom.self, depth - 1)) ||
              atom.bound.some((bound) => depth > 0 && carries(bound, depth - 1));
      case "method":
        return depth > 0 && carries(atom.self, depth - 1);
      case "object":
        if (depth === 0 || !atom.obj.mayCarry) return false;
        for (const cell of atom.obj.fields.values()) if (carries(cell.value, depth - 1)) return true;
        return carries(atom.obj.rest.value, depth - 1);
      default:
        return false;
    }
  });
}

/** True when a value holds a function of the program. */
function holdsFunctions(value: Value, depth: number): boolean {
  return value.atoms.some((atom) => {
    if (FUNCTIONS.has(atom.a)) return true;
    if (atom.a !== "object" || depth === 0 || !atom.obj.mayHoldFunctions) return false;
    for (const [name, cell] of atom.obj.fields)
      if (name !== "constructor" && holdsFunctions(cell.value, depth - 1)) return true;
    return holdsFunctions(atom.obj.rest.value, depth - 1);
  });
}

/** What of the arguments tells one activation from another. */
export function circumstancesKey(
  run: Run,
  fn: FunctionFacts,
  phase: Phase,
  self: Value,
  args: readonly Value[],
  spread: Value | null,
  carrying: boolean,
): string {
  const constants = tellsConstants(run, fn, phase, carrying);
  const parts = args.slice(0, Math.max(fn.params.length, 1)).map((arg) => partKey(arg, carrying, constants));
  const missing = args.length < fn.params.length ? `/${args.length}` : "";
  return `${selfKey(self)}(${parts.join(",")}${spread ? `,...${partKey(spread, carrying, constants)}` : ""}${missing})`;
}

/** Workflow code is told apart by texts and numbers too: names of entries are made of them. */
export const tellsConstants = (run: Run, fn: FunctionFacts, phase: Phase, carrying: boolean): boolean =>
  (carrying || phase === "workflow") && run.solver.tellsConstants(fn, phase);

/** Objects of the program are told apart as `this`, so that each has its own fields. */
function selfKey(self: Value): string {
  return self.atoms
    .filter((atom) => atom.a === "object" || atom.a === "class" || atom.a === "context")
    .map((atom) => atom.key)
    .join("&");
}

function partKey(value: Value, carrying: boolean, constants: boolean): string {
  const keys: string[] = [];
  for (const atom of value.atoms) {
    const key = atomKey(atom, carrying, constants);
    if (key !== null) keys.push(key);
  }
  if (constants && value.varies.length > 0) keys.push(`@${value.varies.join()}`);
  return keys.join("|");
}

function atomKey(atom: Atom, carrying: boolean, constants: boolean): string | null {
  switch (atom.a) {
    case "context":
    case "closure":
    case "class":
    case "known":
    case "member":
    case "method":
      return atom.key;
    case "object":
      if (atom.obj.cls && !carries(valueOf(atom), 3) && !holdsFunctions(valueOf(atom), 2))
        return `k:${atom.obj.cls.id}`;
      return carries(valueOf(atom), 3) ||
        holdsFunctions(valueOf(atom), 2) ||
        (carrying && atom.obj.kind === "object")
        ? atom.key
        : null;
    case "const":
      return constants || atom.value === undefined ? atom.key : null;
    case "pattern":
      return constants ? atom.key : null;
    default:
      return null;
  }
}
