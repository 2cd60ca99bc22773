import { decodeValue, encodeValue } from "../engine/codec.js";
import type {
  Cron,
  CronEveryOptions,
  CronFire,
  CronJobInfo,
  CronSetOptions,
  Schedule,
  ScheduledEventInfo,
} from "../types/index.js";
import { ScheduleError } from "./errors.js";
import { cronKey, FIRE_PREFIX, jobKey, type Job } from "./jobs.js";
import { MIN_INTERVAL, nextCronRun, nextIntervalRun } from "./next-run.js";
import type { Scope } from "./scope.js";

/** What schedules need of their instance. */
export interface ScheduleOwner {
  readonly now: () => number;
  readonly actions: readonly string[];
  readonly maxSchedules: number;
  readonly fires: ReadonlyMap<string, CronFire>;
}

const MAX_HISTORY = 1_000;
const DEFAULT_HISTORY = 100;

function checkAction(owner: ScheduleOwner, action: string): void {
  if (!owner.actions.includes(action)) {
    throw new ScheduleError(
      `There is no action "${action}" to schedule. Actions: ${owner.actions.join(", ") || "none"}.`,
    );
  }
}

function checkRoom(owner: ScheduleOwner, scope: Scope): void {
  if (scope.effects.jobs.entries().length >= owner.maxSchedules) {
    throw new ScheduleError(
      `${String(owner.maxSchedules)} schedules and cron jobs are open already. Cancel some, or raise options.maxSchedules.`,
    );
  }
}

/** `schedule` of one step, action or hook. */
export function scheduleAccess(owner: ScheduleOwner, scope: Scope): Schedule {
  const { jobs } = scope.effects;
  const once = (key: string): ScheduledEventInfo | undefined => {
    const job = jobs.get(key);
    return job?.kind === "at" ? eventInfo(job) : undefined;
  };
  const at = async (member: string, runAt: number, action: string, args: unknown[]): Promise<string> => {
    scope.use(member);
    checkAction(owner, action);
    checkRoom(owner, scope);
    if (!Number.isFinite(runAt))
      throw new ScheduleError(`\`${member}\` needs a time in ms, not ${String(runAt)}.`);
    const id = crypto.randomUUID();
    const job: Job = {
      kind: "at",
      id,
      action,
      args: encodeValue(args, `The arguments of "${action}"`),
      runAt,
    };
    jobs.set(jobKey(job), job);
    return id;
  };
  return {
    after: (duration, action, ...args) => at("schedule.after", owner.now() + duration, action, args),
    at: (timestamp, action, ...args) => at("schedule.at", timestamp, action, args),
    get: async (id) => {
      scope.use("schedule.get");
      return once(`t/${id}`);
    },
    list: async () => {
      scope.use("schedule.list");
      const open = jobs.entries().flatMap(([, job]) => (job.kind === "at" ? [eventInfo(job)] : []));
      return open.sort((a, b) => a.runAt - b.runAt);
    },
    cancel: async (id) => {
      scope.use("schedule.cancel");
      return jobs.delete(`t/${id}`);
    },
  };
}

function eventInfo(job: Job & { kind: "at" }): ScheduledEventInfo {
  return { id: job.id, action: job.action, args: decodeValue(job.args) as unknown[], runAt: job.runAt };
}

/** `cron` of one step, action or hook. */
export function cronAccess(owner: ScheduleOwner, scope: Scope): Cron {
  const { jobs } = scope.effects;
  return {
    set: async (options) => {
      scope.use("cron.set");
      setCron(owner, scope, options);
    },
    every: async (options) => {
      scope.use("cron.every");
      setInterval(owner, scope, options);
    },
    get: async (name) => {
      scope.use("cron.get");
      const job = jobs.get(cronKey(name));
      return job === undefined || job.kind === "at" ? undefined : cronInfo(job);
    },
    list: async () => {
      scope.use("cron.list");
      return jobs.entries().flatMap(([, job]) => (job.kind === "at" ? [] : [cronInfo(job)]));
    },
    delete: async (name) => {
      scope.use("cron.delete");
      return jobs.delete(cronKey(name));
    },
    history: async (name, { limit = DEFAULT_HISTORY } = {}) => {
      scope.use("cron.history");
      const prefix = `${FIRE_PREFIX}${encodeURIComponent(name)}/`;
      const runs = [...owner.fires].filter(([key]) => key.startsWith(prefix)).map(([, fire]) => fire);
      return runs.reverse().slice(0, limit);
    },
  };
}

function setCron(owner: ScheduleOwner, scope: Scope, options: CronSetOptions): void {
  const { expression, timezone = "UTC" } = options;
  const now = owner.now();
  const job = {
    ...repeated(owner, scope, options),
    kind: "cron",
    expression,
    timezone,
    runAt: nextCronRun(expression, timezone, now),
  } as const;
  scope.effects.jobs.set(jobKey(job), job);
}

function setInterval(owner: ScheduleOwner, scope: Scope, options: CronEveryOptions): void {
  const { interval } = options;
  if (!Number.isSafeInteger(interval) || interval < MIN_INTERVAL) {
    throw new ScheduleError(
      `The interval of "${options.name}" is ${String(interval)} ms; it must be a whole number of at least ${String(MIN_INTERVAL)}.`,
    );
  }
  const before = scope.effects.jobs.get(cronKey(options.name));
  const now = owner.now();
  // Setting the same interval again (each onWake, say) must not move the cadence.
  const anchor = before?.kind === "every" && before.interval === interval ? before.anchor : now + interval;
  const job = {
    ...repeated(owner, scope, options),
    kind: "every",
    interval,
    anchor,
    runAt: nextIntervalRun(anchor, interval, now),
  } as const;
  scope.effects.jobs.set(jobKey(job), job);
}

/** What both kinds of cron job share; an update keeps the past of the job it replaces. */
function repeated(owner: ScheduleOwner, scope: Scope, options: CronSetOptions | CronEveryOptions) {
  const { name, action, args = [], maxHistory = DEFAULT_HISTORY } = options;
  const before = scope.effects.jobs.get(cronKey(name));
  if (name === "") throw new ScheduleError("A cron job needs a name.");
  checkAction(owner, action);
  if (before === undefined) checkRoom(owner, scope);
  if (!Number.isSafeInteger(maxHistory) || maxHistory < 0 || maxHistory > MAX_HISTORY) {
    throw new ScheduleError(
      `maxHistory of "${name}" must be a whole number from 0 to ${String(MAX_HISTORY)}.`,
    );
  }
  const past = before === undefined || before.kind === "at" ? null : before;
  return {
    id: past?.id ?? crypto.randomUUID(),
    name,
    action,
    args: encodeValue(args, `The arguments of "${action}"`),
    lastRunAt: past?.lastRunAt ?? null,
    maxHistory,
    nextFire: past?.nextFire ?? 0,
  };
}

function cronInfo(job: Job & { kind: "cron" | "every" }): CronJobInfo {
  return {
    name: job.name,
    action: job.action,
    args: decodeValue(job.args) as unknown[],
    nextRunAt: job.runAt,
    ...(job.lastRunAt === null ? {} : { lastRunAt: job.lastRunAt }),
    maxHistory: job.maxHistory,
    ...(job.kind === "cron"
      ? { kind: "cron", expression: job.expression, timezone: job.timezone }
      : { kind: "every", interval: job.interval }),
  };
}
