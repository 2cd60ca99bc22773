import { decodeValue, encodeOutput, type EncodedValue } from "./codec.js";
import { HISTORY_PREFIX, type LoopData } from "./entry.js";
import { UsageError } from "./errors.js";
import type { Place } from "./history.js";
import { iterationSegment, readSegment } from "./names.js";
import { never } from "./strand.js";
import { Scope } from "./scope.js";

/** Result of one turn of a loop; made with `Loop.continue` and `Loop.break`. */
export type LoopResult<S, T> =
  { readonly continue: true; readonly state: S } | { readonly break: true; readonly value: T };

interface LoopResults {
  /** Another turn, with this state. */
  continue(): { continue: true; state: undefined };
  continue<S>(state: S): { continue: true; state: S };
  /** Ends the loop; `ctx.loop` gives the value. */
  break(): { break: true; value: undefined };
  break<T>(value: T): { break: true; value: T };
}

/** What the body of a loop returns. */
export const Loop: LoopResults = {
  continue: (state?: unknown): { continue: true; state: never } => ({
    continue: true,
    state: state as never,
  }),
  break: (value?: unknown): { break: true; value: never } => ({ break: true, value: value as never }),
};

export interface LoopConfig {
  readonly name: string;
  /** First state; without it the loop is stateless and its body may return nothing. */
  readonly state?: unknown;
  readonly run: (context: never, state: never) => unknown;
  /** Turns between two prunings. Default 20. */
  readonly historyPruneInterval?: number | undefined;
  /** Turns whose history is kept. Default: the interval. */
  readonly historySize?: number | undefined;
}

export const DEFAULT_HISTORY_PRUNE_INTERVAL = 20;

/**
 * A loop: turn after turn, each a scope of its own, until one breaks.
 *
 * 1. The record holds the number and the state of the turn in hand. It rides with the commits of the turn:
 *    a turn that is run again reads what it recorded and ends the same.
 * 2. Nothing that is done per turn depends on how many there were.
 */
export async function runLoop(
  scope: Scope,
  config: LoopConfig,
  contextOf: (scope: Scope) => unknown,
): Promise<unknown> {
  const { pass } = scope;
  const place = scope.visit(config.name);
  const recorded = scope.recorded(place, "loop");
  if (pass.mode === "rollback")
    return recorded === undefined
      ? scope.strand.stop()
      : repeatTurns(scope, config, place, recorded, contextOf);
  if (recorded?.status === "completed") return decodeValue(recorded.value);
  let data = recorded ?? begin(scope, config, place);
  const pruning = readPruning(scope, config);
  /** A turn does something that can be undone as long as the checkpoint around the loop holds. */
  const keepTurns = (): void => {
    if (!scope.checkpoint || data.undo !== undefined) return;
    data = { ...data, undo: { from: data.detail, state: data.value } };
    pass.recordLater(place, data);
  };
  for (;;) {
    if (pass.dead || pass.evicting) return never();
    const turn = await runTurn(scope, config, place, data.detail, data.value, contextOf, keepTurns);
    scope.goOn(config.name);
    const next = data.detail + 1;
    if ("break" in turn) {
      const value = encode(turn.value, place);
      data = { ...data, status: "completed", completedAt: pass.run.clock.now(), value };
      pass.record(place, data);
      prune(scope, place, data, next - pruning.size);
      return decodeValue(value);
    }
    data = { ...data, detail: next, value: encode(turn.state, place) };
    pass.recordLater(place, data);
    if (next % pruning.interval === 0) prune(scope, place, data, next - pruning.size);
  }
}

/**
 * For a rollback: runs the turns again that are to be undone, over what they recorded. A turn that has ended
 * is settled, unless a checkpoint was set before the loop; then all are, from the first that did something
 * that can be undone.
 */
