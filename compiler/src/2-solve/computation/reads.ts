import { createHash } from "node:crypto";
import type { Expr, Stmt } from "../../types.js";
import type { GateRange, Reading, Reads } from "../../../../runtime/src/manifest/format.js";
import type { Act } from "../act.js";
import { armsOfSwitch, armsOfTest, gateName, latestOf, type Range } from "../entries/gate-tests.js";
import type { Solver } from "../solver.js";
import type { CallOperation, Computed, EntryOperation, Scope, ValueInfo } from "../types.js";
import { Computation } from "./computation.js";
import { calledFrame, frameOf, type Frame } from "./frame.js";

type Cases = Extract<Stmt, { s: "switch" }>["cases"];

/** The way on which the code is reached that evaluates a value. */
export interface Way {
  /** Of a `switch`: what the value is compared with. */
  readonly cases: Cases | null;
  /** From the scope's callback to the activation that evaluates it, and the calls between them. */
  readonly acts: readonly Act[];
  readonly calls: readonly CallOperation[];
}

/** More combinations of versions are not told apart. */
const MOST_COMBINATIONS = 16;

/** What a value that decides something is computed from. */
export function readsOf(solver: Solver, value: ValueInfo, expr: Expr, way: Way): Computed {
  const negated = expr.k === "unary" && expr.op === "!";
  const asked = negated ? expr.operand : expr;
  let known: Reads | null = null;
  return {
    negated,
    reads: () => (known ??= { entries: entriesRead(solver, value), ways: waysOf(solver, asked, way) }),
  };
}

/** The entries whose results a value was computed from, by name and path. */
function entriesRead(solver: Solver, value: ValueInfo): string[] {
  const named = value.entries.flatMap(({ place, path }) => {
    const name = solver.entryAt(place)?.names[0];
    if (name === undefined) return [];
    return [[name.map((part) => (typeof part === "string" ? part : "${…}")).join(""), ...path].join(".")];
  });
  return [...new Set(named)].sort();
}

function waysOf(solver: Solver, asked: Expr, way: Way): readonly Reading[] {
  const found: Reading[] = [];
  for (let script: readonly number[] | null = []; script !== null;) {
    // Then the gates are recorded data like any other.
    if (found.length === MOST_COMBINATIONS)
      return [{ native: nativeOf(new Computation(solver, () => null), asked, way) }];
    const versions: Versions = new Versions(way, script);
    const computation = new Computation(solver, (test, gate) => versions.arm(test, gate));
    const native = nativeOf(computation, asked, way);
    found.push({ native, when: versions.ranges() });
    script = versions.next();
  }
  const [first] = found;
  // Versions that make no difference are not told apart.
  return first !== undefined && found.every(({ native }) => native === first.native)
    ? [{ native: first.native }]
    : found;
}

function nativeOf(computation: Computation, expr: Expr, way: Way): string {
  const frame = frameFor(way);
  const texts = [expr, ...(way.cases ?? []).map((one) => one.test)].map((each) =>
    each === null ? "default" : computation.of(each, frame),
  );
  return createHash("sha256").update(texts.join("\n")).digest("hex").slice(0, 16);
}

function frameFor({ acts, calls }: Way): Frame {
  const [first, ...rest] = acts;
  if (first === undefined) throw new Error("a value is evaluated in an activation");
  return rest.reduce<Frame>((frame, act, index) => {
    const call = calls[index];
    return call === undefined ? frameOf(act) : calledFrame(act, call, frame);
  }, frameOf(first));
}

/** One combination of versions of the gates that a computation asks, found while it is followed. */
class Versions {
  private readonly taken: { readonly arm: number; readonly left: number }[] = [];
  private readonly known = new Map<string, { readonly gate: EntryOperation; readonly range: Range }>();
  /** The scopes whose gates are sure to be known where the value is evaluated: its own, and those around it. */
  private readonly scopes = new Set<string>();

  constructor(
    way: Way,
    private readonly script: readonly number[],
  ) {
    let scope: Scope | null = way.acts.at(-1)?.scope ?? null;
    for (; scope; scope = scope.parent) this.scopes.add(scope.id);
  }

  arm(test: { readonly expr: Expr; readonly cases: Cases | null }, gate: EntryOperation): number | null {
    if (!this.scopes.has(gate.context.scope.id) || gateName(gate) === null) return null;
    const latest = latestOf(gate);
    const arms = test.cases ? armsOfSwitch(test.cases, latest) : armsOfTest(test.expr, latest);
    if (arms === null) return null;
    const key = `${gate.place.file}:${gate.place.span[0]}`;
    const now = this.known.get(key)?.range ?? { from: 1, to: null };
    const open = arms.flatMap((range, index) => {
      const both = overlap(now, range);
      return both === null ? [] : [{ index, both }];
    });
    const pick = open.length > 1 ? open[this.choose(open.length)] : open[0];
    if (pick === undefined) return null;
    this.known.set(key, { gate, range: pick.both });
    return pick.index;
  }

  private choose(options: number): number {
    const arm = this.script[this.taken.length] ?? 0;
    this.taken.push({ arm, left: options - arm - 1 });
    return arm;
  }

  ranges(): GateRange[] {
    return [...this.known.values()].flatMap(({ gate, range }) => {
      const name = gateName(gate);
      return name === null ? [] : [{ name, from: range.from, to: range.to }];
    });
  }

  /** The choices of the next combination; `null` when this was the last. */
  next(): readonly number[] | null {
    const at = this.taken.findLastIndex((each) => each.left > 0);
    if (at < 0) return null;
    return this.taken.slice(0, at + 1).map(({ arm }, index) => (index === at ? arm + 1 : arm));
  }
}

function overlap(one: Range, other: Range): Range | null {
  const from = Math.max(one.from, other.from);
  const to = one.to === null ? other.to : other.to === null ? one.to : Math.min(one.to, other.to);
  return to !== null && to < from ? null : { from, to };
}
