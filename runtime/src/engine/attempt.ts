import { CancelledError, StepTimeoutError } from "./errors.js";
import type { Place } from "./history.js";
import { callHost } from "./host-call.js";
import type { AttemptInfo, AttemptOutcome, HostAttempt } from "./seam.js";
import { never, type Strand } from "./strand.js";

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
  private lent: HostAttempt | undefined;
  private ended = false;
  private reject: ((error: unknown) => void) | undefined;

  constructor(
    private readonly strand: Strand,
    private readonly place: Place,
    readonly kind: "step" | "rollback",
    readonly name: string,
    readonly attempt: number,
    readonly maxRetries: number,
  ) {
    strand.attempt = this;
    strand.pass.bodies++;
  }

  get path(): string {
    return this.place.shown;
  }

  get idempotencyKey(): string {
    return `${this.strand.pass.run.instance}/${this.path}${this.kind === "rollback" ? "#rollback" : ""}`;
  }

  get abortSignal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.aborted || this.strand.cancelled || this.isEvicted()) this.abort();
    return this.controller.signal;
  }

  isEvicted(): boolean {
    return this.strand.pass.stopping;
  }

  /**
   * Runs the body: gives what came of it, at once when the body is not asynchronous, else when it has ended
   * or its timeout (ms; 0 = none) has passed. Rejects with CancelledError when its strand was cancelled; stays
   * open when the pass died, or is being evicted and the body failed.
   * @param now ms since the epoch.
   */
  run(body: (context: unknown) => unknown, timeoutMs: number, now: number): BodyResult | Promise<BodyResult> {
    const { pass } = this.strand;
    pass.beganNew = true;
    let output: unknown;
    try {
      const lent = (this.lent = pass.run.host.beginAttempt?.(this));
      output = lent?.around === undefined ? body(lent?.context ?? this) : lent.around(body);
    } catch (error) {
      return this.counts({ ok: false, error, timedOut: false }) ?? this.lost();
    }
    if (!isPromiseLike(output)) return this.counts({ ok: true, value: output }) ?? this.lost();
    return new Promise((resolve, reject) => {
      const settle = (ended: BodyResult): void => {
        cancelTimer?.();
        const result = this.counts(ended);
        if (result !== undefined) resolve(result);
      };
      this.reject = reject;
      const cancelTimer =
        timeoutMs > 0
          ? pass.alarms.add(now + timeoutMs, () => {
              settle({ ok: false, error: new StepTimeoutError(this.name, timeoutMs), timedOut: true });
              this.abort();
            })
          : undefined;
      // A query of a database library is no promise: its `then` is where it runs, and may throw at once.
      Promise.resolve(output).then(
        (value) => {
          settle({ ok: true, value });
        },
        (error: unknown) => {
          settle({ ok: false, error, timedOut: false });
        },
      );
    });
  }

  /** What counts of how the body ended: nothing once the attempt is given up. */
  private counts(ended: BodyResult): BodyResult | undefined {
    const { pass } = this.strand;
    if (this.ended || pass.dead) return undefined;
    if (!pass.evicting || ended.ok) return ended;
    this.end("evicted"); // it was told to stop: not a failure of its own
    return undefined;
  }

  /** The body ended at once, but was given up in its course. */
  private lost(): Promise<never> {
    return this.ended && !this.isEvicted() ? Promise.reject(new CancelledError(this.path)) : never();
  }

  /**
   * Revokes the context; the host puts what belongs to the step. Call right before the record is put.
   * Throws what the host throws (state that can't be kept).
   */
  end(outcome: AttemptOutcome): void {
    if (this.ended) return;
    this.ended = true;
    const { strand, lent } = this;
    const { pass } = strand;
    strand.attempt = undefined;
    pass.bodies--;
    pass.onBodyEnd?.();
    if (lent === undefined) return;
    lent.end(outcome);
    if (outcome !== "evicted" && lent.committed !== undefined)
      pass.run.journal.afterCommit(() => {
        callHost(pass.run.host, () => lent.committed?.());
      });
  }

  /** Tells the body to stop. */
  abort(): void {
    this.aborted = true;
    this.controller?.abort(this.strand.stopReason(this.path));
  }

  /** Gives the body up: nothing of it is recorded. */
  cancel(): void {
    if (this.ended) return;
    this.abort();
    const { pass } = this.strand;
    callHost(pass.run.host, () => {
      this.end(pass.evicting ? "evicted" : "cancelled");
    });
    if (!pass.dead) this.reject?.(new CancelledError(this.path));
  }
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    value instanceof Promise || typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function"
  );
}
