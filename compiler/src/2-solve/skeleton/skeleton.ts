import type { Expr } from "../../types.js";
import type { Act } from "../act.js";
import { differsIn } from "../values/loops.js";
import { readsOf } from "../computation/reads.js";
import type { Solver } from "../solver.js";
import type {
  CallOperation,
  ChoiceTrace,
  EntryOperation,
  ExitTrace,
  Guard,
  GuardInfo,
  NamePattern,
  ReadsOf,
  Skeleton,
  SkeletonBlock,
  SkeletonEntry,
  SkeletonNode,
  TraceBlock,
  TraceNode,
  TurnsHere,
  ValueInfo,
} from "../types.js";
import { surelyExits } from "./exits.js";
import {
  LEAVE_BLOCK,
  hasReturn,
  isThrow,
  leavesEarly,
  matters,
  someExit,
  trimmed,
  withoutExits,
  withoutTailBreaks,
  withoutTailReturns,
} from "./skeleton-exits.js";
import { armInTurn, inTurn, turnVariable, type TurnValues } from "../values/turn-values.js";

const MOST_NODES = 20_000;

/** The entries of a workflow as a tree: helpers inlined, all but entries, choices, loops and exits left out. */
export function skeletonOf(solver: Solver, run: readonly Act[], makesEntries: ReadonlySet<Act>): Skeleton {
  const builder = new Builder(solver, makesEntries);
  const bodies = run.map((act) => builder.scopeBody(act));
  const [first] = bodies;
  const body: SkeletonBlock =
    bodies.length === 1 && first
      ? first
      : bodies.length === 0
        ? []
        : [
            {
              kind: "choice",
              place: { file: "", span: [0, 0] },
              guard: UNKNOWN_GUARD,
              reads: null,
              arms: bodies,
            },
          ];
  return { body, functions: Object.fromEntries(builder.functions), cut: builder.cut };
}

const UNKNOWN_GUARD = { text: "", source: "unknown", gate: null } as const;
const CONSTANT_GUARD = { text: "", source: "constant", gate: null } as const;

/** Where a block stands: what `break` and `return` in it mean. */
interface Frame {
  /** Calls from the scope's callback to here. */
  readonly calls: readonly CallOperation[];
  readonly acts: readonly Act[];
  /** Native loops of this scope around here, innermost last. */
  readonly loops: readonly string[];
  /** What the variable of the innermost one is in each turn. */
  readonly turnValues: TurnValues | null;
  /** Turns of the innermost loop over constants in which this place can be reached, by number. */
  readonly turnsHere: TurnsHere | null;
  /** What the enclosing jumps (repeats and blocks of this activation) became, innermost last. */
  readonly jumps: readonly ("repeat" | "plain")[];
  readonly inHelper: boolean;
}

class Builder {
  readonly functions = new Map<string, SkeletonBlock>();
  private readonly recursive = new Map<Act, string>();
  /** Scopes whose body is being built. */
  private readonly open = new Set<Act>();
  private nodes = 0;
  /** True when there were too many nodes to take them all. */
  get cut(): boolean {
    return this.nodes > MOST_NODES;
  }

  constructor(
    private readonly solver: Solver,
    private readonly makesEntries: ReadonlySet<Act>,
  ) {}

  /** The name of a gate as its entry has it: with the values of a counted loop around it. */
  private inTurns(guard: Guard, value: ValueInfo, frame: Frame): Guard {
    const site = value.entries.find(({ method }) => method === "getVersion");
    const entry = guard.gate && site ? this.solver.entryAt(site.place) : null;
    if (guard.gate === null || entry === null) return guard;
    let hole = -1;
    const name = guard.gate.name.map((part) => {
      if (typeof part === "string") return part;
      hole += 1;
      const values = part.perIteration
        ? valuesOf(entry.turnExprs[0]?.[hole] ?? null, frame.turnValues)
        : undefined;
      return values === undefined ? part : { ...part, values };
    });
    return { ...guard, gate: { ...guard.gate, name } };
  }

