import type { Journal } from "../engine/journal.js";
import type { Mailbox } from "../engine/mailbox.js";
import type { Resident, WorkflowRun, WorkflowStatus } from "../engine/seam.js";
import type { InstanceDatabase, SendResult, SqlRow, SqlValue } from "../types/index.js";
import type { SendRequest } from "../client/transport.js";
import { applyEffects, putState, settleAftermath, type Aftermath } from "./aftermath.js";
import { beginAttempt } from "./attempt.js";
import { refuseWaitCycle, type CallChain } from "./call-chain.js";
import { callAction, runHook, type ActionRequest, type Hook } from "./calls.js";
import { Connections, type ConnectionSink, type LiveConnection } from "./connections.js";
import type { HostDefinition } from "./define/definition.js";
import { noEffects, type Effects, type InstanceTables } from "./effects.js";
import { ActorDestroyedError, QueueFullError, StoppingError, WorkflowEndedError } from "./errors.js";
import type { Host } from "./host.js";
import type { HostLog } from "./log.js";
import { checkBody } from "./messages.js";
import type { InstanceAddress } from "./names.js";
import type { ScheduleOwner } from "./schedule-access.js";
import { Scheduler } from "./scheduler.js";
import type { PagedDatabase } from "./paged-database.js";
import { Scope } from "./scope.js";
import { Senders } from "./senders.js";
import { InstanceSpans } from "./spans.js";
import type { StateCell } from "./state.js";
import { Wakefulness } from "./wakefulness.js";
import type { InstanceHost } from "./workflow-context.js";

/** Times in ms, sizes in bytes. See `ActorOptions`. */
export const DEFAULTS = {
  sleepTimeout: 30_000,
  actionTimeout: 60_000,
  sleepGracePeriod: 15_000,
  maxQueueSize: 1_000,
  maxQueueMessageSize: 65_536,
  maxSchedules: 1_000,
} as const;

const ENDED: ReadonlySet<WorkflowStatus> = new Set<WorkflowStatus>([
  "completed",
  "failed",
  "cancelled",
  "parked",
]);

/** Record that says that the instance is to be destroyed. */
export const DESTROY_KEY = "x";

/** What `load` found or made. */
export interface InstanceParts {
  readonly host: Host;
  readonly definition: HostDefinition;
  readonly journal: Journal;
  readonly address: InstanceAddress;
  readonly actorId: string;
  readonly state: StateCell;
  readonly tables: InstanceTables;
  readonly database: PagedDatabase;
  readonly log: HostLog;
}

/**
 * One warm instance of a definition: state, vars, queue, schedules, connections and, if it has one, its
 * workflow.
 *
 * 1. Steps, actions and hooks see one state object. Each puts the state at its end, in its own commit.
 * 2. What they send, broadcast or schedule is collected and applied at their end; a failed step attempt
 *    drops it, but keeps its state (roll-forward).
 * 3. Events go out and callers are answered only after the commit is durable.
 */
export class Instance implements Resident {
  readonly host: Host;
  readonly definition: HostDefinition;
  readonly journal: Journal;
  readonly address: InstanceAddress;
  readonly actorId: string;
  readonly state: StateCell;
  readonly tables: InstanceTables;
  readonly log: HostLog;
  readonly database: PagedDatabase;
  readonly connections = new Connections();
  readonly scheduler: Scheduler;
  readonly scheduleOwner: ScheduleOwner;
  readonly spans: InstanceSpans;
  vars: unknown = undefined;
  destroyed = false;
  /** Set by `load`, which needs the instance to make them. */
  mailbox!: Mailbox;
  run: WorkflowRun | null = null;

  private readonly lifetime = new AbortController();
  readonly senders: Senders;
  private readonly wakefulness: Wakefulness;
  /** Bodies of steps under way. */
  stepsInFlight = 0;
  /** `onStateChange` is under way. */
  tellsStateChange = false;

  constructor(parts: InstanceParts) {
    this.host = parts.host;
    this.definition = parts.definition;
    this.journal = parts.journal;
    this.address = parts.address;
    this.actorId = parts.actorId;
    this.state = parts.state;
    this.tables = parts.tables;
    this.database = parts.database;
    this.log = parts.log;
    this.spans = new InstanceSpans({
      actor: this.address.name,
      key: this.address.key,
      actorId: this.actorId,
    });
    this.wakefulness = new Wakefulness(this.host.clock, this.log, {
      used: () => {
        this.host.touch(this.instance);
      },
      rest: () => {
        this.rest();
      },
    });
    const actions = Object.keys(this.definition.config.actions ?? {});
    this.senders = new Senders(this.host.clock, () => {
      this.rest();
    });
    this.scheduleOwner = {
      now: () => this.host.clock.now(),
      actions,
      maxSchedules: this.option("maxSchedules"),
      fires: this.tables.fires,
    };
    this.scheduler = new Scheduler({
      clock: this.host.clock,
      journal: this.journal,
      tables: this.tables,
      call: (action, args, record) => this.fire(action, args, record),
    });
  }

