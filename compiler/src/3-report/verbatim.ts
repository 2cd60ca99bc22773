import type { Analysis } from "../2-solve/types.js";
import type { Expr, FunctionFacts, Place } from "../types.js";
import { declarationOf } from "./declarations.js";
import { bare, returnsOf, within } from "./facts-walk.js";

/** A part of a value that is there as it was read: `expr` and, from it, the properties `path`. */
export interface VerbatimPart {
  readonly expr: Expr;
  readonly path: readonly string[];
  readonly place: Place;
  /** The innermost expression of the value itself that it comes through. */
  readonly via: Place;
  /** Where it stands in the value: `["apiKey"]`. */
  readonly into: readonly string[];
}

/** Calls that give their receiver or first argument back, perhaps in another form. */
const SAME_VALUE = new Set([
  "trim",
  "toString",
  "valueOf",
  "String",
  "Buffer.from",
  "Object.freeze",
  "structuredClone",
  "Uint8Array",
]);

/**
 * The parts that a value is put together from unchanged: through constants, object and array literals,
 * templates, `??`, `?:` and helpers that return them. What a call makes of its arguments (a hash, a
 * response) is not followed: it is a part of its own.
 *
 * @param file that the expression is in
 */
export function verbatimParts(analysis: Analysis, expr: Expr, file: string): readonly VerbatimPart[] {
  const found: VerbatimPart[] = [];
  const seen = new Set<Expr>();

  const visit = (
    raw: Expr,
    path: readonly string[],
    where: string,
    into: readonly string[],
    depth: number,
    near: Expr,
  ): void => {
    const one = bare(raw);
    const here = where === file && within(one.span, expr.span) ? one : near;
    if (depth > 12 || (path.length === 0 && seen.has(one))) return;
    if (path.length === 0) seen.add(one);
    const leaf = (): void => {
      found.push({
        expr: one,
        path,
        place: { file: where, span: one.span },
        via: { file, span: here.span },
        into,
      });
    };
    const go = (next: Expr, from = path, to = into, inFile = where): void => {
      visit(next, from, inFile, to, depth + 1, here);
    };
    switch (one.k) {
      case "logical":
        if (one.op !== "&&") go(one.left);
        return go(one.right);
      case "conditional":
        go(one.then);
        return go(one.else);
      case "sequence":
        return one.items.slice(-1).forEach((item) => {
          go(item);
        });
      case "binary":
        if (one.op !== "+") return leaf();
        go(one.left);
        return go(one.right);
      case "template":
        return one.parts.forEach((part) => {
          go(part);
        });
      case "array":
        return one.items.forEach((item) => {
          go(item.value, [], into);
        });
      case "object":
        for (const prop of one.props) {
          if (prop.kind === "spread") go(prop.value);
          else if (path.length === 0) go(prop.value, [], prop.key === null ? into : [...into, prop.key]);
          else if (prop.key === path[0]) go(prop.value, path.slice(1));
        }
        return;
      case "member":
        if (one.property === null || one.object.k !== "name") return leaf();
        if (one.object.ref.to !== "binding") return leaf();
        return go(one.object, [one.property, ...path]);
      case "name": {
        const declared = one.ref.to === "binding" ? declarationOf(analysis, one.ref.id) : null;
        if (declared?.is !== "value" || !declared.constant) return leaf();
        return go(declared.init, [...declared.path, ...path], into, fileOf(one));
      }
      case "call": {
        const same = sameValue(one);
        if (same) return go(same);
        const target = calledFunction(analysis, one.callee);
        if (!target || path.length > 0) return leaf();
        for (const returned of returnsOf(target.body)) go(returned, [], into, target.file);
        return;
      }
      default:
        return leaf();
    }
  };

  const fileOf = (name: Expr): string => {
    if (name.k !== "name" || name.ref.to !== "binding") return file;
    return name.ref.id.slice(0, name.ref.id.lastIndexOf(":"));
  };
  visit(expr, [], file, [], 0, expr);
  return found;
}

function sameValue(call: Extract<Expr, { k: "call" }>): Expr | null {
  const { callee } = call;
  if (callee.k === "name" && callee.ref.to === "global" && SAME_VALUE.has(callee.name))
    return call.args[0]?.value ?? null;
  if (callee.k !== "member" || callee.property === null) return null;
  if (callee.object.k === "name" && SAME_VALUE.has(`${callee.object.name}.${callee.property}`))
    return call.args[0]?.value ?? null;
  return SAME_VALUE.has(callee.property) ? callee.object : null;
}

/** The function of the program that a plain name stands for. */
export function calledFunction(analysis: Analysis, callee: Expr): FunctionFacts | null {
  if (callee.k === "function") return analysis.functionOf(callee.id);
  if (callee.k !== "name" || callee.ref.to !== "binding") return null;
  const declared = declarationOf(analysis, callee.ref.id);
  if (declared?.is === "function") return analysis.functionOf(declared.id);
  if (declared?.is !== "value" || !declared.constant || declared.path.length > 0) return null;
  return declared.init.k === "function" ? analysis.functionOf(declared.init.id) : null;
}
