import { decodeRecord, encodeRecord } from "../engine/codec.js";
import type { CronFire } from "../types/index.js";

/** A schedule or cron job as stored. Times are Unix ms; `args` are encoded values. */
export type Job =
  | {
      readonly kind: "at";
      readonly id: string;
      readonly action: string;
      readonly args: unknown;
      readonly runAt: number;
    }
  | (RepeatedJob & { readonly kind: "cron"; readonly expression: string; readonly timezone: string })
  /** Fires at `anchor + n × interval`, so that late runs don't move later ones. */
  | (RepeatedJob & { readonly kind: "every"; readonly interval: number; readonly anchor: number });

interface RepeatedJob {
  readonly id: string;
  readonly name: string;
  readonly action: string;
  readonly args: unknown;
  readonly runAt: number;
  readonly lastRunAt: number | null;
  readonly maxHistory: number;
  /** Number of its next run in the history. */
  readonly nextFire: number;
}

/** Records of jobs: `t/<id>` for one-off ones, `c/<name>` for cron jobs. */
export const JOB_PREFIXES = ["t/", "c/"] as const;
/** Records of runs: `y/<name>/<number>`. */
export const FIRE_PREFIX = "y/";

/** The record's key of a job. */
export function jobKey(job: Job): string {
  return job.kind === "at" ? `t/${job.id}` : cronKey(job.name);
}

/** The record's key of the cron job `name`. */
export function cronKey(name: string): string {
  return `c/${encodeURIComponent(name)}`;
}

/** A job's or a run's record. */
export function encodeJob(value: Job | CronFire): string {
  return encodeRecord("host", [value]);
}

/** The inverse of `encodeJob`. @throws CorruptRecordError */
export function decodeJob<T extends Job | CronFire>(text: string, instance: string, key: string): T {
  return decodeRecord("host", text, instance, key)[0] as T;
}
