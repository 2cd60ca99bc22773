import type { Expr, Stmt } from "../types.js";
import type { Guard, GuardSource, NamePattern } from "../../../runtime/src/manifest/format.js";
import { evaluate } from "./expressions.js";
import { infoOf } from "./infos.js";
import { printNormal } from "./print.js";
import type { Run } from "./run.js";
import type { GuardInfo } from "./types.js";
import { sitesOf, type RecordedSite, type Value } from "./value.js";

type Cases = Extract<Stmt, { s: "switch" }>["cases"];
type Range = { readonly from: number; readonly to: number | null };

/** What decides between arms (or how often a loop turns); worked out when asked for. */
export function guardOf(run: Run, test: Expr | null, value: Value, cases: Cases | null): GuardInfo {
  let guard: Guard | null = null;
  const asksVersion = value.gate && test !== null && isTestOfVersion(run, test, value, cases);
  return {
    get guard() {
      return (guard ??= makeGuard(run, test, value, cases, asksVersion));
    },
    value: infoOf(run, test, value),
    test,
    cases,
  };
}

/**
 * True when what is compared is the version itself, not what was made of it or depends on it: of `n = v + 3`
 * nothing is known but that it is recorded.
 */
function isTestOfVersion(run: Run, test: Expr, value: Value, cases: Cases | null): boolean {
  if (cases !== null) return isVersion(value);
  if (test.k === "unary" && test.op === "!") return isTestOfVersion(run, test.operand, value, null);
  if (test.k !== "binary") return false;
  const asked = numberOf(test.right) === null ? test.right : test.left;
  // Anything but a name is the call of the gate, which is not made a second time here.
  return asked.k === "name" ? isVersion(evaluate(run, asked)) : asked.k === "await";
}

const isVersion = (value: Value): boolean =>
  value.atoms.length === 1 &&
  !value.data &&
  value.atoms.every((atom) => atom.a === "recorded" && atom.site.method === "getVersion");

function makeGuard(
  run: Run,
  test: Expr | null,
  value: Value,
  cases: Cases | null,
  asksVersion: boolean,
): Guard {
  const labels = cases?.map((one) => (one.test ? printNormal(run, one.test) : "default"));
  const text = test ? printNormal(run, test) + (labels ? ` : ${labels.join(" | ")}` : "") : "";
  if (asksVersion && test) {
    const gate = gateOf(run, test, value, cases);
    if (gate) return { text, source: "gate", gate };
  }
  const asks = asksOf(run, value);
  return { text, source: sourceOf(value), gate: null, ...(asks.length > 0 && { asks }) };
}

/** The entries whose results a value was computed from, by name and path: see `Guard.asks`. */
function asksOf(run: Run, value: Value): string[] {
  const named = sitesOf(value).flatMap((site) => {
    if (site.method === "shared") return [];
    const name = site.method === "input" ? "input" : nameAt(run, site);
    return name === null ? [] : [[name, ...site.path].join(".")];
  });
  return [...new Set(named)].sort();
}

function nameAt(run: Run, { place }: RecordedSite): string | null {
  const name = run.solver.entryAt(place)?.names[0];
  return name?.map((part) => (typeof part === "string" ? part : "${…}")).join("") ?? null;
}

function sourceOf(value: Value): GuardSource {
  const sites = sitesOf(value);
  if (value.open || value.effects.length > 0 || sites.some((site) => site.method === "shared"))
    return "unknown";
  return sites.length > 0 ? "recorded" : "constant";
}

/** Versions that take each arm of a test of a gate. */
function gateOf(run: Run, test: Expr, value: Value, cases: Cases | null): Guard["gate"] {
  const site = sitesOf(value).find((each) => each.method === "getVersion");
  const entry = site && run.solver.entryAt(site.place);
  const name = entry?.names[0];
  if (!entry || !name) return null;
  const known = entry.options["latest"]?.constants?.[0];
  const latest = typeof known === "number" ? known : null;
  const arms = cases ? armsOfSwitch(cases, latest) : armsOfTest(test, latest);
  return arms && { name: stable(name, entry.holes[0] ?? [], entry.variesIn[0] ?? []), arms };
}

/** The gate's name as the manifest has it: what `nodeName` makes of the entry's own. */
function stable(
  name: NamePattern,
  holes: readonly string[],
  variesIn: readonly (readonly string[])[],
): NamePattern {
  let index = -1;
  return name.map((part) => {
    if (typeof part === "string") return part;
    index += 1;
    const perIteration = part.perIteration || (variesIn[index] ?? []).length > 0;
    return { ...part, hole: holes[index] ?? part.hole, perIteration };
  });
}

function armsOfTest(test: Expr, latest: number | null): readonly [Range, Range] | null {
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
const numberOf = (expr: Expr): number | null =>
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

function armsOfSwitch(cases: Cases, latest: number | null): readonly Range[] | null {
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
