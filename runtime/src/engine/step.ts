import { Attempt } from "./attempt.js";
import { decodeValue, encodeValue, type EncodedValue } from "./codec.js";
import type { StepData, StepDetail, StepFailureKind } from "./entry.js";
import {
  RollbackCheckpointError,
  RollbackError,
  CriticalError,
  StepExhaustedError,
  UsageError,
} from "./errors.js";
import { errorData, isNamed, restoreError, sourceOf, withSource, type TryStepFailure } from "./failure.js";
import type { Place } from "./history.js";
import { readablePath } from "./names.js";
import { never } from "./pass.js";
import type { Scope } from "./scope.js";
import type { ErrorData } from "./seam.js";

/** Seed, "Timeouts". Times in ms. */
export interface StepConfig {
  readonly name: string;
  readonly run: (context: never) => unknown;
  /** Undoes a completed step. Needs a checkpoint before it. */
  readonly rollback?: ((context: never, output: never) => unknown) | undefined;
  /** The output is kept with the next commit of anything instead of one of its own. */
  readonly ephemeral?: boolean | undefined;
  /** Attempts after the first. Default 3. */
  readonly maxRetries?: number | undefined;
  /** Pause before the first retry; it doubles with each. Default 100. */
  readonly retryBackoffBase?: number | undefined;
  /** Longest pause. Default 30,000. */
  readonly retryBackoffMax?: number | undefined;
  /** Default 30,000; 0 = none. */
  readonly timeout?: number | undefined;
  /** A timeout is tried again like any error instead of being critical. Default false. */
  readonly retryOnTimeout?: boolean | undefined;
}

export const DEFAULT_MAX_RETRIES = 3;
export const DEFAULT_RETRY_BACKOFF_BASE = 100;
export const DEFAULT_RETRY_BACKOFF_MAX = 30_000;
export const DEFAULT_STEP_TIMEOUT = 30_000;

/** The pause in ms after the `attempt`-th failure (from 1). No jitter, so that it can be foretold. */
export function retryDelay(
  attempt: number,
  base = DEFAULT_RETRY_BACKOFF_BASE,
  max = DEFAULT_RETRY_BACKOFF_MAX,
): number {
  return Math.min(max, base * 2 ** (attempt - 1));
}

/**
 * A step: replays its recorded outcome, or runs its body until one can be recorded.
 *
 * 1. A body is not run again once its outcome is recorded, whatever the outcome (design §4.10).
 * 2. What user code gets, value or error, is made from the record, on the first run as on replay.
 * 3. The promise resolves when the record is durable (but for `ephemeral`).
 */
export async function runStep(scope: Scope, config: StepConfig): Promise<unknown> {
  if (config.rollback !== undefined && !scope.checkpoint)
    throw new RollbackCheckpointError(scope.pathOf(config.name));
  const place = scope.visit(config.name);
  checkOptions(config, scope.pathOf(config.name));
  let data = scope.recorded(place, "step");
  if (data?.status !== "completed" && data?.status !== "exhausted") {
    if (scope.pass.mode === "rollback") return scope.strand.stop();
    if (data === undefined) scope.checkNewStep(place);
    data = await attemptUntilRecorded(scope, config, place, data);
  }
  if (data.status === "exhausted") throw stepFailure(config.name, place, data);
  if (config.rollback !== undefined) scope.pass.run.noteRollback(scope.pass, place, config);
  return decodeValue(data.value);
}

/** `tryStep`: a failure of the step, of the kinds listed, as data. */
export async function runTryStep(
  scope: Scope,
  config: StepConfig & { readonly catch?: readonly StepFailureKind[] | undefined },
): Promise<{ ok: true; value: unknown } | { ok: false; failure: TryStepFailure }> {
  try {
    return { ok: true, value: await runStep(scope, config) };
  } catch (error) {
    const failure = sourceOf(error)?.step;
    if (failure === undefined || !(config.catch ?? CAUGHT_BY_DEFAULT).includes(failure.kind)) throw error;
    return { ok: false, failure };
  }
}

const CAUGHT_BY_DEFAULT: readonly StepFailureKind[] = ["critical", "timeout", "exhausted"];

async function attemptUntilRecorded(
  scope: Scope,
  config: StepConfig,
  place: Place,
  recorded: StepData | undefined,
): Promise<StepData> {
  let data = recorded;
  for (;;) {
    const retryAt = data?.detail.retryAt;
    if (retryAt !== undefined) await scope.strand.wait(retryAt, (now) => (now >= retryAt ? true : undefined));
    data = await attemptOnce(scope, config, place, data);
    if (scope.pass.evicting) return never();
    if (data.status !== "failed") return data;
  }
}

