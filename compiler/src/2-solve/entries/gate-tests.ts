import type { Expr, Stmt } from "../../types.js";
import type { NamePattern } from "../../../../runtime/src/manifest/format.js";
import { stableName } from "./stable-name.js";
import type { EntryOperation } from "../types.js";

type Cases = Extract<Stmt, { s: "switch" }>["cases"];

/** Versions of a gate, both ends included; `null` = no upper end. */
export interface Range {
  readonly from: number;
  readonly to: number | null;
}

/** The gate's name as the manifest has it; `null` when it can't be read. */
export function gateName(entry: EntryOperation): NamePattern | null {
  const name = entry.names[0];
  return name ? stableName(name, entry.variesIn[0] ?? [], entry.holes[0] ?? []) : null;
}

/** The gate's latest version, when the code says it. */
export function latestOf(entry: EntryOperation): number | null {
  const known = entry.options["latest"]?.constants?.[0];
  return typeof known === "number" ? known : null;
}

/** Versions that take each arm of an `if` that compares the version with a number; `null` when it does not. */
export function armsOfTest(test: Expr, latest: number | null): readonly [Range, Range] | null {
  if (test.k === "unary" && test.op === "!") {
    const inner = armsOfTest(test.operand, latest);
    return inner && [inner[1], inner[0]];
  }
  if (test.k !== "binary") return null;
  const right = numberOf(test.right);
  const left = numberOf(test.left);
  if (right !== null) return ranges(test.op, right, latest);
  if (left !== null) return ranges(MIRRORED[test.op] ?? test.op, left, latest);
  return null;
}

const MIRRORED: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };
/** The number that an expression is written as. */
export const numberOf = (expr: Expr): number | null =>
  expr.k === "literal" && typeof expr.value === "number" ? expr.value : null;

function ranges(op: string, n: number, latest: number | null): readonly [Range, Range] | null {
  const rest: Range =
    n === 1 ? { from: 2, to: null } : n === latest ? { from: 1, to: n - 1 } : { from: 1, to: null };
  switch (op) {
    case "===":
    case "==":
      return [{ from: n, to: n }, rest];
    case "!==":
    case "!=":
      return [rest, { from: n, to: n }];
    case ">=":
      return [
        { from: n, to: null },
        { from: 1, to: n - 1 },
      ];
    case ">":
      return [
        { from: n + 1, to: null },
        { from: 1, to: n },
      ];
    case "<":
      return [
        { from: 1, to: n - 1 },
        { from: n, to: null },
      ];
    case "<=":
      return [
        { from: 1, to: n },
        { from: n + 1, to: null },
      ];
    default:
      return null;
  }
}

/** The same for a `switch`. */
export function armsOfSwitch(cases: Cases, latest: number | null): readonly Range[] | null {
  const numbers = cases.map((one) => (one.test ? numberOf(one.test) : null));
  const named = numbers.filter((each): each is number => each !== null);
  if (cases.some((one, index) => one.test && numbers[index] === null)) return null;
  const free: number[] = [];
  for (let version = 1; version <= (latest ?? Math.max(0, ...named) + 1); version += 1)
    if (!named.includes(version)) free.push(version);
  const rest: Range = { from: free[0] ?? Math.max(0, ...named) + 1, to: null };
  const arms = numbers.map((each) => (each === null ? rest : { from: each, to: each }));
  return cases.some((one) => one.test === null) ? arms : [...arms, rest];
}
