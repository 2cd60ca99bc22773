import type { Log } from "./log.js";

/** What every context knows of its instance. */
export interface InstanceIdentity {
  /** Unique and stable for the life of the instance. */
  readonly actorId: string;
  /** Name in `setup({ use })`. */
  readonly name: string;
  readonly key: readonly string[];
  readonly log: Log;
  /** Aborted when the instance is stopped, put to sleep or destroyed. */
  readonly abortSignal: AbortSignal;
}
