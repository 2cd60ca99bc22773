import type { Attempt } from "./attempt.js";
import { CancelledError, EvictedError } from "./errors.js";
import type { Pass } from "./pass.js";
import type { CancelTimer } from "./ports.js";

/** A promise that stays open: what user code gets when its run is over for now. It is collected as garbage. */
export function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

/** A strand that waits for something outside. */
export interface Wait {
  readonly due: number | null;
  /** Tries to end the wait: gives what ended it, `undefined` = wait on. */
  readonly ready: (now: number) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  cancelAlarm: CancelTimer | undefined;
}

/**
 * One thread of control: the function itself, or one branch of a join or race. One entry at a time is in
 * progress in a strand.
 */
export class Strand {
  readonly children = new Set<Strand>();
  /** Completable messages that this strand received and has not completed, by id. */
  readonly openMessages = new Set<string>();
  cancelled = false;
  private state: "running" | "waiting" | "blocked" | "ended" = "running";
  private controller: AbortController | undefined;
  private waiting: Wait | undefined;
  attempt: Attempt | undefined;

  constructor(
    readonly pass: Pass,
    readonly parent: Strand | undefined,
  ) {
    parent?.children.add(this);
    if (parent?.cancelled || parent?.controller?.signal.aborted) this.abort();
    pass.count(1);
  }

  /** Aborted when the strand is cancelled or the instance evicted. Made on first use. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.cancelled || this.pass.evicting || this.pass.dead) this.controller.abort(this.stopReason());
    return this.controller.signal;
  }

  /** Why what runs here must stop. */
  stopReason(entry?: string): Error {
    return this.pass.evicting ? new EvictedError() : new CancelledError(entry);
  }

  /** Aborts the signals of this strand and of those below. */
  abort(): void {
    this.controller?.abort(this.stopReason());
    this.attempt?.abort();
    for (const child of this.children) child.abort();
  }

  /**
   * Waits for something outside: until `ready` gives a value. It is asked now, when a message arrives and
   * at `due` (ms since the epoch).
   */
  wait<T>(due: number | null, ready: (now: number) => T | undefined): Promise<T> {
    const { pass } = this;
    const value = ready(pass.run.clock.now());
    if (value !== undefined) return Promise.resolve(value);
    return new Promise<T>((resolve, reject) => {
      const end = (): void => {
        pass.waits.delete(wait);
        wait.cancelAlarm?.();
        this.waiting = undefined;
      };
      const wait: Wait = {
        due,
        ready,
        cancelAlarm: undefined,
        resolve: (result) => {
          end();
          this.move("running");
          if (pass.suspending === undefined) resolve(result as T);
          else
            pass.suspending.then(
              () => {
                if (!pass.dead) resolve(result as T);
              },
              () => undefined, // the pass is dead
            );
        },
        reject: (error) => {
          end();
          this.move("running");
          reject(error as Error);
        },
      };
      this.waiting = wait;
      pass.waits.add(wait);
      wait.cancelAlarm = pass.setAlarm(wait);
      this.move("waiting");
    });
  }

  /** Stops for good without ending (a rollback pass has reached the end of what is recorded). */
  stop<T>(): Promise<T> {
    this.move("waiting");
    return never();
  }

  /** The branches that were begun hold this strand up. Call `unblock` before the last of them ends. */
  block(): void {
    this.move("blocked");
  }

  unblock(): void {
    this.move("running");
  }

  end(): void {
    this.move("ended");
    this.parent?.children.delete(this);
  }

  /** Another branch has won: ends what is in flight here and below, without a trace in history. */
  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.abort();
    for (const child of [...this.children]) child.cancel();
    this.attempt?.cancel();
    const { waiting } = this;
    this.end();
    waiting?.reject(new CancelledError());
  }

  private move(to: Strand["state"]): void {
    const from = this.state;
    if (from === "ended" || from === to) return;
    this.state = to;
    if (from === "running") this.pass.count(-1);
    else if (to === "running") this.pass.count(1);
  }
}
