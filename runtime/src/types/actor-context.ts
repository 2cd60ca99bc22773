import type { Connection } from "./connection.js";
import type { ActorShape } from "./shape.js";
import type { InstanceAccess } from "./step-context.js";

/** The context of lifecycle hooks and `onError`. */
export interface ActorContext<D extends ActorShape> extends InstanceAccess<D> {
  /** Stores the state now instead of at the end of the action or hook. */
  saveState(): Promise<void>;
  /** Puts the instance to sleep as soon as it is idle. */
  sleep(): void;
}

/** The context of an action. */
export interface ActionContext<D extends ActorShape> extends ActorContext<D> {
  /** The connection that the call came over; `null` for calls without one. */
  readonly conn: Connection<D> | null;
}
