import type {
  AnyRegistry,
  ClientOf,
  ConnectOptions,
  ConnectionStatus,
  Key,
  SendOptions,
  SendWaitOptions,
  Unsubscribe,
} from "../types/index.js";
import type { SendRequest, Target, Transport, TransportConnection } from "./transport.js";

/**
 * The typed client over a transport. Members are made on access: definitions and actions are known to the
 * types only, so an unknown name is refused by the server, not here.
 */
export function clientOver<R extends AnyRegistry>(transport: Transport): ClientOf<R> {
  return byName((name) => new DefinitionAccessor(transport, name)) as ClientOf<R>;
}

/** An object whose every string member is made by `make`. Not a thenable. */
function byName(make: (name: string) => unknown, base: object = {}): object {
  return new Proxy(base, {
    get(target, member): unknown {
      if (member in target || typeof member === "symbol" || member === "then") {
        const value: unknown = Reflect.get(target, member, target);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return make(member);
    },
  });
}

function normalKey(key: Key | undefined): readonly string[] {
  if (key === undefined) return [];
  return typeof key === "string" ? [key] : key;
}

class DefinitionAccessor {
  constructor(
    private readonly transport: Transport,
    private readonly name: string,
  ) {}

  get(key?: Key): object {
    return this.handle({ name: this.name, how: "get", key: normalKey(key) });
  }

  getOrCreate(key?: Key, options: { readonly createWithInput?: unknown } = {}): object {
    const input = options.createWithInput;
    return this.handle({ name: this.name, how: "getOrCreate", key: normalKey(key), input });
  }

  async create(key?: Key, options: { readonly input?: unknown } = {}): Promise<object> {
    return this.getForId(await this.transport.create(this.name, normalKey(key), options.input));
  }

  getForId(actorId: string): object {
    return this.handle({ name: this.name, how: "id", key: [], actorId });
  }

  private handle(target: Target): object {
    const { transport } = this;
    return byName(
      (action) =>
        (...args: unknown[]) =>
          transport.action(target, action, args),
      new HandleBase(transport, target),
    );
  }
}

type AnySendOptions = SendOptions | SendWaitOptions;

function sendRequest(options: AnySendOptions): SendRequest {
  return {
    wait: options.wait === true,
    ...(options.wait === true && options.timeout !== undefined ? { timeout: options.timeout } : {}),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

/* The members of handles and connections are private by `#`, so that actions may have any other name. */

class HandleBase {
  readonly #transport: Transport;
  readonly #target: Target;

  constructor(transport: Transport, target: Target) {
    this.#transport = transport;
    this.#target = target;
  }

  async send(queue: string, body: unknown, options: AnySendOptions = {}): Promise<unknown> {
    const result = await this.#transport.send(this.#target, queue, body, sendRequest(options));
    return options.wait === true ? result : undefined;
  }

  resolve(): Promise<string> {
    return this.#transport.resolve(this.#target);
  }

  connect(options: ConnectOptions = {}): object {
    const base = new ConnectionBase(this.#transport, this.#target, options.params);
    return byName(
      (action) =>
        (...args: unknown[]) =>
          base[CALL](action, args),
      base,
    );
  }
}

/** Calls an action; a symbol, so that it takes no action's name. */
const CALL = Symbol("call");

class ConnectionBase {
  status: ConnectionStatus = "connecting";
  readonly #open: TransportConnection;
  readonly #listeners = new Map<string, Set<(...args: unknown[]) => void>>();
  readonly #statusListeners = new Set<(status: ConnectionStatus) => void>();
  readonly #errorListeners = new Set<(error: Error) => void>();

  constructor(transport: Transport, target: Target, params: unknown) {
    this.#open = transport.connect(target, params, {
      event: (name, args) => {
        for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(...args);
      },
      status: (status) => {
        this.status = status;
        for (const listener of [...this.#statusListeners]) listener(status);
      },
      error: (error) => {
        for (const listener of [...this.#errorListeners]) listener(error);
      },
    });
  }

  on(name: string, listener: (...args: unknown[]) => void): Unsubscribe {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set);
    return added(set, listener);
  }

  once(name: string, listener: (...args: unknown[]) => void): Unsubscribe {
    const stop = this.on(name, (...args) => {
      stop();
      listener(...args);
    });
    return stop;
  }

  onStatus(listener: (status: ConnectionStatus) => void): Unsubscribe {
    return added(this.#statusListeners, listener);
  }

  onError(listener: (error: Error) => void): Unsubscribe {
    return added(this.#errorListeners, listener);
  }

  async send(queue: string, body: unknown, options: AnySendOptions = {}): Promise<unknown> {
    const result = await this.#open.send(queue, body, sendRequest(options));
    return options.wait === true ? result : undefined;
  }

  [CALL](action: string, args: readonly unknown[]): Promise<unknown> {
    return this.#open.action(action, args);
  }

  ready(): Promise<void> {
    return this.#open.ready();
  }

  dispose(): Promise<void> {
    return this.#open.close();
  }
}

function added<T>(set: Set<T>, item: T): Unsubscribe {
  set.add(item);
  return () => {
    set.delete(item);
  };
}
