import type { AttemptInfo } from "../engine/seam.js";
import type { InstanceDatabase, InstanceKv, Log, QueueSender } from "../types/index.js";
import type { LiveConnection } from "./connections.js";
import type { Instance } from "./instance.js";
import { checkEvent } from "./messages.js";
import { cronAccess, scheduleAccess } from "./schedule-access.js";
import type { Scope } from "./scope.js";

/**
 * The context of one step, action or hook (`InstanceAccess` to users). Every member refuses use once the
 * scope is closed; what it does is collected in the scope's effects.
 */
export class Access {
  readonly #instance: Instance;
  readonly #scope: Scope;

  constructor(instance: Instance, scope: Scope) {
    this.#instance = instance;
    this.#scope = scope;
  }

  get actorId(): string {
    return this.#instance.actorId;
  }
  get name(): string {
    return this.#instance.address.name;
  }
  get key(): readonly string[] {
    return this.#instance.address.key;
  }
  get log(): Log {
    return this.#instance.log;
  }
  get abortSignal(): AbortSignal {
    return this.#scope.signal();
  }

  get state(): unknown {
    this.#scope.useState();
    return this.#instance.state.value;
  }
  set state(value: unknown) {
    this.#scope.useState();
    this.#instance.state.value = value;
  }
  get vars(): unknown {
    this.#scope.use("vars");
    return this.#instance.vars;
  }
  set vars(value: unknown) {
    this.#scope.use("vars");
    this.#instance.vars = value;
  }

  get kv(): InstanceKv {
    const scope = this.#scope;
    const { kv } = scope.effects;
    return {
      get: async (key) => {
        scope.use("kv.get");
        return kv.get(key) ?? null;
      },
      put: async (key, value) => {
        scope.use("kv.put");
        kv.set(key, value);
      },
      delete: async (key) => {
        scope.use("kv.delete");
        kv.delete(key);
      },
      list: async (prefix) => {
        scope.use("kv.list");
        return kv.entries().filter(([key]) => key.startsWith(prefix));
      },
    };
  }

  get db(): InstanceDatabase {
    this.#scope.use("db");
    return this.#instance.databaseFor(this.#scope);
  }

  get queue(): QueueSender<Record<never, never>> {
    const scope = this.#scope;
    return {
      send: async (queue: string, body: unknown) => {
        scope.use("queue.send");
        const checked = await this.#instance.checkMessage(queue, body, scope.effects.messages.length);
        scope.use("queue.send");
        scope.effects.messages.push({ queue, body: checked });
      },
    };
  }

  get schedule() {
    return scheduleAccess(this.#instance.scheduleOwner, this.#scope);
  }
  get cron() {
    return cronAccess(this.#instance.scheduleOwner, this.#scope);
  }

  get conns(): ReadonlyMap<string, LiveConnection> {
    this.#scope.use("conns");
    return this.#instance.connections.seenBy(this.#scope.effects);
  }

  client(): unknown {
    this.#scope.use("client()");
    return this.#instance.clientFor(this.#scope);
  }

  broadcast(name: string, ...args: unknown[]): void {
    this.#scope.use("broadcast");
    const { definition, address } = this.#instance;
    const copy = checkEvent(definition, address.name, name, args);
    this.#scope.effects.events.push({ conn: null, name, args: copy });
  }

  async keepAwake<T>(promise: Promise<T>): Promise<T> {
    this.#scope.use("keepAwake");
    return await this.#instance.keepAwake(promise);
  }

  waitUntil(promise: Promise<unknown>): void {
    this.#scope.use("waitUntil");
    this.#instance.waitUntil(promise);
  }

  destroy(): void {
    this.#scope.use("destroy");
    this.#scope.effects.destroy = true;
  }

  async saveState(): Promise<void> {
    this.#scope.use("saveState");
    await this.#instance.commitEffects(this.#scope);
  }

  sleep(): void {
    this.#scope.use("sleep");
    this.#instance.sleepSoon();
  }
}

/** The context of a step's body. */
export class StepAccess extends Access {
  readonly #info: AttemptInfo;

  constructor(instance: Instance, scope: Scope, info: AttemptInfo) {
    super(instance, scope);
    this.#info = info;
  }

  get attempt(): number {
    return this.#info.attempt;
  }

  get idempotencyKey(): string {
    return this.#info.idempotencyKey;
  }

  isEvicted(): boolean {
    return this.#info.isEvicted();
  }
}

/** The context of an action. */
export class ActionAccess extends Access {
  constructor(
    instance: Instance,
    scope: Scope,
    readonly conn: LiveConnection | null,
  ) {
    super(instance, scope);
  }
}