  /** How a value that decides something here is computed. */
  private reads(value: ValueInfo | null, frame: Frame, cases: GuardInfo["cases"] = null): ReadsOf {
    if (!value?.expr) return null;
    return readsOf(this.solver, value, value.expr, { cases, acts: frame.acts, calls: frame.calls });
  }

  /** The body of a scope: of `run`, of a loop, a branch, a try block. One that opens itself again is named. */
  scopeBody(act: Act): SkeletonBlock {
    if (this.open.has(act)) return [{ kind: "call", to: this.nameOf(act) }];
    this.open.add(act);
    const frame: Frame = {
      calls: [],
      acts: [act],
      loops: [],
      turnValues: null,
      turnsHere: null,
      jumps: [],
      inHelper: false,
    };
    const body = trimmed(this.block(act.trace, frame));
    this.open.delete(act);
    const name = this.recursive.get(act);
    if (name !== undefined) this.functions.set(name, body);
    return body;
  }

  private block(trace: TraceBlock, frame: Frame): SkeletonBlock {
    let now = frame;
    return trace.flatMap((node) => {
      const nodes = this.node(node, now);
      now = frameBehind(node, now);
      return nodes;
    });
  }

  private node(node: TraceNode, frame: Frame): readonly SkeletonNode[] {
    this.nodes += 1;
    if (this.cut) return [];
    switch (node.t) {
      case "op":
        if (node.op.kind === "entry") return this.entry(node.op, frame);
        return node.op.kind === "call" ? this.call(node.op, frame) : [];
      case "exit":
        return this.exit(node, frame);
      case "choice": {
        const arms = node.arms.map((arm, index) => this.block(arm, frameInArm(node, index, frame)));
        if (arms.every((arm) => arm.length === 0)) return [];
        const { value, cases } = node.guard;
        const guard = this.inTurns(node.guard.guard, value, frame);
        return [{ kind: "choice", place: node.place, guard, reads: this.reads(value, frame, cases), arms }];
      }
      case "repeat": {
        const inner: Frame = {
          ...frame,
          loops: [...frame.loops, node.loop],
          turnValues: node.turnValues,
          turnsHere: node.turnValues && {
            loop: node.loop,
            of: node.turnValues,
            turns: node.turnValues.values.map((_, turn) => turn),
          },
          jumps: [...frame.jumps, "repeat"],
        };
        const body = this.block(node.body, inner);
        if (!matters(body)) return [];
        return [
          {
            kind: "repeat",
            place: node.place,
            loop: node.loop,
            form: node.form,
            guard: node.guard.guard,
            reads: this.reads(node.guard.value, frame),
            times: node.times,
            endless: node.endless,
            calls: frame.calls.length,
            body,
          },
        ];
      }
      case "try": {
        const block = this.block(node.block, frame);
        const handler = node.handler ? this.block(node.handler.body, frame) : [];
        const last = node.finalizer ? this.block(node.finalizer.body, frame) : [];
        // A handler that only throws on ends the scope, as if there were none.
        const goesOn = node.handler !== null && !isThrow(handler) && matters(block);
        if (handler.length === 0 && !goesOn) return [...block, ...last];
        const choice = {
          kind: "choice",
          place: node.handler?.place ?? node.place,
          guard: UNKNOWN_GUARD,
          reads: null,
        } as const;
        // The handler is reached from inside the block, so an exit of the block does not hide it.
        if (someExit(block, () => true)) {
          const before = withoutExits(block);
          const caught = goesOn ? { caught: { handlerAt: before.length } } : {};
          return [{ ...choice, arms: [block, [...before, ...handler]], ...caught }, ...last];
        }
        const caught = goesOn ? { caught: { covers: block.length } } : {};
        return [...block, { ...choice, arms: [[], handler], ...caught }, ...last];
      }
      case "block": {
        const plain = withoutTailBreaks(
          this.block(node.body, { ...frame, jumps: [...frame.jumps, "plain"] }),
        );
        if (!leavesEarly(plain)) return plain;
        // What `break` leaves from the middle is a loop of one turn.
        const body = this.block(node.body, {
          ...frame,
          turnValues: null,
          jumps: [...frame.jumps, "repeat"],
        });
        return [
          {
            kind: "repeat",
            place: node.place,
            loop: `block:${node.place.span[0]}`,
            form: null,
            guard: CONSTANT_GUARD,
            reads: null,
            times: 1,
            endless: false,
            calls: frame.calls.length,
            body,
          },
        ];
      }
    }
  }

