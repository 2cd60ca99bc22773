import { clientOver } from "../client/handles.js";
import type { SendRequest, Target } from "../client/transport.js";
import { systemClock } from "../engine/clock.js";
import type { ContextClass } from "../engine/context.js";
import { InstanceAsleepError } from "../engine/errors.js";
import { createPool } from "../engine/pool.js";
import type { Clock, Store } from "../engine/ports.js";
import type { Guard, Pool } from "../engine/seam.js";
import { MANIFEST_FORMAT_VERSION, type Manifest } from "../manifest/format.js";
import type { Definitions, SendResult } from "../types/index.js";
import { refuseLoadCycle, type CallChain } from "./call-chain.js";
import { carriedManifest, type CarriedManifest } from "./define/carried-manifest.js";
import { hostDefinition, type HostDefinition } from "./define/definition.js";
import { ActorAlreadyExistsError, ActorNotFoundError, StoppingError, UnknownActorError } from "./errors.js";
import { DEFAULTS, type Instance } from "./instance.js";
import { loadInstance } from "./load.js";
import { silentLog, type HostLog } from "./log.js";
import { instanceAddress, instanceName, instanceOfId } from "./names.js";
import { inProcess } from "./in-process.js";
import { InstanceWorkflowContext } from "./workflow-context.js";

export interface HostOptions {
  readonly definitions: Definitions;
  readonly store: Store;
  readonly clock?: Clock;
  readonly log?: HostLog;
  /** What the workflows can record, where the definitions don't carry it themselves. */
  readonly manifest?: Manifest;
  /** Watches workflow code for clock, random numbers, timers and `fetch`; see `createGuard`. */
  readonly guard?: Guard;
  /** More warm instances than this: idle ones are put to sleep, least recently used first. 10,000 when absent. */
  readonly maxWarm?: number;
  /** Puts an instance to sleep as soon as nothing is under way in it, so that each wake re-runs from history: for tests. */
  readonly rerunOnWake?: boolean;
  /** The context of workflow code, in place of the usual one; a subclass of it. For tests that stub steps. */
  readonly contextClass?: ContextClass;
}

/** A caller's wish that an instance be created with this input. */
export interface Wish {
  readonly input: unknown;
}

/** Runs the definitions of a registry over one store: finds, creates, wakes and stops their instances. */
export class Host {
  readonly definitions: ReadonlyMap<string, HostDefinition>;
  readonly clock: Clock;
  readonly log: HostLog;
  readonly pool: Pool<Instance>;
  readonly store: Store;
  readonly guard: Guard | undefined;
  readonly contextClass: ContextClass;
  readonly rerunOnWake: boolean;
  private readonly wishes = new Map<string, Wish[]>();
  private readonly manifest: Manifest | undefined;
  private stopping = false;

  /** @throws DefinitionError */
  constructor(options: HostOptions) {
    this.definitions = new Map(
      Object.entries(options.definitions).map(([name, given]) => [name, hostDefinition(name, given)]),
    );
    this.clock = options.clock ?? systemClock;
    this.log = options.log ?? silentLog;
    this.store = options.store;
    this.manifest = options.manifest;
    this.guard = options.guard;
    this.contextClass = options.contextClass ?? InstanceWorkflowContext;
    this.rerunOnWake = options.rerunOnWake ?? false;
    const timeouts = [...this.definitions.values()].map(
      ({ config }) => config.options?.sleepTimeout ?? DEFAULTS.sleepTimeout,
    );
    this.pool = createPool<Instance>(this.store, this.clock, {
      load: (journal, records) => loadInstance(this, journal, records),
      rerunOnWake: this.rerunOnWake,
      idleMs: Math.min(DEFAULTS.sleepTimeout, ...timeouts),
      ...(options.maxWarm === undefined ? {} : { maxWarm: options.maxWarm }),
      onError: (instance, error) => {
        if (error instanceof ActorNotFoundError) return; // the caller is told
        this.log.error({ err: error, instance }, "An instance could not be opened or stored.");
      },
    });
  }

  /** Begins to wake instances that are due. */
  start(): Promise<void> {
    return this.pool.start();
  }