async function attemptOnce(
  scope: Scope,
  config: StepConfig,
  place: Place,
  before: StepData | undefined,
): Promise<StepData> {
  const { pass, strand } = scope;
  const { run } = pass;
  const startedAt = before?.startedAt ?? run.clock.now();
  const attempts = (before?.detail.attempts ?? 0) + 1;
  const attempt = new Attempt(
    strand,
    place,
    "step",
    config.name,
    attempts,
    config.maxRetries ?? DEFAULT_MAX_RETRIES,
  );
  let result = await attempt.run(
    config.run as (context: unknown) => unknown,
    config.timeout ?? DEFAULT_STEP_TIMEOUT,
  );
  let value: EncodedValue;
  if (result.ok) {
    try {
      value =
        result.value === undefined ? undefined : encodeValue(result.value, "The output of step", place.path);
    } catch (error) {
      result = { ok: false, error, timedOut: false };
    }
  }
  const seq = before?.seq ?? run.nextSeq();
  if (result.ok) {
    const completed: StepData = {
      kind: "step",
      seq,
      status: "completed",
      startedAt,
      completedAt: run.clock.now(),
      detail: { attempts },
      value,
    };
    try {
      attempt.end("completed"); // throws when the host can't keep what the step changed
      pass.record(place, completed);
    } catch (error) {
      return recordFailure(scope, config, place, { seq, startedAt, attempts, error, timedOut: false });
    }
    if (config.ephemeral !== true) await pass.commit();
    return completed;
  }
  const { timedOut } = result;
  let { error } = result;
  try {
    attempt.end(timedOut ? "timeout" : "failed");
  } catch (unkept) {
    error = unkept;
  }
  return recordFailure(scope, config, place, { seq, startedAt, attempts, error, timedOut });
}

interface Failed {
  readonly seq: number;
  readonly startedAt: number;
  readonly attempts: number;
  readonly error: unknown;
  readonly timedOut: boolean;
}

async function recordFailure(
  scope: Scope,
  config: StepConfig,
  place: Place,
  failed: Failed,
): Promise<StepData> {
  const { pass } = scope;
  const { run } = pass;
  const { seq, startedAt, attempts } = failed;
  const now = run.clock.now();
  const maxRetries = config.maxRetries ?? DEFAULT_MAX_RETRIES;
  const failure = failureKind(config, failed, maxRetries);
  const error = errorData(failed.error);
  const delay = retryDelay(attempts, config.retryBackoffBase, config.retryBackoffMax);
  const detail: StepDetail =
    failure === undefined ? { attempts, error, retryAt: now + delay } : { attempts, error, failure };
  const data: StepData = {
    kind: "step",
    seq,
    status: failure === undefined ? "failed" : "exhausted",
    startedAt,
    completedAt: failure === undefined ? 0 : now,
    detail,
  };
  pass.record(place, data);
  await pass.commit();
  const retry =
    failure === undefined
      ? { willRetry: true, retryDelay: delay, retryAt: now + delay }
      : { willRetry: false };
  run.reportError({
    step: {
      workflowId: run.instance,
      stepName: config.name,
      attempt: attempts,
      maxRetries,
      remainingRetries: failure === undefined ? maxRetries - attempts + 1 : 0,
      error,
      ...retry,
    },
  });
  return data;
}

/** Why the failure is final; `undefined` = it is tried again. */
function failureKind(
  config: StepConfig,
  { error, attempts, timedOut }: Failed,
  maxRetries: number,
): StepFailureKind | undefined {
  if (timedOut) {
    if (config.retryOnTimeout !== true) return "timeout";
  } else if (isNamed(error, RollbackError)) return "rollback";
  else if (isNamed(error, CriticalError) || isUnrecordable(error)) return "critical";
  return attempts <= maxRetries ? undefined : "exhausted";
}

/** The body would give the same again: trying once more is pointless. */
function isUnrecordable(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "not_serializable" || code === "entry_too_large";
}

/** The error that user code sees, made from the record. */
function stepFailure(name: string, place: Place, data: StepData): Error {
  const {
    error = { name: "Error", message: "unknown error" },
    failure = "exhausted",
    attempts,
  } = data.detail;
  const kind = failure === "exhausted" && error.name === "StepTimeoutError" ? "timeout" : failure;
  const step: TryStepFailure = { kind, stepName: name, attempts, error };
  return withSource(thrown(name, failure, error, readablePath(place.path)), {
    source: "step",
    name,
    place,
    step,
  });
}

function thrown(name: string, failure: StepFailureKind, error: ErrorData, path: string): Error {
  if (failure === "rollback") return restoreError(error, "RollbackError");
  if (failure === "critical") return restoreError(error, "CriticalError");
  if (failure === "timeout") return restoreError(error, "StepTimeoutError");
  return new StepExhaustedError(name, `${error.name}: ${error.message}`, path);
}

function checkOptions(config: StepConfig, path: string): void {
  if (typeof config.run !== "function")
    throw new UsageError("step_options", `Step "${path}" has no function to run.`, path);
  for (const option of ["timeout", "maxRetries", "retryBackoffBase", "retryBackoffMax"] as const) {
    const value = config[option];
    if (value !== undefined && !(value >= 0)) {
      throw new UsageError(
        "step_options",
        `Step "${path}": ${option} must be a number of at least 0; got ${String(value)}.`,
        path,
      );
    }
  }
}
