import { decodeValue, encodeOutput, type EncodedValue } from "./codec.js";
import type { LoopData } from "./entry.js";
import { UsageError } from "./errors.js";
import type { Place } from "./history.js";
import { iterationSegment, readSegment } from "./names.js";
import { never } from "./strand.js";
import { Scope, type ContextOf } from "./scope.js";

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
export async function runLoop(scope: Scope, config: LoopConfig, contextOf: ContextOf): Promise<unknown> {
  const { pass } = scope;
  const place = scope.visit(config.name, "loop");
  const loop: RunningLoop = { scope, config, place, contextOf };
  if (pass.mode === "rollback")
    return place.data === undefined ? scope.strand.stop() : repeatTurns(loop, place.data);
  if (place.data?.status === "completed") return decodeValue(place.data.value);
  let data = place.data ?? pass.add(place, "loop", "running", 0, encode(config.state, place));
  const { interval, size } = readPruning(loop);
  /** A turn does something that can be undone as long as the checkpoint around the loop holds. */
  const keepTurns = (): void => {
    if (!scope.checkpoint || data.undo !== undefined) return;
    data = { ...data, undo: { from: data.detail, state: data.value } };
    pass.recordLater(place, data);
  };
  for (;;) {
    if (pass.stopping) return never();
    const turn = await runTurn(loop, data.detail, data.value, keepTurns);
    if (pass.dead) return never();
    scope.goOn(config.name);
    const next = data.detail + 1;
    if ("break" in turn) {
      const value = encode(turn.value, place);
      data = { ...data, status: "completed", completedAt: pass.run.clock.now(), value };
      pass.record(place, data);
      prune(loop, data, next - size);
      return decodeValue(value);
    }
    data = { ...data, detail: next, value: encode(turn.state, place) };
    pass.recordLater(place, data);
    if (next % interval === 0) prune(loop, data, next - size);
  }
}

/** What does not change from turn to turn. */
interface RunningLoop {
  readonly scope: Scope;
  readonly config: LoopConfig;
  readonly place: Place;
  readonly contextOf: ContextOf;
}

/**
 * For a rollback: runs the turns again that are to be undone, over what they recorded. A turn that has ended
 * is settled, unless a checkpoint was set before the loop; then all are, from the first that did something
 * that can be undone.
 */
async function repeatTurns(loop: RunningLoop, data: LoopData): Promise<unknown> {
  const completed = data.status === "completed";
  if (completed && data.undo === undefined) return decodeValue(data.value);
  let { from, state } = data.undo ?? { from: data.detail, state: data.value };
  for (; from <= data.detail; from++) {
    const turn = await runTurn(loop, from, state);
    if ("break" in turn) break;
    state = encode(turn.state, loop.place);
  }
  return completed ? decodeValue(data.value) : loop.scope.strand.stop(); // the history ends in the turn in hand
}

function encode(value: unknown, place: Place): EncodedValue {
  return encodeOutput(value, "The state or result of loop", place.path);
}

function runTurn(
  { scope, config, place, contextOf }: RunningLoop,
  iteration: number,
  state: EncodedValue,
  keepTurns?: () => void,
): Promise<LoopResult<unknown, unknown>> {
  const turnPlace = place.child(iterationSegment(iteration));
  const turn = new Scope(scope.pass, scope.strand, turnPlace, scope, keepTurns);
  return turn.run(
    () => config.run(contextOf(turn) as never, decodeValue(state) as never),
    () => `Iteration ${iteration} of loop "${place.shown}"`,
    (result) => readResult(result, config, place),
  );
}

function readResult(result: unknown, config: LoopConfig, place: Place): LoopResult<unknown, unknown> {
  if (result === undefined && config.state === undefined) return { continue: true, state: undefined };
  const { break: ends, continue: goesOn } = (result ?? {}) as { break?: unknown; continue?: unknown };
  if (ends === true || goesOn === true) return result as LoopResult<unknown, unknown>;
  const what =
    result === undefined
      ? "returned nothing, though the loop has a state"
      : `returned a plain value (${typeof result})`;
  throw new UsageError(
    "loop_result",
    `Loop "${place.shown}": its body ${what}. Return Loop.continue(state) for another turn or Loop.break(value) to end.`,
    place.shown,
  );
}

function readPruning({ config, place }: RunningLoop): { interval: number; size: number } {
  const interval = config.historyPruneInterval ?? DEFAULT_HISTORY_PRUNE_INTERVAL;
  const size = config.historySize ?? interval;
  if (Number.isInteger(interval) && interval > 0 && Number.isInteger(size) && size >= 0)
    return { interval, size };
  throw new UsageError(
    "loop_options",
    `Loop "${place.shown}": historyPruneInterval must be a whole number of at least 1 and historySize of at least 0.`,
    place.shown,
  );
}

/** Forgets the turns before `before` that no rollback needs: one range in the store, and those still in memory. */
function prune({ scope, place }: RunningLoop, data: LoopData, before: number): void {
  const keepFrom = Math.min(before, data.undo?.from ?? Infinity);
  let first: string | undefined;
  for (const turn of place.children) {
    if (Number(readSegment(turn.segment)) >= keepFrom) break; // children of a loop are its turns
    first ??= turn.key;
    turn.remove();
  }
  if (first !== undefined)
    scope.pass.run.journal.deleteRange(first, `${place.key}/${iterationSegment(keepFrom)}`);
}