  /** Puts every instance to sleep, then lets the store go. Calls under way may end; new ones are refused. */
  async stop(): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    await this.pool.stop();
    await this.store.close();
  }

  /** @throws UnknownActorError */
  definition(name: string): HostDefinition {
    const definition = this.definitions.get(name);
    if (definition === undefined) throw new UnknownActorError(name, [...this.definitions.keys()]);
    return definition;
  }

  /** The manifest of a workflow: the one that its code carries, else the one that the host was given. */
  manifestOf(name: string): CarriedManifest | undefined {
    const carried = carriedManifest(name, this.definition(name));
    if (carried !== undefined) return carried;
    const manifest = this.manifest?.workflows[name];
    return manifest && { manifest, places: [] };
  }

  /** What all workflows can record, as far as it is known: given, or carried by the definitions. */
  wholeManifest(): Manifest | undefined {
    const known = [...this.definitions.keys()].flatMap((name) => {
      const manifest = this.manifestOf(name)?.manifest;
      return manifest === undefined ? [] : [[name, manifest] as const];
    });
    if (known.length === 0) return this.manifest;
    const { tool } = this.manifest ?? { tool: "@stepproof/runtime" };
    return { formatVersion: MANIFEST_FORMAT_VERSION, tool, workflows: Object.fromEntries(known) };
  }

  /** The wish, if any, that `instance` be created. */
  wishFor(instance: string): Wish | null {
    return this.wishes.get(instance)?.[0] ?? null;
  }

  /**
   * The warm instance that `target` means; created for `getOrCreate` when there is none.
   * @throws UnknownActorError, ActorNotFoundError, CallCycleError, StoppingError, what creation throws.
   */
  async instanceFor(target: Target, chain: CallChain): Promise<Instance> {
    this.definition(target.name);
    if (target.how === "id") return await this.instanceById(target.name, target.actorId ?? "", chain);
    const instance = instanceName(target);
    if (target.how === "get") return await this.open(instance, chain);
    return await this.openOrCreate(instance, { input: target.input }, chain);
  }

  /**
   * Puts a message into an instance's queue. See `Instance.receive`.
   * @throws as `instanceFor` and `Instance.receive`.
   */
  async send(
    target: Target,
    message: { readonly queue: string; readonly body: unknown },
    request: SendRequest,
    chain: CallChain,
  ): Promise<SendResult<unknown>> {
    for (;;) {
      const instance = await this.instanceFor(target, chain);
      try {
        return await instance.receive(message.queue, message.body, request, chain);
      } catch (error) {
        // It fell asleep between being opened and being sent to; nothing was stored.
        if (!(error instanceof InstanceAsleepError)) throw error;
      }
    }
  }

  /**
   * Creates an instance.
   * @throws ActorAlreadyExistsError
   */
  async create(name: string, key: readonly string[], input: unknown, chain: CallChain): Promise<Instance> {
    this.definition(name);
    const instance = instanceName({ name, key });
    const wish: Wish = { input };
    const exists = await this.open(instance, chain).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ActorNotFoundError) return false;
        throw error;
      },
    );
    if (exists || this.wishes.has(instance)) throw new ActorAlreadyExistsError(instance);
    return await this.openOrCreate(instance, wish, chain);
  }

  private async instanceById(name: string, actorId: string, chain: CallChain): Promise<Instance> {
    const instance = instanceOfId(actorId);
    if (instance === null || instanceAddress(instance).name !== name) {
      throw new ActorNotFoundError(`of "${name}" with the id "${actorId}"`);
    }
    const opened = await this.open(instance, chain);
    if (opened.actorId !== actorId) throw new ActorNotFoundError(`of "${name}" with the id "${actorId}"`);
    return opened;
  }

  private async openOrCreate(instance: string, wish: Wish, chain: CallChain): Promise<Instance> {
    const wishes = this.wishes.get(instance) ?? [];
    this.wishes.set(instance, wishes);
    wishes.push(wish);
    try {
      return await this.open(instance, chain).catch(async (error: unknown) => {
        // Someone else's `get` may have begun to open it before the wish was there.
        if (error instanceof ActorNotFoundError) return await this.open(instance, chain);
        throw error;
      });
    } finally {
      wishes.splice(wishes.indexOf(wish), 1);
      if (wishes.length === 0) this.wishes.delete(instance);
    }
  }

  private async open(instance: string, chain: CallChain): Promise<Instance> {
    if (this.stopping) throw new StoppingError();
    refuseLoadCycle(chain, instance);
    const opened = await this.pool.open(instance);
    if (!opened.destroyed) return opened;
    await this.pool.drop(instance);
    return await this.pool.open(instance);
  }

  touch(instance: string): void {
    this.pool.touch(instance);
  }

  /** Puts an instance to sleep now, or lets a destroyed one go. */
  async forget(instance: string): Promise<void> {
    await this.pool.drop(instance);
  }

  /** A client whose calls are made in process, on behalf of `chain`. */
  clientFor(chain: CallChain): unknown {
    return clientOver(inProcess(this, chain));
  }
}