async function repeatTurns(
  scope: Scope,
  config: LoopConfig,
  place: Place,
  data: LoopData,
  contextOf: (scope: Scope) => unknown,
): Promise<unknown> {
  const completed = data.status === "completed";
  if (completed && data.undo === undefined) return decodeValue(data.value);
  let { from, state } = data.undo ?? { from: data.detail, state: data.value };
  for (; from <= data.detail; from++) {
    const turn = await runTurn(scope, config, place, from, state, contextOf);
    if ("break" in turn) break;
    state = encode(turn.state, place);
  }
  return completed ? decodeValue(data.value) : scope.strand.stop(); // the history ends in the turn in hand
}

function begin(scope: Scope, config: LoopConfig, place: Place): LoopData {
  const { run } = scope.pass;
  const data: LoopData = {
    kind: "loop",
    seq: run.nextSeq(),
    status: "running",
    startedAt: run.clock.now(),
    completedAt: 0,
    detail: 0,
    value: encode(config.state, place),
  };
  scope.pass.record(place, data);
  return data;
}

function encode(value: unknown, place: Place): EncodedValue {
  return encodeOutput(value, "The state or result of loop", place.path);
}

async function runTurn(
  scope: Scope,
  config: LoopConfig,
  place: Place,
  iteration: number,
  state: EncodedValue,
  contextOf: (scope: Scope) => unknown,
  keepTurns?: () => void,
): Promise<LoopResult<unknown, unknown>> {
  const turn = new Scope(
    scope.pass,
    scope.strand,
    place.child(iterationSegment(iteration)),
    scope,
    keepTurns,
  );
  let result: unknown;
  try {
    result = await turn.call(() => config.run(contextOf(turn) as never, decodeValue(state) as never));
  } catch (error) {
    turn.close();
    throw error;
  }
  turn.end(() => `Iteration ${iteration} of loop "${scope.pathOf(config.name)}"`);
  return readResult(result, scope, config);
}

function readResult(result: unknown, scope: Scope, config: LoopConfig): LoopResult<unknown, unknown> {
  if (result === undefined && config.state === undefined) return { continue: true, state: undefined };
  if (typeof result === "object" && result !== null) {
    if ((result as { break?: unknown }).break === true)
      return { break: true, value: (result as { value?: unknown }).value };
    if ((result as { continue?: unknown }).continue === true)
      return { continue: true, state: (result as { state?: unknown }).state };
  }
  const path = scope.pathOf(config.name);
  const what =
    result === undefined
      ? "returned nothing, though the loop has a state"
      : `returned a plain value (${typeof result})`;
  throw new UsageError(
    "loop_result",
    `Loop "${path}": its body ${what}. Return Loop.continue(state) for another turn or Loop.break(value) to end.`,
    path,
  );
}

function readPruning(scope: Scope, config: LoopConfig): { interval: number; size: number } {
  const interval = config.historyPruneInterval ?? DEFAULT_HISTORY_PRUNE_INTERVAL;
  const size = config.historySize ?? interval;
  if (!Number.isInteger(interval) || interval < 1 || !Number.isInteger(size) || size < 0) {
    const path = scope.pathOf(config.name);
    throw new UsageError(
      "loop_options",
      `Loop "${path}": historyPruneInterval must be a whole number of at least 1 and historySize of at least 0.`,
      path,
    );
  }
  return { interval, size };
}

/** Forgets the turns before `before` that no rollback needs: one range in the store, and those still in memory. */
function prune(scope: Scope, place: Place, data: LoopData, before: number): void {
  const keepFrom = Math.min(before, data.undo?.from ?? Infinity);
  let first: number | undefined;
  for (const turn of place.children.values()) {
    const iteration = readSegment(turn.segment) as number; // children of a loop are its turns
    if (iteration >= keepFrom) break;
    first ??= iteration;
    turn.remove();
  }
  if (first === undefined) return;
  const prefix = `${HISTORY_PREFIX}${place.path}/`;
  scope.pass.run.journal.deleteRange(prefix + iterationSegment(first), prefix + iterationSegment(keepFrom));
}
