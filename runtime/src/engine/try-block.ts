import { FatalError, RollbackError } from "./errors.js";
import { errorData, isNamed, sourceOf, type TryStepFailure } from "./failure.js";
import { Scope, type ContextOf } from "./scope.js";
import type { ErrorData } from "./seam.js";

export type TryCatchKind = "step" | "join" | "race" | "rollback";

export interface TryConfig {
  readonly name: string;
  readonly run: (context: never) => unknown;
  /** Default: step, join, race. */
  readonly catch?: readonly TryCatchKind[] | undefined;
}

/** Seed, "Handling terminal failures as data". */
export interface TryFailure {
  readonly source: "step" | "join" | "race" | "block";
  readonly name: string;
  readonly error: ErrorData;
  readonly step?: TryStepFailure;
}

/**
 * A try block: a scope without a record of its own, that gives the terminal failure of a step, join or
 * race in it as data. Other errors pass through.
 */
export async function runTry(
  scope: Scope,
  config: TryConfig,
  contextOf: ContextOf,
): Promise<{ ok: true; value: unknown } | { ok: false; failure: TryFailure }> {
  const place = scope.reserve(config.name);
  const inner = new Scope(scope.pass, scope.strand, place, scope);
  try {
    return await inner.run(
      () => config.run(contextOf(inner) as never),
      () => `Try block "${place.shown}"`,
      (value) => ({ ok: true, value }),
    );
  } catch (error) {
    const failure = error instanceof FatalError ? undefined : failureOf(config.name, error);
    if (failure === undefined || !(config.catch ?? CAUGHT_BY_DEFAULT).includes(catchKind(failure)))
      throw error;
    return { ok: false, failure };
  }
}

const CAUGHT_BY_DEFAULT: readonly TryCatchKind[] = ["step", "join", "race"];

function failureOf(block: string, error: unknown): TryFailure | undefined {
  const source = sourceOf(error);
  if (source?.step !== undefined)
    return { source: "step", name: source.name, error: source.step.error, step: source.step };
  if (source !== undefined) return { source: source.source, name: source.name, error: errorData(error) };
  if (isNamed(error, RollbackError)) return { source: "block", name: block, error: errorData(error) };
  return undefined;
}

function catchKind(failure: TryFailure): TryCatchKind {
  return failure.source === "block" || failure.step?.kind === "rollback" ? "rollback" : failure.source;
}