  get instance(): string {
    return this.journal.instance;
  }

  option(name: keyof typeof DEFAULTS): number {
    return this.definition.config.options?.[name] ?? DEFAULTS[name];
  }

  /* Resident: what the pool asks and tells. */

  get busy(): boolean {
    if (this.destroyed) return false;
    return (
      this.wakefulness.inFlight > 0 ||
      this.senders.size > 0 ||
      this.connections.size > 0 ||
      this.run?.busy === true ||
      this.definition.config.options?.noSleep === true ||
      (!this.host.rerunOnWake && this.wakefulness.idleFor < this.option("sleepTimeout"))
    );
  }

  wake(): void {
    this.scheduler.start();
    this.run?.start();
  }

  async suspend(): Promise<void> {
    if (this.destroyed) return;
    const grace = this.option("sleepGracePeriod");
    const { wakefulness } = this;
    this.scheduler.stop();
    this.lifetime.abort(new Error("The instance is put to sleep."));
    // Actions first: what they send at their end must still reach the queue.
    await wakefulness.withinGrace(grace, wakefulness.whenIdle());
    await this.run?.evict(grace);
    this.spans.end();
    await wakefulness.withinGrace(grace, this.disconnectAll("The instance was put to sleep.", false));
    await wakefulness.withinGrace(grace, this.hook("onSleep", []));
    await wakefulness.withinGrace(grace, wakefulness.leftovers());
    this.senders.refuse(new StoppingError());
    putState(this);
    this.database.put();
    this.database.close();
    this.mailbox.close();
  }

  abandon(error: unknown): void {
    this.scheduler.stop();
    this.lifetime.abort(error);
    this.run?.abandon();
    this.spans.end(error);
    this.connections.close("The instance failed.", false);
    this.database.close();
    this.senders.refuse(error);
  }

  /* Actions */

  /**
   * Calls an action and gives a copy of its result, once its changes are durable.
   * @throws what the action throws; ActionNotFoundError, ActionTimeoutError.
   */
  async callAction(name: string, args: readonly unknown[], request: ActionRequest): Promise<unknown> {
    return await callAction(this, name, args, request);
  }

  /** Fires a scheduled action; its failure is logged and recorded. */
  private async fire(
    action: string,
    args: readonly unknown[],
    record: (error: unknown) => void,
  ): Promise<void> {
    try {
      await this.callAction(action, args, { chain: [], record });
    } catch (error) {
      this.log.error({ err: error, action }, "A scheduled action failed.");
    }
  }

  /* Messages */

  /**
   * The body as it will be kept.
   * @param pending messages of the same step or action that are not in the queue yet.
   * @throws QueueNotFoundError, ValidationError, MessageTooLargeError, QueueFullError, SerializationError.
   */
  async checkMessage(queue: string, body: unknown, pending: number): Promise<unknown> {
    const largest = this.option("maxQueueMessageSize");
    const checked = await checkBody(this.definition, this.address, queue, body, largest);
    const most = this.option("maxQueueSize");
    if (this.mailbox.size() + pending >= most) throw new QueueFullError(this.instance, most);
    return checked;
  }

  /**
   * Puts a message into the queue, durably; with `wait`, until it is completed.
   * @throws as `checkMessage`; CallCycleError.
   */
  async receive(
    queue: string,
    body: unknown,
    request: SendRequest,
    chain: CallChain,
  ): Promise<SendResult<unknown>> {
    if (request.wait) {
      refuseWaitCycle(chain, this.instance);
      const ended = this.workflowEnded();
      if (ended !== null) throw ended;
    }
    const checked = await this.checkMessage(queue, body, 0);
    this.used();
    const message = this.mailbox.send(queue, checked);
    const completed = request.wait ? this.senders.wait(message, request) : null;
    await this.journal.commit();
    return completed === null ? { status: "completed" } : await completed;
  }

  /* Connections */

  /** Opens a connection: hooks, then events begin to flow. @throws what a hook throws. */
  async connect(params: unknown, sink: ConnectionSink): Promise<LiveConnection> {
    const { config } = this.definition;
    return await this.keepAwake(
      (async () => {
        await this.hook("onBeforeConnect", [params]);
        const state =
          config.createConnState === undefined
            ? structuredClone(config.connState)
            : await this.hook("createConnState", [params]);
        const connection = this.connections.make(params, state, sink);
        this.connections.add(connection, sink);
        try {
          await this.hook("onConnect", [connection]);
        } catch (error) {
          // The client is refused: what stayed open would keep the instance awake for ever.
          this.connections.remove(connection.id);
          throw error;
        }
        return connection;
      })(),
    );
  }

