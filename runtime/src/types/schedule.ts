/** Appended to the arguments of an action that a schedule fired. Times are Unix ms. */
export interface ScheduledFireInfo {
  readonly kind: "at" | "cron" | "every";
  readonly id: string;
  /** Name of the cron job; absent for `schedule.at` and `schedule.after`. */
  readonly name?: string;
  /** When it was due. */
  readonly scheduledAt: number;
  /** When it was started. */
  readonly firedAt: number;
}

/** A one-off schedule that has not fired. */
export interface ScheduledEventInfo {
  readonly id: string;
  readonly action: string;
  readonly args: readonly unknown[];
  readonly runAt: number;
}

/** `schedule`: one-off calls of the instance's own actions. Durable. */
export interface Schedule {
  /** Calls `action` after `duration` ms; gives the schedule's id. */
  after(duration: number, action: string, ...args: unknown[]): Promise<string>;
  /** Calls `action` at the Unix time `timestamp` in ms; gives the schedule's id. */
  at(timestamp: number, action: string, ...args: unknown[]): Promise<string>;
  get(id: string): Promise<ScheduledEventInfo | undefined>;
  list(): Promise<ScheduledEventInfo[]>;
  /** False when it has fired or never was. */
  cancel(id: string): Promise<boolean>;
}

interface CronJobOptions {
  /** Unique per instance; setting a name again updates the job. */
  readonly name: string;
  readonly action: string;
  readonly args?: readonly unknown[];
  /** Runs kept in the history: 100 when absent, 0 keeps none, at most 1,000. */
  readonly maxHistory?: number;
}

export interface CronSetOptions extends CronJobOptions {
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly expression: string;
  /** IANA name; UTC when absent. */
  readonly timezone?: string;
}

export interface CronEveryOptions extends CronJobOptions {
  /** In ms, at least 5,000. */
  readonly interval: number;
}

export type CronJobInfo = {
  readonly name: string;
  readonly action: string;
  readonly args: readonly unknown[];
  readonly nextRunAt: number;
  readonly lastRunAt?: number;
  readonly maxHistory: number;
} & (
  | { readonly kind: "cron"; readonly expression: string; readonly timezone: string }
  | { readonly kind: "every"; readonly interval: number }
);

/** One run of a cron job. */
export interface CronFire {
  readonly action: string;
  readonly scheduledAt: number;
  readonly firedAt: number;
  readonly finishedAt?: number;
  /** `skipped`: the run before was still going. */
  readonly result: "running" | "ok" | "error" | "skipped";
  readonly error?: { readonly code: string; readonly message: string };
}

/** `cron`: repeated calls of the instance's own actions. Durable, anchored (no drift), never overlapping. */
export interface Cron {
  set(options: CronSetOptions): Promise<void>;
  every(options: CronEveryOptions): Promise<void>;
  get(name: string): Promise<CronJobInfo | undefined>;
  list(): Promise<CronJobInfo[]>;
  delete(name: string): Promise<boolean>;
  /** Newest first. */
  history(name: string, options?: { readonly limit?: number }): Promise<CronFire[]>;
}
