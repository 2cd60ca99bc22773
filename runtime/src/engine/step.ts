import { Attempt, type BodyResult } from "./attempt.js";
import { decodeValue, encodeOutput } from "./codec.js";
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
import type { Pass } from "./pass.js";
import { never } from "./strand.js";
import type { Scope } from "./scope.js";

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
  const { pass, strand } = scope;
  const { name, rollback, timeout = DEFAULT_STEP_TIMEOUT, maxRetries = DEFAULT_MAX_RETRIES } = config;
  if (rollback !== undefined && !scope.checkpoint) throw new RollbackCheckpointError(scope.pathOf(name));
  const place = scope.visit(name, "step");
  checkOptions(scope, config);
  let { data } = place;
  while (!isFinal(data)) {
    if (pass.mode === "rollback") return strand.stop();
    if (data === undefined) scope.checkNewStep(place);
    else if (data.detail.retryAt !== undefined) {
      await strand.wait(data.detail.retryAt);
      scope.goOn(name); // a body that began in a branch that has lost would be in flight for ever
    }
    const now = pass.run.clock.now();
    const startedAt = data?.startedAt ?? now;
    const attempts = (data?.detail.attempts ?? 0) + 1;
    const attempt = new Attempt(strand, place, "step", name, attempts, maxRetries);
    const running = attempt.run(config.run as (context: unknown) => unknown, timeout, now);
    const result = running instanceof Promise ? await running : running;
    scope.goOn(name);
    const seq = data?.seq ?? pass.run.nextSeq();
    if (rollback !== undefined) scope.noteUndoable();
    data = recordResult(pass, config, attempt, result, { place, seq, startedAt, attempts });
    if (data.status !== "completed" || config.ephemeral !== true) await pass.run.journal.commit();
    if (pass.stopping) return never();
    if (data.status !== "completed") reportFailure(pass, config, data.detail, maxRetries);
  }
  if (data.status === "exhausted") throw stepFailure(name, place, data);
  if (rollback !== undefined && pass.mode === "rollback") pass.run.noteRollback({ place, config });
  return decodeValue(data.value);
}

/** Whether it is recorded how the step ended. */
const isFinal = (
  data: StepData | undefined,
): data is StepData & { readonly status: "completed" | "exhausted" } =>
  data?.status === "completed" || data?.status === "exhausted";

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

/** What the records of all outcomes of an attempt have in common. */
interface Begun {
  readonly place: Place;
  readonly seq: number;
  readonly startedAt: number;
  readonly attempts: number;
}

const FIRST_ATTEMPT: StepDetail = { attempts: 1 };

/** Ends the attempt and records how it ended. */
function recordResult(
  pass: Pass,
  config: StepConfig,
  attempt: Attempt,
  result: BodyResult,
  { place, seq, startedAt, attempts }: Begun,
): StepData {
  const kind = "step";
  let error: unknown;
  if (result.ok) {
    try {
      const value = encodeOutput(result.value, "The output of step", place.path);
      attempt.end("completed"); // throws when the host can't keep what the step changed
      const completedAt = pass.run.clock.now();
      const detail = attempts === 1 ? FIRST_ATTEMPT : { attempts };
      return pass.record(place, { kind, seq, status: "completed", startedAt, completedAt, detail, value });
    } catch (unrecordable) {
      error = unrecordable;
    }
  } else ({ error } = result);
  const timedOut = !result.ok && result.timedOut;
  try {
    attempt.end(timedOut ? "timeout" : "failed");
  } catch (unkept) {
    error = unkept;
  }
  const now = pass.run.clock.now();
  const failure = failureKind(config, error, timedOut, attempts);
  const detail = {
    attempts,
    error: errorData(error),
    ...(failure === undefined ? { retryAt: now + pause(config, attempts) } : { failure }),
  };
  const [status, completedAt] =
    failure === undefined ? (["failed", 0] as const) : (["exhausted", now] as const);
  // It always can be recorded: what is kept of an error is short.
  return pass.record(place, { kind, seq, status, startedAt, completedAt, detail }, Infinity);
}

const pause = ({ retryBackoffBase, retryBackoffMax }: StepConfig, attempts: number): number =>
  retryDelay(attempts, retryBackoffBase, retryBackoffMax);

/** Tells `onError`, once the failure is recorded. */
function reportFailure(
  { run }: Pass,
  config: StepConfig,
  { attempts, error, retryAt }: StepDetail,
  maxRetries: number,
): void {
  if (error === undefined) return; // never: it failed
  const willRetry = retryAt !== undefined;
  run.reportError({
    step: {
      workflowId: run.instance,
      stepName: config.name,
      attempt: attempts,
      maxRetries,
      remainingRetries: willRetry ? maxRetries - attempts + 1 : 0,
      error,
      willRetry,
      ...(willRetry && { retryDelay: pause(config, attempts), retryAt }),
    },
  });
}

/** Why the failure is final; `undefined` = it is tried again. */
function failureKind(
  config: StepConfig,
  error: unknown,
  timedOut: boolean,
  attempts: number,
): StepFailureKind | undefined {
  if (timedOut) {
    if (config.retryOnTimeout !== true) return "timeout";
  } else if (isNamed(error, RollbackError)) return "rollback";
  else if (isNamed(error, CriticalError) || isUnrecordable(error)) return "critical";
  return attempts <= (config.maxRetries ?? DEFAULT_MAX_RETRIES) ? undefined : "exhausted";
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
  const thrown =
    failure === "exhausted"
      ? new StepExhaustedError(name, `${error.name}: ${error.message}`, place.shown)
      : restoreError(error, CLASS_OF[failure]);
  return withSource(thrown, { source: "step", name, place, step });
}

const CLASS_OF = { rollback: "RollbackError", critical: "CriticalError", timeout: "StepTimeoutError" };

const TIME_OPTIONS = ["timeout", "maxRetries", "retryBackoffBase", "retryBackoffMax"] as const;

function checkOptions(scope: Scope, config: StepConfig): void {
  const wrong = TIME_OPTIONS.find((option) => config[option] !== undefined && !(config[option] >= 0));
  if (typeof config.run === "function" && wrong === undefined) return;
  const path = scope.pathOf(config.name);
  throw new UsageError(
    "step_options",
    wrong === undefined
      ? `Step "${path}" has no function to run.`
      : `Step "${path}": ${wrong} must be a number of at least 0; got ${String(config[wrong])}.`,
    path,
  );
}