  private exit(node: ExitTrace, frame: Frame): readonly SkeletonNode[] {
    switch (node.how) {
      case "throw":
        return [{ kind: "exit", how: "throw", depth: 0 }];
      case "return": {
        if (frame.inHelper) return [{ kind: "exit", how: "return", depth: 0 }];
        const outcomes = node.value?.instances ?? [];
        if (outcomes.includes("Loop.break") && outcomes.includes("Loop.continue"))
          return [
            {
              kind: "choice",
              place: node.place,
              guard: { ...UNKNOWN_GUARD, text: node.value?.text ?? "" },
              reads: this.reads(node.value, frame),
              arms: [
                [{ kind: "exit", how: "loop_break", depth: 0 }],
                [{ kind: "exit", how: "loop_continue", depth: 0 }],
              ],
            },
          ];
        const how = outcomes.includes("Loop.break")
          ? "loop_break"
          : outcomes.includes("Loop.continue")
            ? "loop_continue"
            : "return";
        return [{ kind: "exit", how, depth: 0 }];
      }
      case "break":
      case "continue": {
        const target = frame.jumps.length - 1 - node.depth;
        if (frame.jumps[target] === "plain" && node.how === "break") return [LEAVE_BLOCK];
        const depth = frame.jumps.slice(target + 1).filter((kind) => kind === "repeat").length;
        return [{ kind: "exit", how: node.how, depth }];
      }
    }
  }

  private call(op: CallOperation, frame: Frame): readonly SkeletonNode[] {
    const targets = op.targets.map((act) => act as Act).filter((act) => this.makesEntries.has(act));
    const arms = targets.map((act) => this.inlined(act, op, frame));
    const [only] = arms;
    if (arms.length === 0) return [];
    if (arms.length === 1 && op.targets.length === 1) return only ?? [];
    return [
      {
        kind: "choice",
        place: op.place,
        guard: { ...UNKNOWN_GUARD, text: op.text },
        reads: this.reads(op.callee, frame),
        arms: op.targets.length > arms.length ? [...arms, []] : arms,
      },
    ];
  }

  private inlined(act: Act, op: CallOperation, frame: Frame): SkeletonBlock {
    if (frame.acts.includes(act)) {
      const name = this.nameOf(act);
      return [{ kind: "call", to: name }];
    }
    const inner: Frame = {
      calls: [...frame.calls, op],
      acts: [...frame.acts, act],
      loops: frame.loops,
      turnValues: null,
      turnsHere: frame.turnsHere,
      jumps: [],
      inHelper: true,
    };
    const body = withoutTailReturns(this.block(act.trace, inner));
    const name = this.recursive.get(act);
    if (name !== undefined && !this.functions.has(name)) {
      this.functions.set(name, body);
      return [{ kind: "call", to: name }];
    }
    return hasReturn(body) ? [{ kind: "inline", body }] : body;
  }

  private nameOf(act: Act): string {
    let name = this.recursive.get(act);
    if (name === undefined) {
      const used = new Set(this.recursive.values());
      name = act.function.name;
      for (let n = 2; used.has(name); n += 1) name = `${act.function.name}#${n}`;
      this.recursive.set(act, name);
    }
    return name;
  }

