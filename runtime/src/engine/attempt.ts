import { CancelledError, StepTimeoutError } from "./errors.js";
import { readablePath } from "./names.js";
import { never, type Strand } from "./pass.js";
import type { Place } from "./history.js";
import type { AttemptInfo, AttemptOutcome, HostAttempt } from "./seam.js";

/** How a body ended. */
export type BodyResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown; readonly timedOut: boolean };

/**
 * One run of a step body or of a rollback handler, with its timeout and its way out: cancelled, it leaves
 * no trace and what comes of the body later is dropped.
 */
export class Attempt implements AttemptInfo {
  private controller: AbortController | undefined;
  private aborted = false;
  private hostAttempt: HostAttempt | undefined;
  private ended = false;
  private giveUp: ((error: unknown) => void) | undefined;

  constructor(
    private readonly strand: Strand,
    private readonly place: Place,
    readonly kind: "step" | "rollback",
    readonly name: string,
    readonly attempt: number,
    readonly maxRetries: number,
  ) {
    strand.attempt = this;
    strand.pass.attempts.add(this);
  }

  get path(): string {
    return readablePath(this.place.path);
  }

  get idempotencyKey(): string {
    return `${this.strand.pass.run.instance}/${this.path}${this.kind === "rollback" ? "#rollback" : ""}`;
  }

  get abortSignal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.aborted || this.strand.cancelled || this.isEvicted())
      this.controller.abort(new CancelledError(this.path));
    return this.controller.signal;
  }

  isEvicted(): boolean {
    return this.strand.pass.evicting || this.strand.pass.dead;
  }

  /**
   * Runs the body. Resolves when it has ended or its timeout (ms; 0 = none) has passed; rejects with
   * CancelledError when its strand was cancelled; stays open when the pass died.
   */
  run(body: (context: unknown) => unknown, timeoutMs: number): Promise<BodyResult> {
    const { pass } = this.strand;
    pass.beganNew = true;
    return new Promise((resolve, reject) => {
      let cancelTimer: (() => void) | undefined;
      const settle = (result: BodyResult): void => {
        cancelTimer?.();
        if (!this.ended) resolve(result);
      };
      const fail = (error: unknown): void => {
        settle({ ok: false, error, timedOut: false });
      };
      this.giveUp = reject;
      if (timeoutMs > 0) {
        cancelTimer = pass.alarms.add(pass.run.clock.now() + timeoutMs, () => {
          settle({ ok: false, error: new StepTimeoutError(this.name, timeoutMs), timedOut: true });
          this.abort();
        });
      }
      try {
        this.hostAttempt = pass.run.host.beginAttempt?.(this);
        const context = this.hostAttempt?.context ?? this;
        const guard = pass.run.settings.guard;
        const output = guard === undefined ? body(context) : guard.step(() => body(context));
        if (
          output instanceof Promise ||
          typeof (output as PromiseLike<unknown> | undefined)?.then === "function"
        ) {
          (output as PromiseLike<unknown>).then((value) => {
            settle({ ok: true, value });
          }, fail);
        } else settle({ ok: true, value: output });
      } catch (error) {
        fail(error);
      }
    });
  }

  /** Revokes the context; the host puts what belongs to the step. Call right before the record is put. */
  end(outcome: AttemptOutcome): void {
    if (this.ended) return;
    this.ended = true;
    this.strand.attempt = undefined;
    this.strand.pass.attempts.delete(this);
    this.strand.pass.onAttemptEnd?.();
    this.hostAttempt?.end(outcome);
    const committed = this.hostAttempt?.committed;
    if (outcome !== "cancelled" && committed !== undefined) {
      this.strand.pass.run.journal.afterCommit(() => {
        committed.call(this.hostAttempt);
      });
    }
  }

  /** Tells the body to stop. */
  abort(): void {
    this.aborted = true;
    this.controller?.abort(new CancelledError(this.path));
  }

  /** Gives the body up: nothing of it is recorded. */
  cancel(): void {
    if (this.ended) return;
    this.abort();
    this.end("cancelled");
    if (!this.strand.pass.dead) this.giveUp?.(new CancelledError(this.path));
  }
}

/** The outcome of a body; stays open when the pass died or is being evicted and the body failed. */
export async function settledBody(
  attempt: Attempt,
  strand: Strand,
  result: Promise<BodyResult>,
): Promise<BodyResult> {
  const settled = await result;
  if (strand.pass.dead) return never();
  if (strand.pass.evicting && !settled.ok) {
    attempt.end("cancelled"); // it was told to stop: not a failure of its own
    return never();
  }
  return settled;
}
