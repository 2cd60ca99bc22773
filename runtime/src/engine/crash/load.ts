/**
 * The load of the crash tests: instances that receive numbered messages in a loop with a join, a race and
 * a sleep, and sagas that fail and are rolled back. Everything that happens is told to a log that no crash
 * touches, and `findFaults` reads from it what must not have happened.
 */
import { decodeRecord, decodeValue, encodeRecord, encodeValue } from "../codec.js";
import type { WorkflowContext } from "../context.js";
import { CriticalError } from "../errors.js";
import { Loop } from "../loop.js";
import { Mailbox } from "../mailbox.js";
import { readHistory } from "../operate/index.js";
import { createPool } from "../pool.js";
import type { Clock, Store } from "../ports.js";
import { createRun, type WorkflowFunction } from "../run.js";
import type { AttemptInfo, HostAttempt, Pool, Resident, WorkflowRun, WorkflowStatus } from "../seam.js";

/** One line of the log: what happened, in which instance, to what. */
export interface Line {
  readonly what: "begin" | "kept" | "try" | "ack";
  readonly instance: string;
  readonly subject: string;
}

export type Log = (line: Line) => void;

interface State {
  seen: number[];
  sum: number;
  turns: number;
}

/** What a step body works with here. */
interface StepContext {
  readonly state: State;
}

type Context = WorkflowContext<StepContext>;

export const STOP = -1;

async function receiver(ctx: Context): Promise<string> {
  return ctx.loop({
    name: "main",
    historyPruneInterval: 4,
    run: async (c: Context) => {
      const messages = await c.queue.nextBatch("wait", { timeout: 40, count: 3 });
      const numbers = messages.map(({ body }) => body as number);
      await c.step("apply", async ({ state }) => {
        for (const number of numbers.filter((n) => n !== STOP)) {
          state.seen.push(number);
          await Promise.resolve();
          state.sum += number;
        }
      });
      await c.join("both", {
        a: { run: (b: Context) => b.step("a1", () => 1) },
        b: {
          run: async (b: Context) => {
            await b.step("b1", () => undefined);
            await b.sleep("pause", 1);
            await b.step("b2", () => 2);
          },
        },
      });
      await c.race("first", [
        { name: "quick", run: (b): Promise<unknown> => b.step("q", () => 1) },
        {
          name: "slow",
          run: async (b) => {
            await b.step("s1", () => 1);
            await b.sleep("long", 100_000);
          },
        },
      ]);
      await c.step("count", ({ state }) => {
        state.turns += 1;
      });
      if (numbers.includes(STOP)) return Loop.break("stopped");
      return undefined;
    },
  });
}

async function saga(ctx: Context): Promise<void> {
  await ctx.rollbackCheckpoint("begin");
  for (const name of ["reserve", "charge", "ship"]) {
    await ctx.step({ name, run: () => name, rollback: () => undefined });
    await ctx.sleep(`after-${name}`, 2);
  }
  await ctx
    .step({
      name: "confirm",
      maxRetries: 2,
      retryBackoffBase: 2,
      run: (_step) => {
        throw new Error("not confirmed");
      },
    })
    .catch((error: unknown) => {
      throw new CriticalError((error as Error).message);
    });
}

const STATE_KEY = "s";

class Instance implements Resident {
  constructor(
    readonly run: WorkflowRun,
    readonly mailbox: Mailbox,
    readonly state: State,
    readonly commit: () => Promise<void>,
  ) {}
  get busy(): boolean {
    return this.run.busy;
  }
  wake(): void {
    this.run.start();
  }
  suspend(): Promise<void> {
    return this.run.evict();
  }
  abandon(): void {
    this.run.abandon();
  }
}

/** One process: a pool over the store, and the means to send and to look. */
export class Process {
  readonly pool: Pool<Instance>;