  private entry(op: EntryOperation, frame: Frame): readonly SkeletonNode[] {
    const inner = frame.loops[frame.loops.length - 1];
    const bodies = this.bodies(op);
    const names: readonly NamePattern[] =
      op.names.length > 0 ? op.names : [[{ hole: "", perIteration: false }]];
    const nodes = names.map((name, index): SkeletonEntry => {
      // A value from a loop that is over varies no more.
      const variesIn = (op.variesIn[index] ?? []).map((loops) =>
        frame.loops.filter((loop) => differsIn(loops, loop)),
      );
      let hole = -1;
      const own = name.map((part) => {
        if (typeof part === "string") return part;
        hole += 1;
        const varies = variesIn[hole] ?? [];
        const perIteration = inner !== undefined && differsIn(varies, inner);
        const values = perIteration
          ? valuesOf(op.turnExprs[index]?.[hole] ?? null, frame.turnValues)
          : undefined;
        return { ...part, perIteration, ...(values === undefined ? {} : { values }) };
      });
      return {
        kind: "entry",
        op,
        name: own,
        variesIn,
        holes: op.holes[index] ?? [],
        reads: {
          name: this.reads(op.name, frame),
          branches: this.reads(op.branches, frame),
          timeout: this.reads(op.options["timeout"] ?? op.rest, frame),
          body: this.reads(op.options["run"] ?? null, frame),
        },
        turns: frame.turnsHere,
        calls: frame.calls,
        bodies,
      };
    });
    if (nodes.length === 1) return nodes;
    return [
      {
        kind: "choice",
        place: op.place,
        guard: {
          text: op.name.text,
          source:
            op.name.source === "effect" ? "unknown" : op.name.source === "gate" ? "recorded" : op.name.source,
          gate: null,
        },
        reads: this.reads(op.name, frame),
        arms: nodes.map((node) => [node]),
      },
    ];
  }

  private bodies(op: EntryOperation): SkeletonEntry["bodies"] {
    if (op.method !== "loop" && op.method !== "try" && op.method !== "join" && op.method !== "race")
      return [];
    return op.callbacks.flatMap((callback) =>
      callback.activations.map((act) => ({ name: callback.name, body: this.scopeBody(act as Act) })),
    );
  }
}

/** What a hole of a name is in each turn of the innermost loop, as text, when the code says it. */
function valuesOf(expr: Expr | null, turns: TurnValues | null): readonly string[] | undefined {
  if (expr === null || turns === null || turnVariable(expr) !== turns.binding) return undefined;
  const values = turns.values.map((value) => inTurn(expr, value));
  return values.includes(undefined) ? undefined : values.map(String);
}

/** What holds in one arm of a choice: in `if (i === 0) …` of a loop over constants only the first turn comes here. */
function frameInArm(node: ChoiceTrace, arm: number, frame: Frame): Frame {
  if (
    frame.turnsHere === null ||
    (node.form !== "if" && node.form !== "conditional" && node.form !== "switch")
  )
    return frame;
  const { of, turns } = frame.turnsHere;
  const { test, cases } = node.guard;
  const taken = turns.filter((turn) => {
    const takes = armInTurn(test, cases, of.binding, of.values[turn]);
    return takes === null || takes === arm;
  });
  return { ...frame, turnsHere: { ...frame.turnsHere, turns: taken } };
}

/** Behind a choice only those turns go on whose arm does not leave. */
function frameBehind(node: TraceNode, frame: Frame): Frame {
  if (node.t !== "choice" || frame.turnsHere === null) return frame;
  const going = new Set(
    node.arms.flatMap((arm, index) =>
      surelyExits(arm) ? [] : (frameInArm(node, index, frame).turnsHere?.turns ?? []),
    ),
  );
  return {
    ...frame,
    turnsHere: { ...frame.turnsHere, turns: frame.turnsHere.turns.filter((turn) => going.has(turn)) },
  };
}
