import type { CancelTimer, Clock, InstanceCommit, Store } from "../engine/ports.js";

/** Told after each commit of a lease, before those who wait for it go on. */
export type CommitWatch = () => void;

/**
 * Store and clock as one process sees them. `cut` is the kill: nothing it commits afterwards is kept, what
 * it asks for stays open for ever, its timers never fire.
 */
export class Lease {
  readonly store: Store;
  readonly clock: Clock;
  private isCut = false;
  private readonly timers = new Set<CancelTimer>();

  constructor(store: Store, clock: Clock, committed: CommitWatch) {
    this.store = this.storeOver(store, committed);
    this.clock = this.clockOver(clock);
  }

  cut(): void {
    this.isCut = true;
    for (const cancel of this.timers) cancel();
    this.timers.clear();
  }

  private async through<T>(call: () => Promise<T>): Promise<T> {
    if (this.isCut) return await new Promise<never>(() => undefined);
    return await call();
  }

  private storeOver(store: Store, committed: CommitWatch): Store {
    return {
      commit: (commit: InstanceCommit) =>
        this.through(async () => {
          await store.commit(commit);
          committed();
        }),
      read: (...query) => this.through(() => store.read(...query)),
      span: (...query) => this.through(() => store.span(...query)),
      due: (query) => this.through(() => store.due(query)),
      instances: (query) => this.through(() => store.instances(query)),
      close: () => Promise.resolve(), // the storage outlives the process
    };
  }

  private clockOver(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      timer: (at, fire) => {
        if (this.isCut) return () => undefined;
        const cancel = clock.timer(at, () => {
          this.timers.delete(cancel);
          fire();
        });
        this.timers.add(cancel);
        return () => {
          this.timers.delete(cancel);
          cancel();
        };
      },
    };
  }
}