  async disconnect(id: string): Promise<void> {
    const connection = this.connections.remove(id);
    this.used();
    if (connection !== null && !this.destroyed) await this.keepAwake(this.hook("onDisconnect", [connection]));
  }

  /** Closes every connection, then tells the code of each. */
  private async disconnectAll(reason: string, final: boolean): Promise<void> {
    for (const connection of this.connections.close(reason, final))
      await this.hook("onDisconnect", [connection]);
  }

  /* Hooks */

  /** Runs a hook if there is one and makes durable what it did. Gives what it returns. */
  async hook(name: Hook, args: readonly unknown[], commit = true): Promise<unknown> {
    return await runHook(this, name, args, commit);
  }

  /* Steps: the engine's side */

  /** What the engine asks of this instance for its workflow. */
  workflowHost(): InstanceHost {
    return {
      instance: this,
      contextClass: this.host.contextClass,
      onIdle: () => {
        this.rest();
      },
      beginAttempt: (info) => beginAttempt(this, info),
      onStatus: (status) => {
        this.spans.status(status, this.run?.error?.message);
        const ended = this.workflowEnded();
        if (ended !== null) this.senders.refuse(ended);
      },
      onError: async (event) => {
        await this.hook("onError", [event]);
      },
      onInternalError: (error) => {
        this.log.error({ err: error }, "A fault outside the workflow's own code.");
      },
    };
  }

  /** Why no message will be completed any more; `null` while that may be. */
  private workflowEnded(): WorkflowEndedError | null {
    const { run } = this;
    if (run === null || !ENDED.has(run.status)) return null;
    return new WorkflowEndedError(this.instance, run.status, run.error?.message);
  }

  /* Effects */

  /** Makes durable what a scope that goes on did so far. */
  async commitEffects(scope: Scope): Promise<void> {
    const aftermath = this.apply(scope.effects, { failed: false, stateUnchanged: false });
    if (aftermath.dirty) await this.journal.commit();
    await this.settle({
      ...aftermath,
      effects: { ...aftermath.effects, events: scope.effects.events.splice(0) },
    });
  }

  /** Puts into the journal what a step, action or hook did. Does not await. */
  apply(effects: Effects, how: { readonly failed: boolean; readonly stateUnchanged: boolean }): Aftermath {
    return applyEffects(this, effects, how);
  }

  /** What follows a durable commit: events go out, listeners are told, destruction happens. Never rejects. */
  async settle(aftermath: Aftermath): Promise<void> {
    await settleAftermath(this, aftermath);
  }

  /** Ends the instance for good. */
  async destroy(): Promise<void> {
    if (this.destroyed) return;
    this.scheduler.stop();
    this.lifetime.abort(new ActorDestroyedError(this.instance));
    await this.run?.evict(0);
    this.spans.end();
    const leaving = this.disconnectAll("The instance was destroyed.", true);
    await this.wakefulness.withinGrace(this.option("sleepGracePeriod"), leaving);
    await this.hook("onDestroy", []);
    this.destroyed = true;
    this.run?.abandon();
    this.database.close();
    this.journal.removeInstance();
    await this.journal.commit();
    this.senders.refuse(new ActorDestroyedError(this.instance));
    await this.host.forget(this.instance);
  }

  /* Being kept awake */

  /** Counts as busy until the promise settles; gives its result. */
  async keepAwake<T>(promise: Promise<T>): Promise<T> {
    return await this.wakefulness.keep(promise);
  }

  /** Sleep waits for the promise, within its grace time. */
  waitUntil(promise: Promise<unknown>): void {
    this.wakefulness.before(promise);
  }

  /** Puts the instance to sleep as soon as it is idle. */
  sleepSoon(): void {
    void this.wakefulness.whenIdle().then(() => this.host.forget(this.instance));
  }

  clientFor(scope: Scope): unknown {
    return this.host.clientFor(scope.chain);
  }

  /** The instance's database as one step, action or hook may use it. */
  databaseFor(scope: Scope): InstanceDatabase {
    return {
      execute: async <Row extends SqlRow>(sql: string, ...args: readonly SqlValue[]): Promise<Row[]> => {
        scope.use("db.execute");
        return this.database.execute(sql, args) as Row[];
      },
    };
  }

  /** Opens the scope of an action or hook. */
  scope<K extends "action" | "hook">(kind: K, name: string, chain: CallChain): Scope<K> {
    return new Scope(kind, name, chain, noEffects(this.tables), () => this.lifetime.signal);
  }

  /** Tells the pool when nothing keeps the instance busy any more. */
  private rest(): void {
    if (!this.busy) this.host.pool.idle(this.instance);
  }

  /** It was used just now: counts against sleep. */
  used(): void {
    this.wakefulness.used();
  }

  /** For messages. */
  get stateLabel(): string {
    return `The state of "${this.address.name}"`;
  }
}
