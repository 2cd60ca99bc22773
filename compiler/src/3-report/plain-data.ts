import type { Analysis } from "../2-solve/types.js";
import type { Expr, FunctionFacts } from "../types.js";
import { returnsOf } from "./facts-walk.js";
import { calledFunction } from "./verbatim.js";

/** Calls of the program's own functions that are followed, one in the other. */
const DEEPEST = 6;

/** Data, or a promise of it, which comes back from a record as it was. `null` = reading does not tell. */
type Given = "data" | "promise" | null;

/**
 * Whether what a function gives when it is called and awaited is surely plain data, as its written return type or
 * else what it returns tells. `false`: reading does not tell, the type checker may.
 */
export function givesData(analysis: Analysis, fn: FunctionFacts): boolean {
  return givenBy(fn, DEEPEST) !== null;

  function givenBy(called: FunctionFacts, left: number): Given {
    if (called.writtenReturn === "unsure" || called.generator || left === 0) return null;
    if (called.writtenReturn != null) return called.writtenReturn;
    const returned = returnsOf(called.body).map((expr) => valueOf(expr, left));
    if (returned.length === 0 || returned.includes(null)) return null;
    return called.async || returned.includes("promise") ? "promise" : "data";
  }

  function valueOf(expr: Expr, left: number): Given {
    switch (expr.k) {
      case "literal":
        return expr.type === "regex" ? null : "data";
      case "template":
      case "unary":
      case "binary":
        return "data";
      case "await":
        return valueOf(expr.operand, left) === null ? null : "data";
      case "conditional":
        return either(valueOf(expr.then, left), valueOf(expr.else, left));
      case "logical":
        return either(valueOf(expr.left, left), valueOf(expr.right, left));
      case "array":
        return expr.items.every((item) => !item.spread && valueOf(item.value, left) === "data")
          ? "data"
          : null;
      case "object":
        return expr.props.every((prop) => prop.kind === "value" && valueOf(prop.value, left) === "data")
          ? "data"
          : null;
      case "call": {
        const target = expr.form === "call" ? calledFunction(analysis, expr.callee) : null;
        return target && givenBy(target, left - 1);
      }
      default:
        return null;
    }
  }
}

function either(one: Given, other: Given): Given {
  if (one === null || other === null) return null;
  return one === "promise" ? one : other;
}
