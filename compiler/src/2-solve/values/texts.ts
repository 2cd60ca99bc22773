import type { Expr } from "../../types.js";
import { callMethod } from "../evaluate/methods.js";
import { printExpr, printStable } from "./print.js";
import type { Run } from "../evaluate/run.js";
import { turnVariable } from "./turn-values.js";
import {
  constant,
  constantsOf,
  DATA,
  derived,
  join,
  sourceOf,
  valueOf,
  withVaries,
  type PatternPart,
  type Value,
} from "./value.js";

/** A text that grows in a loop gets no longer than this. */
const MOST_PARTS = 32;

/** A text put together from literal parts and values. */
export function concat(
  run: Run,
  parts: readonly (string | { readonly expr: Expr; readonly value: Value })[],
): Value {
  const values = parts.flatMap((part) => (typeof part === "string" ? [] : [part.value]));
  let alternatives: PatternPart[][] = [[]];
  for (const part of parts) {
    const options: PatternPart[][] =
      typeof part === "string" ? [[part]] : optionsOf(run, part.expr, part.value);
    const next = alternatives.flatMap((before) => options.map((option) => [...before, ...option]));
    alternatives =
      next.length <= 6 ? next : alternatives.map((before) => [...before, holeOf(run, part, part)]);
  }
  let out: Value | null = null;
  for (const alternative of alternatives) {
    const merged = merge(alternative);
    const [only] = merged;
    const value =
      merged.length === 0
        ? constant("")
        : merged.length === 1 && typeof only === "string"
          ? constant(only)
          : merged.length > MOST_PARTS
            ? DATA
            : valueOf({
                a: "pattern",
                key: `p:${merged.map((part) => (typeof part === "string" ? JSON.stringify(part) : `{${part.text}@${part.varies.join()}}`)).join("")}`,
                parts: merged,
              });
    out = out ? join(out, value) : value;
  }
  // Keep where the parts come from beside what the text looks like.
  return values.map(sourceOf).reduce(join, out ?? constant(""));
}

function holeOf(
  run: Run,
  part: string | { readonly expr: Expr; readonly value: Value },
  _: unknown,
): PatternPart {
  if (typeof part === "string") return part;
  return {
    text: printExpr(run, part.expr),
    normal: printStable(run, part.expr),
    varies: derived(part.value).varies,
    turnExpr: turnVariable(part.expr) === null ? null : part.expr,
  };
}

function optionsOf(run: Run, expr: Expr, value: Value): PatternPart[][] {
  const constants = value.varies.length === 0 ? constantsOf(value) : null;
  if (constants && constants.length <= 4) return constants.map((one) => [String(one)]);
  const patterns = value.atoms.flatMap((atom) =>
    atom.a === "pattern" ? [atom.parts.map((part) => withLoops(part, value.varies))] : [],
  );
  if (patterns.length > 0 && patterns.length === value.atoms.length && !value.data && !value.open)
    return patterns;
  return [[holeOf(run, { expr, value }, null)]];
}

/** A text that is another one in each turn of a loop: so are its holes. */
const withLoops = (part: PatternPart, loops: readonly string[]): PatternPart =>
  typeof part === "string" || loops.length === 0
    ? part
    : { ...part, varies: [...new Set([...part.varies, ...loops])].sort() };

function merge(parts: readonly PatternPart[]): PatternPart[] {
  const out: PatternPart[] = [];
  for (const part of parts) {
    const last = out[out.length - 1];
    if (typeof part === "string" && typeof last === "string") out[out.length - 1] = last + part;
    else if (part !== "") out.push(part);
  }
  return out;
}

/** A value made a text or a number: its `toString`, `valueOf` … are called. */
export function coerce(run: Run, expr: Expr, value: Value): Value {
  let called: Value | null = null;
  for (const atom of value.atoms) {
    if (atom.a !== "object" || atom.obj.kind === "array" || atom.obj.kind === "map") continue;
    for (const name of ["[Symbol.toPrimitive]", "toString", "valueOf", "toJSON"]) {
      const result = callMethod(run, valueOf(atom), name, [], expr.span, "coercion");
      if (result) called = called ? join(called, result) : result;
    }
  }
  return called ? withVaries(called, value.varies) : value;
}
