import { Attempt } from "./attempt.js";
import { decodeValue } from "./codec.js";
import type { StepData } from "./entry.js";
import { CriticalError } from "./errors.js";
import { errorData, isNamed } from "./failure.js";
import type { Place } from "./history.js";
import type { Pass } from "./pass.js";
import { DEFAULT_MAX_RETRIES, DEFAULT_STEP_TIMEOUT, retryDelay, type StepConfig } from "./step.js";

/** A completed step that can be undone. */
export interface RollbackAction {
  readonly place: Place;
  readonly config: StepConfig;
}

/**
 * Undoes completed steps, the last recorded first. Each handler that has run is recorded and not run again,
 * also after a crash. One that fails, or takes longer than the step's timeout, is tried again (3 retries, so
 * that it must be idempotent); when it fails for good, those before it are left alone.
 * @param wait called before a pause with the time it ends (ms since the epoch) and with 0 after it.
 * @returns false when the pass ended meanwhile.
 */
export async function runHandlers(
  pass: Pass,
  actions: readonly RollbackAction[],
  wait: (due: number) => void,
): Promise<boolean> {
  const ordered = [...actions].sort((a, b) => stepOf(b).seq - stepOf(a).seq);
  for (const action of ordered) {
    while (stepOf(action).detail.rolledBackAt === undefined) {
      const { rollbackRetryAt } = stepOf(action).detail;
      if (rollbackRetryAt !== undefined && rollbackRetryAt > pass.run.clock.now()) {
        wait(rollbackRetryAt);
        await new Promise<void>((resolve) => pass.alarms.add(rollbackRetryAt, resolve));
        wait(0);
      }
      if (pass.stopping) return false;
      const goOn = await undo(pass, action);
      if (pass.stopping) return false;
      if (!goOn) return true;
    }
  }
  return true;
}

const stepOf = ({ place }: RollbackAction): StepData => place.data as StepData; // actions are completed steps

/** Runs one handler once. Gives false when it failed for good. */
async function undo(pass: Pass, action: RollbackAction): Promise<boolean> {
  const { place, config } = action;
  const { run } = pass;
  const step = stepOf(action);
  const attempts = (step.detail.rollbackAttempts ?? 0) + 1;
  const attempt = new Attempt(pass.strand, place, "rollback", config.name, attempts, DEFAULT_MAX_RETRIES);
  const handler = config.rollback as (context: unknown, output: unknown) => unknown; // actions have one
  const result = await attempt.run(
    (context) => handler(context, decodeValue(step.value)),
    config.timeout ?? DEFAULT_STEP_TIMEOUT,
    run.clock.now(),
  );
  const { rollbackError: _error, rollbackRetryAt: _retryAt, ...detail } = step.detail;
  const now = run.clock.now();
  if (result.ok) {
    attempt.end("completed");
    pass.record(place, { ...step, detail: { ...detail, rollbackAttempts: attempts, rolledBackAt: now } });
    await pass.commit();
    return true;
  }
  attempt.end(result.timedOut ? "timeout" : "failed");
  const final = attempts > DEFAULT_MAX_RETRIES || (isNamed(result.error, CriticalError) && !result.timedOut);
  const error = errorData(result.error);
  pass.record(place, {
    ...step,
    detail: {
      ...detail,
      rollbackAttempts: attempts,
      rollbackError: error,
      ...(!final && { rollbackRetryAt: now + retryDelay(attempts) }),
    },
  });
  await pass.commit();
  run.reportError({ rollback: { workflowId: run.instance, stepName: config.name, error } });
  return !final;
}
