import { decodeValue } from "../engine/codec.js";
import { orderedNumber } from "../engine/names.js";
import type { Journal } from "../engine/journal.js";
import type { CancelTimer, Clock } from "../engine/ports.js";
import type { CronFire, ScheduledFireInfo } from "../types/index.js";
import type { InstanceTables } from "./effects.js";
import { toErrorData } from "./errors.js";
import { encodeJob, FIRE_PREFIX, jobKey, type Job } from "./jobs.js";
import { nextCronRun, nextIntervalRun } from "./next-run.js";

export interface SchedulerOptions {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly tables: InstanceTables;
  /**
   * Calls an action. `record` is run right before the commit that ends the action, so that its puts join
   * it; it gets what the action threw, if it did. Must not reject.
   */
  readonly call: (
    action: string,
    args: readonly unknown[],
    record: (error: unknown) => void,
  ) => Promise<void>;
}

/**
 * Fires the schedules and cron jobs of one warm instance.
 *
 * 1. That a job has fired is stored in the commit of its action: after a crash in between, it fires again.
 * 2. A cron job that is still running when it is due again is skipped, and the skip is recorded.
 * 3. Runs missed while no process was there are made up by one run.
 */
export class Scheduler {
  private readonly firing = new Set<string>();
  private cancelTimer: CancelTimer | null = null;
  private isActive = false;

  constructor(private readonly options: SchedulerOptions) {}

  /** Begins to fire: the instance is loaded. Harmless when it has begun. */
  start(): void {
    this.isActive = true;
    this.refresh();
  }

  /** Fires what is due, and asks to be woken for the next. Call it after each change of jobs. */
  refresh(): void {
    if (!this.isActive) {
      this.options.journal.setDue("host", this.earliest());
      return;
    }
    const { clock, tables } = this.options;
    const now = clock.now();
    for (const [key, job] of [...tables.jobs]) {
      if (job.runAt > now) continue;
      if (!this.firing.has(key)) void this.fire(key, job);
      else if (job.kind !== "at") this.skip(key, job);
    }
    this.arm();
  }

  /** Stops waking; what is firing goes on. */
  stop(): void {
    this.isActive = false;
    this.disarm();
  }

  private disarm(): void {
    this.cancelTimer?.();
    this.cancelTimer = null;
  }

  /** When the next job is due that is not firing already. */
  private earliest(): number | null {
    let earliest: number | null = null;
    for (const [key, job] of this.options.tables.jobs) {
      if (job.kind === "at" && this.firing.has(key)) continue;
      if (earliest === null || job.runAt < earliest) earliest = job.runAt;
    }
    return earliest;
  }

  private arm(): void {
    const { clock, journal } = this.options;
    this.disarm();
    const earliest = this.earliest();
    journal.setDue("host", this.firing.size > 0 ? 0 : earliest);
    if (earliest !== null && this.isActive) {
      this.cancelTimer = clock.timer(earliest, () => {
        this.refresh();
      });
    }
  }

  private async fire(key: string, job: Job): Promise<void> {
    const { clock, tables } = this.options;
    const firedAt = clock.now();
    const info: ScheduledFireInfo = {
      kind: job.kind,
      id: job.id,
      ...(job.kind === "at" ? {} : { name: job.name }),
      scheduledAt: job.runAt,
      firedAt,
    };
    this.firing.add(key);
    if (job.kind !== "at") tables.jobs.set(key, advanced(job, firedAt));
    const args = [...(decodeValue(job.args) as unknown[]), info];
    await this.options.call(job.action, args, (error) => {
      this.record(key, job, info, error);
      // Before the commit, so that the next due time is stored with it.
      this.firing.delete(key);
      this.arm();
    });
    this.refresh();
  }

  /** Puts the end of a run into the journal. */
  private record(key: string, job: Job, info: ScheduledFireInfo, error: unknown): void {
    const { journal, tables } = this.options;
    const current = tables.jobs.get(key);
    if (job.kind === "at") {
      if (current?.id === job.id) tables.jobs.delete(key);
      journal.delete(key);
      return;
    }
    // The action may have deleted the job, or put another under its name.
    if (current === undefined || current.kind === "at" || current.id !== job.id) return;
    const finishedAt = this.options.clock.now();
    const { scheduledAt, firedAt } = info;
    const failure = error === undefined ? null : toErrorData(error, true);
    this.addFire(key, current, {
      action: job.action,
      scheduledAt,
      firedAt,
      finishedAt,
      result: failure === null ? "ok" : "error",
      ...(failure === null ? {} : { error: { code: failure.code, message: failure.message } }),
    });
  }

  private skip(key: string, job: Job & { kind: "cron" | "every" }): void {
    const now = this.options.clock.now();
    this.addFire(
      key,
      { ...advanced(job, now), lastRunAt: job.lastRunAt },
      {
        action: job.action,
        scheduledAt: job.runAt,
        firedAt: now,
        result: "skipped",
      },
    );
  }

  /** Adds a run to the history of a job and drops the oldest beyond its limit. */
  private addFire(key: string, job: Job & { kind: "cron" | "every" }, fire: CronFire): void {
    const { journal, tables } = this.options;
    const prefix = `${FIRE_PREFIX}${encodeURIComponent(job.name)}/`;
    const next = { ...job, nextFire: job.nextFire + 1 };
    tables.jobs.set(key, next);
    journal.put(jobKey(next), encodeJob(next));
    if (job.maxHistory > 0) {
      const fireKey = prefix + orderedNumber(job.nextFire);
      tables.fires.set(fireKey, fire);
      journal.put(fireKey, encodeJob(fire));
    }
    const kept = [...tables.fires.keys()].filter((fireKey) => fireKey.startsWith(prefix));
    for (const old of kept.slice(0, Math.max(0, kept.length - job.maxHistory))) {
      tables.fires.delete(old);
      journal.delete(old);
    }
  }
}

/** The job after a run that began at `now`: due at its next time, which late runs do not move. */
function advanced(job: Job & { kind: "cron" | "every" }, now: number): Job & { kind: "cron" | "every" } {
  const runAt =
    job.kind === "cron"
      ? nextCronRun(job.expression, job.timezone, now)
      : nextIntervalRun(job.anchor, job.interval, now);
  return { ...job, runAt, lastRunAt: now };
}
