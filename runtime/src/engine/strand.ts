import type { Attempt } from "./attempt.js";
import { CancelledError, EvictedError } from "./errors.js";
import type { Pass } from "./pass.js";

/** A promise that stays open: what user code gets when its run is over for now. It is collected as garbage. */
export function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

/** A strand that waits for something outside. */
export class Wait {
  private cancelAlarm: (() => void) | undefined = undefined;

  constructor(
    private readonly strand: Strand,
    /** When it is to look at the latest, in ms since the epoch. */
    readonly due: number | null,
    private readonly ready: (now: number) => unknown,
    private readonly resolve: (value: unknown) => void,
    private readonly fail: (error: Error) => void,
  ) {
    this.arm();
  }

  private arm(): void {
    if (this.due === null || this.cancelAlarm !== undefined) return;
    this.cancelAlarm = this.strand.pass.alarms.add(this.due, () => {
      this.cancelAlarm = undefined;
      this.look();
    });
  }

  /** Looks whether it ends now: a message has come, or its time. */
  look(): void {
    const { pass } = this.strand;
    if (pass.stopping) return;
    try {
      const now = pass.run.clock.now();
      const value = this.ready(now);
      if (value === undefined) {
        if (now < Number(this.due)) this.arm();
        return;
      }
      this.end();
      if (pass.suspending === undefined) this.resolve(value);
      else
        pass.suspending.then(
          () => {
            if (!pass.dead) this.resolve(value);
          },
          () => undefined, // the pass is dead
        );
    } catch (error) {
      this.reject(error);
    }
  }

  reject(error: unknown): void {
    this.end();
    this.fail(error as Error);
  }

  private end(): void {
    const { strand } = this;
    strand.pass.waits.delete(this);
    this.cancelAlarm?.();
    strand.waiting = undefined;
    strand.move(true);
  }
}

const NOTHING: ReadonlySet<never> = new Set<never>();

/**
 * One thread of control: the function itself, or one branch of a join or race. One entry at a time is in
 * progress in a strand.
 */
export class Strand {
  private branches: Set<Strand> | undefined = undefined;
  /** Completable messages that this strand received and has not completed, by id. */
  openMessages: Set<string> | undefined = undefined;
  cancelled = false;
  private running = true;
  private ended = false;
  private controller: AbortController | undefined;
  waiting: Wait | undefined = undefined;
  /** The body in flight. */
  attempt: Attempt | undefined;

  constructor(
    readonly pass: Pass,
    readonly parent?: Strand,
  ) {
    if (parent !== undefined) (parent.branches ??= new Set()).add(this);
    pass.count(1);
  }

  /** The branches under way that it began. */
  get children(): ReadonlySet<Strand> {
    return this.branches ?? NOTHING;
  }

  /** Aborted when the strand is cancelled or the instance evicted. Made on first use. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.cancelled || this.pass.stopping) this.controller.abort(this.stopReason());
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

  /** Gives up the bodies in flight here and below. */
  dropBodies(): void {
    this.attempt?.cancel();
    for (const child of this.children) child.dropBodies();
  }

  /**
   * Waits for something outside: until `ready` gives a value. It is asked now, when a message arrives and
   * at `due` (ms since the epoch). Without it the wait ends at `due`.
   */
  wait<T = true>(
    due: number | null,
    ready: (now: number) => T | undefined = (now) => (now >= Number(due) ? (true as T) : undefined),
  ): Promise<T> {
    const { pass } = this;
    const value = ready(pass.run.clock.now());
    if (value !== undefined) return Promise.resolve(value);
    return new Promise<T>((resolve, reject) => {
      this.waiting = new Wait(this, due, ready, resolve as (value: unknown) => void, reject);
      pass.waits.add(this.waiting);
      this.move(false);
    });
  }

  /** Stops for good without ending (a rollback pass has reached the end of what is recorded). */
  stop<T>(): Promise<T> {
    this.move(false);
    return never();
  }

  /**
   * Whether it has something to do: not while it waits for something outside, nor while the branches that it
   * began hold it up. Say that it goes on before the last of them ends.
   */
  move(running: boolean): void {
    if (this.ended || this.running === running) return;
    this.running = running;
    this.pass.count(running ? 1 : -1);
  }

  end(): void {
    this.move(false);
    this.ended = true;
    this.parent?.branches?.delete(this);
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
}
