import type { Effects } from "./effects.js";

/** Where the events of a connection go. */
export interface ConnectionSink {
  event(name: string, args: readonly unknown[]): void;
  /** @param final false when the client may connect again at once: the instance sleeps, say. */
  close(reason: string, final: boolean): void;
}

/** One client connected to an instance, as user code sees it. Not stored: it ends when the process does. */
export interface LiveConnection {
  readonly id: string;
  readonly params: unknown;
  state: unknown;
  send(name: string, ...args: unknown[]): void;
  disconnect(reason?: string): Promise<void>;
}

/** The open connections of one instance. */
export class Connections {
  private readonly open = new Map<
    string,
    { readonly connection: LiveConnection; readonly sink: ConnectionSink }
  >();

  get size(): number {
    return this.open.size;
  }

  /** Makes a connection without adding it: hooks may still refuse it. */
  make(params: unknown, state: unknown, sink: ConnectionSink): LiveConnection {
    return {
      id: crypto.randomUUID(),
      params,
      state,
      send: (name, ...args) => {
        sink.event(name, args);
      },
      disconnect: async (reason = "disconnected by the actor") => {
        sink.close(reason, true);
      },
    };
  }

  add(connection: LiveConnection, sink: ConnectionSink): void {
    this.open.set(connection.id, { connection, sink });
  }

  remove(id: string): LiveConnection | null {
    const found = this.open.get(id);
    this.open.delete(id);
    return found?.connection ?? null;
  }

  /** The connections as one step, action or hook sees them: what it sends goes out after its commit. */
  seenBy(effects: Effects): ReadonlyMap<string, LiveConnection> {
    return new Map(
      [...this.open].map(([id, { connection }]) => [
        id,
        Object.create(connection, {
          send: {
            value: (name: string, ...args: unknown[]) => {
              effects.events.push({ conn: id, name, args });
            },
          },
        }) as LiveConnection,
      ]),
    );
  }

  /** For inspectors. */
  list(): { readonly id: string }[] {
    return [...this.open.keys()].map((id) => ({ id }));
  }

  /** Sends an event to one connection, or (`null`) to all. */
  deliver(conn: string | null, name: string, args: readonly unknown[]): void {
    const sinks = conn === null ? [...this.open.values()] : [this.open.get(conn)];
    for (const found of sinks) found?.sink.event(name, args);
  }

  /** Ends all connections; gives those that were open. */
  close(reason: string, final: boolean): readonly LiveConnection[] {
    const all = [...this.open.values()];
    this.open.clear();
    for (const { sink } of all) sink.close(reason, final);
    return all.map(({ connection }) => connection);
  }
}
