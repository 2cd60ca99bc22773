import { decodeValue, encodeRecord, encodeValue } from "../engine/codec.js";
import type { Journal } from "../engine/journal.js";
import type { Mailbox } from "../engine/mailbox.js";
import type { Resident, WorkflowRun, WorkflowStatus } from "../engine/seam.js";
import type { InstanceDatabase, SendResult, SqlRow, SqlValue } from "../types/index.js";
import type { SendRequest } from "../client/transport.js";
import { Access, ActionAccess } from "./access.js";
import { beginAttempt } from "./attempt.js";
import { refuseWaitCycle, withFrame, type CallChain } from "./call-chain.js";
import { Connections, type ConnectionSink, type LiveConnection } from "./connections.js";
import type { HostDefinition } from "./define/definition.js";
import { noEffects, type Effects, type InstanceTables } from "./effects.js";
import {
  ActionNotFoundError,
  ActionTimeoutError,
  ActorDestroyedError,
  QueueFullError,
  StoppingError,
  WorkflowEndedError,
} from "./errors.js";
import type { Host } from "./host.js";
import { encodeJob, type Job } from "./jobs.js";
import type { HostLog } from "./log.js";
import { checkBody } from "./messages.js";
import type { InstanceAddress } from "./names.js";
import type { ScheduleOwner } from "./schedule-access.js";
import { Scheduler } from "./scheduler.js";
import type { PagedDatabase } from "./paged-database.js";
import { Scope } from "./scope.js";
import { Senders } from "./senders.js";
import { endSpan, inSpan, InstanceSpans } from "./spans.js";
import type { StateCell } from "./state.js";
import { withinTime } from "./time-limit.js";
import { InstanceWorkflowContext, type InstanceHost } from "./workflow-context.js";

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

export interface ActionRequest {
  readonly chain: CallChain;
  readonly connection?: LiveConnection;
  /** Run right before the commit that ends the action; gets what the action threw, if it did. */
  readonly record?: (error: unknown) => void;
}

/** What a step, action or hook left to do once its commit is durable. */
export interface Aftermath {
  /** Something was put into the journal. */
  readonly dirty: boolean;
  readonly stateChanged: boolean;
  readonly effects: Effects;
}