  constructor(
    store: Store,
    clock: Clock,
    private readonly log: Log,
    rerunOnWake: boolean,
    onFault: (error: unknown) => void,
  ) {
    this.pool = createPool<Instance>(store, clock, {
      rerunOnWake,
      onError: (_instance, error) => {
        onFault(error);
      },
      load: (journal, records) => {
        const stored = records.find(({ key }) => key === STATE_KEY);
        const state = (
          stored === undefined
            ? { seen: [], sum: 0, turns: 0 }
            : decodeValue(decodeRecord("host", stored.value, journal.instance, STATE_KEY)[0])
        ) as State;
        const mailbox = new Mailbox(journal, clock, records);
        const attempt = (info: AttemptInfo): HostAttempt => {
          const subject = `${info.path}${info.kind === "rollback" ? " undo" : ""}`;
          this.log({ what: "begin", instance: journal.instance, subject });
          let isRecorded = false;
          return {
            context: { state },
            end: (outcome) => {
              isRecorded = outcome !== "cancelled";
              if (outcome !== "evicted")
                journal.put(STATE_KEY, encodeRecord("host", [encodeValue(state, "state")]));
            },
            committed: () => {
              if (!isRecorded) return;
              this.log({
                what: "kept",
                instance: journal.instance,
                subject: info.kind === "step" && info.name === "confirm" ? `${subject} failed` : subject,
              });
            },
          };
        };
        const fn = (journal.instance.startsWith("saga/") ? saga : receiver) as WorkflowFunction;
        const run = createRun({
          journal,
          mailbox,
          clock,
          records,
          run: fn,
          host: {
            beginAttempt: attempt,
            onIdle: () => {
              this.pool.idle(journal.instance);
            },
            onInternalError: onFault,
          },
        });
        return new Instance(run, mailbox, state, () => journal.commit());
      },
    });
  }

  async start(instances: readonly string[]): Promise<void> {
    await this.pool.start();
    for (const instance of instances)
      await this.pool.use(instance, ({ run }) => {
        run.start();
      });
  }

  /** Sends what `number` gives once the instance is open, so that sends under way never agree on one. */
  async send(instance: string, number: () => number): Promise<void> {
    await this.pool.use(instance, async ({ mailbox, commit }) => {
      const body = number();
      this.log({ what: "try", instance, subject: String(body) });
      mailbox.send("numbers", body);
      await commit();
      this.log({ what: "ack", instance, subject: String(body) });
    });
  }

  look(instance: string): Promise<End> {
    return this.pool.use(instance, ({ run, state, mailbox }) => ({
      status: run.status,
      state,
      left: mailbox.size(),
      undone: readHistory(run).entries.flatMap(({ path, rolledBackAt }) =>
        rolledBackAt === undefined ? [] : [path],
      ),
    }));
  }
}

/** The next number to send to an instance, from the log: none is tried twice. */
export function nextNumber(log: readonly Line[], instance: string): number {
  return log.filter((line) => line.what === "try" && line.instance === instance && Number(line.subject) >= 0)
    .length;
}

/** How an instance stands. */
export interface End {
  readonly status: WorkflowStatus;
  readonly state: State;
  /** Messages that wait. */
  left: number;
  /** The steps whose rollback is recorded: a kill can come between that and the line in the log. */
  readonly undone: readonly string[];
}

/** What must not have happened, as sentences. `ends` is how each instance stands at the end. */
export function findFaults(log: readonly Line[], ends: ReadonlyMap<string, End>): string[] {
  const faults: string[] = [];
  const kept = new Set<string>();
  for (const { what, instance, subject } of log) {
    const key = `${instance} ${subject}`;
    if (what === "kept") kept.add(key);
    if (what === "begin" && kept.has(key)) faults.push(`${key}: run again after its outcome was kept`);
  }
  for (const [instance, { status, state, left, undone }] of ends) {
    if (instance.startsWith("saga/")) {
      if (status !== "failed") faults.push(`${instance} ended ${status}`);
      for (const name of ["reserve", "charge", "ship"])
        if (!undone.includes(name)) faults.push(`${instance}: ${name} was not undone`);
      continue;
    }
    if (status !== "completed") faults.push(`${instance} ended ${status}`);
    if (left > 0) faults.push(`${instance}: ${left} messages left`);
    const acknowledged = log
      .filter((line) => line.what === "ack" && line.instance === instance)
      .map(({ subject }) => Number(subject))
      .filter((n) => n >= 0);
    for (const number of acknowledged)
      if (!state.seen.includes(number)) faults.push(`${instance}: acknowledged message ${number} was lost`);
    if (new Set(state.seen).size !== state.seen.length)
      faults.push(`${instance}: a message was seen twice: ${state.seen.join()}`);
    if (state.seen.some((number, index) => index > 0 && number < (state.seen[index - 1] ?? 0)))
      faults.push(`${instance}: messages out of order: ${state.seen.join()}`);
    if (state.sum !== state.seen.reduce((sum, number) => sum + number, 0))
      faults.push(`${instance}: state is torn: ${JSON.stringify(state)}`);
  }
  return faults;
}
