import type { EventArgs, EventName } from "./schema.js";
import type { ActorShape } from "./shape.js";

/** One client connected to the instance. */
export interface Connection<D extends ActorShape> {
  readonly id: string;
  readonly params: D["connParams"];
  state: D["connState"];
  /** Sends an event to this connection only. */
  send<N extends EventName<D["events"]>>(name: N, ...args: EventArgs<D["events"], N>): void;
  disconnect(reason?: string): Promise<void>;
}

export type Connections<D extends ActorShape> = ReadonlyMap<string, Connection<D>>;