type Hook =
  | "onCreate"
  | "onWake"
  | "onSleep"
  | "onDestroy"
  | "onStateChange"
  | "onBeforeConnect"
  | "onConnect"
  | "onDisconnect"
  | "createState"
  | "createVars"
  | "createConnState"
  | "onError"
  | "run";

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
  private readonly leftovers = new Set<Promise<unknown>>();
  private inFlight = 0;
  /** Bodies of steps under way. */
  stepsInFlight = 0;
  private tellsStateChange = false;
  private lastUse: number;
  private idle: (() => void)[] = [];

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
    this.lastUse = this.host.clock.now();
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
      this.inFlight > 0 ||
      this.senders.size > 0 ||
      this.connections.size > 0 ||
      this.run?.busy === true ||
      this.definition.config.options?.noSleep === true ||
      this.host.clock.now() - this.lastUse < this.option("sleepTimeout")
    );
  }

  wake(): void {
    this.scheduler.start();
    this.run?.start();
  }

  async suspend(): Promise<void> {
    if (this.destroyed) return;
    const grace = this.option("sleepGracePeriod");
    this.scheduler.stop();
    this.lifetime.abort(new Error("The instance is put to sleep."));
    // Actions first: what they send at their end must still reach the queue.
    await this.withinGrace(grace, this.whenIdle());
    await this.run?.evict(grace);
    this.spans.end();
    await this.withinGrace(grace, this.disconnectAll("The instance was put to sleep."));
    await this.withinGrace(grace, this.hook("onSleep", []));
    await this.withinGrace(grace, Promise.allSettled([...this.leftovers]));
    this.senders.refuse(new StoppingError());
    this.putState();
    this.database.put();
    this.database.close();
    this.mailbox.close();
  }

  abandon(error: unknown): void {
    this.scheduler.stop();
    this.lifetime.abort(error);
    this.run?.abandon();
    this.spans.end(error);
    this.connections.close("The instance failed.");
    this.database.close();
    this.senders.refuse(error);
  }

  /* Actions */

  /**
   * Calls an action and gives a copy of its result, once its changes are durable.
   * @throws what the action throws; ActionNotFoundError, ActionTimeoutError.
   */
  async callAction(name: string, args: readonly unknown[], request: ActionRequest): Promise<unknown> {
    const { actions = {} } = this.definition.config;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action === undefined) throw new ActionNotFoundError(this.address.name, name, Object.keys(actions));
    const frame = { instance: this.instance, kind: "action", what: name } as const;
    const scope = this.scope(frame.kind, name, withFrame(request.chain, frame));
    const context = new ActionAccess(this, scope, request.connection ?? null);
    const unchanged = this.unchangedSince();
    return await this.keepAwake(
      this.concluded(scope, unchanged, request.record, async () => {
        const run = async (): Promise<unknown> => action(context, ...args);
        const ms = this.option("actionTimeout");
        const result = await withinTime(this.host.clock, ms, run(), () => {
          throw new ActionTimeoutError(this.address.name, name, ms);
        });
        return decodeValue(encodeValue(result, `The result of action "${name}"`));
      }),
    );
  }

  /** Runs `body`, then makes durable what it did, whether it threw or not. */
  private async concluded<T>(
    scope: Scope<"action" | "hook">,
    unchanged: () => boolean,
    record: ((error: unknown) => void) | undefined,
    body: () => Promise<T>,
  ): Promise<T> {
    let failure: { readonly error: unknown } | null = null;
    let result: T | undefined;
    const span = this.spans.startCall(scope.kind, scope.name);
    try {
      result = await inSpan(span, body);
    } catch (error) {
      failure = { error };
    }
    scope.close();
    let aftermath: Aftermath;
    try {
      aftermath = this.apply(scope.effects, { failed: failure !== null, stateUnchanged: unchanged() });
    } catch (error) {
      // The state can't be stored: the action fails, and what it sent is dropped.
      failure ??= { error };
      aftermath = { dirty: false, stateChanged: false, effects: noEffects(this.tables) };
    }
    record?.(failure?.error);
    endSpan(span, failure?.error);
    if (aftermath.dirty || record !== undefined) await this.journal.commit();
    await this.settle(aftermath);
    if (failure !== null) throw failure.error;
    return result as T; // set: body did not throw
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

  /**
   * A read-only action must not store what a step in flight has changed so far: only while a step is in
   * flight, compares the state at its begin and end.
   */
  private unchangedSince(): () => boolean {
    if (this.stepsInFlight === 0) return () => false;
    const text = (): string => encodeRecord("host", [encodeValue(this.state.value, this.stateLabel)]);
    const before = text();
    return () => text() === before;
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

  /** Opens a connection: hooks, then events begin to flow. @throws what `onBeforeConnect` throws. */
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
        await this.hook("onConnect", [connection]);
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
  private async disconnectAll(reason: string): Promise<void> {
    for (const connection of this.connections.close(reason)) await this.hook("onDisconnect", [connection]);
  }

  /* Hooks */

  /** Runs a hook if there is one and makes durable what it did. Gives what it returns. */
  async hook(name: Hook, args: readonly unknown[], commit = true): Promise<unknown> {
    const { config } = this.definition;
    const hook = (
      name === "run"
        ? this.definition.run
        : name === "onError"
          ? this.definition.workflow?.options.onError
          : config[name]
    ) as ((c: unknown, ...args: readonly unknown[]) => unknown) | null | undefined;
    if (hook === undefined || hook === null) return undefined;
    const kind =
      name === "createState" || name === "createVars" || name === "onCreate" || name === "onWake"
        ? "load"
        : "hook";
    const scope = this.scope("hook", name, [{ instance: this.instance, kind, what: name }]);
    const run = async (): Promise<unknown> => hook(new Access(this, scope), ...args);
    if (commit) return await this.concluded(scope, () => false, undefined, run);
    const result = await run();
    scope.close();
    this.apply(scope.effects, { failed: false, stateUnchanged: false });
    return result;
  }

  /* Steps: the engine's side */

  /** What the engine asks of this instance for its workflow. */
  workflowHost(): InstanceHost {
    return {
      instance: this,
      contextClass: InstanceWorkflowContext,
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
    if (how.failed) {
      const stateChanged = !how.stateUnchanged && this.putState();
      const isDirty = this.database.put() || stateChanged;
      return { dirty: isDirty, stateChanged, effects: noEffects(this.tables) };
    }
    const stateChanged = !how.stateUnchanged && this.state.put(this.journal, this.stateLabel);
    let puts = Number(this.database.put());
    effects.kv.apply((key, value) => {
      puts++;
      this.write(`k/${key}`, value === null ? null : encodeRecord("host", [value]));
    });
    let jobsChanged = false;
    effects.jobs.apply((key, job: Job | null) => {
      jobsChanged = true;
      this.write(key, job === null ? null : encodeJob(job));
    });
    if (jobsChanged) this.scheduler.refresh();
    if (effects.destroy) {
      // Durable with the step: killed before it is carried out, the next process does.
      this.journal.put(DESTROY_KEY, encodeRecord("host", []));
      this.journal.setDue("destroy", 0);
    }
    const messages = effects.messages.splice(0);
    for (const { queue, body } of messages) this.mailbox.send(queue, body);
    const isDirty = stateChanged || puts > 0 || jobsChanged || effects.destroy || messages.length > 0;
    return { dirty: isDirty, stateChanged, effects };
  }

  /** Puts the state where nobody is left to tell that it can't be stored: that is logged. True when it changed. */
  private putState(): boolean {
    try {
      return this.state.put(this.journal, this.stateLabel);
    } catch (error) {
      this.log.error({ err: error }, "The state can't be stored.");
      return false;
    }
  }

  private write(key: string, text: string | null): void {
    if (text === null) this.journal.delete(key);
    else this.journal.put(key, text);
  }

  /** What follows a durable commit: events go out, listeners are told, destruction happens. Never rejects. */
  async settle({ stateChanged, effects }: Aftermath): Promise<void> {
    try {
      for (const { conn, name, args } of effects.events) this.connections.deliver(conn, name, args);
      if (stateChanged) await this.tellStateChange();
      if (effects.destroy) await this.destroy();
    } catch (error) {
      this.log.error({ err: error }, "What follows a commit failed.");
    }
  }

  /** Runs `onStateChange`; what that changes itself is stored, but not told again. */
  private async tellStateChange(): Promise<void> {
    if (this.tellsStateChange || this.definition.config.onStateChange === undefined) return;
    this.tellsStateChange = true;
    try {
      await this.hook("onStateChange", [this.state.value]);
    } finally {
      this.tellsStateChange = false;
    }
  }

  /** Ends the instance for good. */
  async destroy(): Promise<void> {
    if (this.destroyed) return;
    this.scheduler.stop();
    this.lifetime.abort(new ActorDestroyedError(this.instance));
    await this.run?.evict(0);
    this.spans.end();
    await this.withinGrace(
      this.option("sleepGracePeriod"),
      this.disconnectAll("The instance was destroyed."),
    );
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
    this.inFlight++;
    this.used();
    try {
      return await promise;
    } finally {
      this.inFlight--;
      this.used();
      if (this.inFlight === 0) for (const resolve of this.idle.splice(0)) resolve();
      this.rest();
    }
  }

  /** Sleep waits for the promise, within its grace time. */
  waitUntil(promise: Promise<unknown>): void {
    const kept = promise.catch((error: unknown) => {
      this.log.error({ err: error }, "A waitUntil promise failed.");
    });
    this.leftovers.add(kept);
    void kept.finally(() => this.leftovers.delete(kept));
  }

  /** Puts the instance to sleep as soon as it is idle. */
  sleepSoon(): void {
    void this.whenIdle().then(() => this.host.forget(this.instance));
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

  private scope<K extends "action" | "hook">(kind: K, name: string, chain: CallChain): Scope<K> {
    return new Scope(kind, name, chain, noEffects(this.tables), () => this.lifetime.signal);
  }

  /** Tells the pool when nothing keeps the instance busy any more. */
  private rest(): void {
    if (!this.busy) this.host.pool.idle(this.instance);
  }

  /** It was used just now: counts against sleep. */
  used(): void {
    this.lastUse = this.host.clock.now();
    this.host.touch(this.instance);
  }

  private get stateLabel(): string {
    return `The state of "${this.address.name}"`;
  }

  private whenIdle(): Promise<void> {
    if (this.inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  /** Waits for `work`, at most `ms`; failures are logged. */
  private async withinGrace(ms: number, work: Promise<unknown>): Promise<void> {
    try {
      await withinTime(this.host.clock, ms, work, () => undefined);
    } catch (error) {
      this.log.error({ err: error }, "Work that ends an instance failed.");
    }
  }
}
