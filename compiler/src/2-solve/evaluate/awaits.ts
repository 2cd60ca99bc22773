import type { Expr, Span } from "../../types.js";
import { infoOf } from "../values/infos.js";
import { printExpr } from "../values/print.js";
import type { Run } from "./run.js";
import type { AwaitOperation } from "../types.js";
import { settled, withVaries, type Value } from "../values/value.js";

const RANK = ["pure", "entry", "unknown", "effect", "foreign"] as const;

/** `await`: uses the promises in the value and gives what they resolve to. */
export function awaitValue(run: Run, value: Value, span: Span, operand: Expr | null, direct = false): Value {
  run.sink(value, "await", span, { direct });
  let rank = value.open ? RANK.indexOf("unknown") : 0;
  for (const atom of value.atoms) {
    if (atom.a !== "promise") continue;
    const { kind, place } = atom.origin;
    // A promise that was made when the process started, or in a hook, is not this workflow's own.
    const outer = run.solver.madeOutside(atom.origin.key) && kind !== "settled";
    const own =
      kind === "entry"
        ? "entry"
        : outer
          ? "foreign"
          : kind === "call" || kind === "settled"
            ? "pure"
            : kind === "access"
              ? "effect"
              : kind;
    void place;
    rank = Math.max(rank, RANK.indexOf(own));
  }
  run.record<AwaitOperation>({
    kind: "await",
    ...run.base(run.place(span)),
    text: operand ? printExpr(run, operand) : "",
    waitsFor: RANK[rank] ?? "unknown",
    value: infoOf(run, operand, value),
  });
  const result = settled(value);
  const fresh = result.atoms.some((atom) => atom.a === "recorded");
  return fresh && direct ? withVaries(result, run.loops) : result;
}

/** True for a call, seen through casts and choices. */
export function isCall(expr: Expr): boolean {
  switch (expr.k) {
    case "call":
      return true;
    case "cast":
      return isCall(expr.operand);
    case "conditional":
      return isCall(expr.then) && isCall(expr.else);
    case "logical":
      return isCall(expr.right) && (isCall(expr.left) || expr.op === "&&");
    default:
      return false;
  }
}
