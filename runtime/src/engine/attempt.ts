import { CancelledError, StepTimeoutError } from "./errors.js";
import { readablePath } from "./names.js";
import type { Strand } from "./pass.js";
import type { Place } from "./history.js";
import { callHost } from "./host-call.js";
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
  private resolve: ((result: BodyResult) => void) | undefined;
  private reject: ((error: unknown) => void) | undefined;
  private cancelTimer: (() => void) | undefined;

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
   * CancelledError when its strand was cancelled; stays open when the pass died, or is being evicted and
   * the body failed.
   */
  run(body: (context: unknown) => unknown, timeoutMs: number): Promise<BodyResult> {
    this.strand.pass.beganNew = true;
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      const { alarms, run } = this.strand.pass;
      if (timeoutMs > 0) {
        this.cancelTimer = alarms.add(run.clock.now() + timeoutMs, () => {
          this.settle({ ok: false, error: new StepTimeoutError(this.name, timeoutMs), timedOut: true });
          this.abort();
        });
      }
      try {
        this.hostAttempt = run.host.beginAttempt?.(this);
        const context = this.hostAttempt?.context ?? this;
        const output = body(context);
        if (!isPromiseLike(output)) this.settle({ ok: true, value: output });
        else
          output.then(
            (value) => {
              this.settle({ ok: true, value });
            },
            (error: unknown) => {
              this.settle({ ok: false, error, timedOut: false });
            },
          );
      } catch (error) {
        this.settle({ ok: false, error, timedOut: false });
      }
    });
  }

  private settle(result: BodyResult): void {
    const { pass } = this.strand;
    this.cancelTimer?.();
    if (this.ended || pass.dead) return;
    if (pass.evicting && !result.ok)
      this.end("cancelled"); // it was told to stop: not a failure of its own
    else this.resolve?.(result);
  }

  /**
   * Revokes the context; the host puts what belongs to the step. Call right before the record is put.
   * Throws what the host throws (state that can't be kept).
   */
  end(outcome: AttemptOutcome): void {
    if (this.ended) return;
    this.ended = true;
    this.strand.attempt = undefined;
    this.strand.pass.attempts.delete(this);
    this.strand.pass.onAttemptEnd?.();
    const { hostAttempt } = this;
    if (hostAttempt === undefined) return;
    hostAttempt.end(outcome);
    if (outcome !== "cancelled" && hostAttempt.committed !== undefined) {
      const { journal, host } = this.strand.pass.run;
      journal.afterCommit(() => {
        callHost(host, () => hostAttempt.committed?.());
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
    callHost(this.strand.pass.run.host, () => {
      this.end("cancelled");
    });
    if (!this.strand.pass.dead) this.reject?.(new CancelledError(this.path));
  }
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    value instanceof Promise || typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function"
  );
}
