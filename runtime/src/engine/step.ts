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
import { readablePath } from "./names.js";
import type { Pass } from "./pass.js";
import { never } from "./strand.js";
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
  checkOptions(scope, config);
  let data = scope.recorded(place, "step");
  if (!isFinal(data)) {
    if (scope.pass.mode === "rollback") return scope.strand.stop();
    if (data === undefined) scope.checkNewStep(place);
    data = await attemptUntilRecorded(scope, config, place, data);
  }
  if (data.status === "exhausted") throw stepFailure(config.name, place, data);
  if (config.rollback !== undefined && scope.pass.mode === "rollback")
    scope.pass.run.noteRollback({ place, config });
  return decodeValue(data.value);
}

/** Whether it is recorded how the step ended. */
const isFinal = (data: StepData | undefined): data is StepData =>
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

async function attemptUntilRecorded(
  scope: Scope,
  config: StepConfig,
  place: Place,
  recorded: StepData | undefined,
): Promise<StepData> {
  const { pass, strand } = scope;
  const maxRetries = config.maxRetries ?? DEFAULT_MAX_RETRIES;
  const timeout = config.timeout ?? DEFAULT_STEP_TIMEOUT;
  for (let data = recorded; ;) {
    const retryAt = data?.detail.retryAt;
    if (retryAt !== undefined) await strand.wait(retryAt, (now) => (now >= retryAt ? true : undefined));
    const startedAt = data?.startedAt ?? pass.run.clock.now();
    const attempts = (data?.detail.attempts ?? 0) + 1;
    const attempt = new Attempt(strand, place, "step", config.name, attempts, maxRetries);
    const running = attempt.run(config.run as (context: unknown) => unknown, timeout);
    const result = running instanceof Promise ? await running : running;
    scope.goOn(config.name);
    const begun = { seq: data?.seq ?? pass.run.nextSeq(), startedAt, attempts };
    if (config.rollback !== undefined) scope.noteUndoable();
    data = recordResult(pass, config, place, attempt, result, begun);
    if (data.status !== "completed" || config.ephemeral !== true) await pass.commit();
    if (data.status !== "completed") reportFailure(scope, config, data, maxRetries);
    if (pass.evicting) return never();
    if (isFinal(data)) return data;
  }
}

/** What the records of all outcomes of an attempt have in common. */
interface Begun {
  readonly seq: number;
  readonly startedAt: number;
  readonly attempts: number;
}

const FIRST_ATTEMPT: StepDetail = { attempts: 1 };

/** Ends the attempt and records how it ended. */
function recordResult(
  pass: Pass,
  config: StepConfig,
  place: Place,
  attempt: Attempt,
  result: BodyResult,
  begun: Begun,
): StepData {
  const { seq, startedAt, attempts } = begun;
  let error: unknown;
  if (result.ok) {
    try {
      const value = encodeOutput(result.value, "The output of step", place.path);
      attempt.end("completed"); // throws when the host can't keep what the step changed
      return pass.record(place, {
        kind: "step",
        seq,
        status: "completed",
        startedAt,
        completedAt: pass.run.clock.now(),
        detail: attempts === 1 ? FIRST_ATTEMPT : { attempts },
        value,
      });
    } catch (unrecordable) {
      error = unrecordable;
    }
  } else error = result.error;
  const timedOut = !result.ok && result.timedOut;
  try {
    attempt.end(timedOut ? "timeout" : "failed");
  } catch (unkept) {
    error = unkept;
  }
  return recordFailure(pass, config, place, begun, error, timedOut);
}

/** Records that an attempt failed. It always can be: what is kept of an error is short. */
function recordFailure(
  pass: Pass,
  config: StepConfig,
  place: Place,
  { seq, startedAt, attempts }: Begun,
  thrown: unknown,
  timedOut: boolean,
): StepData {
  const now = pass.run.clock.now();
  const failure = failureKind(config, thrown, timedOut, attempts);
  const error = errorData(thrown);
  const common = { kind: "step", seq, startedAt } as const;
  const data: StepData =
    failure === undefined
      ? {
          ...common,
          status: "failed",
          completedAt: 0,
          detail: { attempts, error, retryAt: now + pause(config, attempts) },
        }
      : { ...common, status: "exhausted", completedAt: now, detail: { attempts, error, failure } };
  return pass.record(place, data, Infinity);
}

const pause = ({ retryBackoffBase, retryBackoffMax }: StepConfig, attempts: number): number =>
  retryDelay(attempts, retryBackoffBase, retryBackoffMax);

/** Tells `onError`, once the failure is recorded. */
function reportFailure(scope: Scope, config: StepConfig, data: StepData, maxRetries: number): void {
  const { run } = scope.pass;
  const { attempts, error, retryAt } = data.detail;
  if (error === undefined) return; // never: it failed
  run.reportError({
    step: {
      workflowId: run.instance,
      stepName: config.name,
      attempt: attempts,
      maxRetries,
      remainingRetries: retryAt === undefined ? 0 : maxRetries - attempts + 1,
      error,
      willRetry: retryAt !== undefined,
      ...(retryAt !== undefined && {
        retryDelay: pause(config, attempts),
        retryAt,
      }),
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
