import type { InstanceDatabase } from "./database.js";
import type { EventMap, NoneDeclared, QueueMap } from "./schema.js";

/**
 * The types that one definition carries, as one bundle, so that contexts and clients take one type
 * argument instead of eight.
 */
export interface ActorShape {
  readonly state: unknown;
  readonly vars: unknown;
  readonly input: unknown;
  readonly connParams: unknown;
  readonly connState: unknown;
  readonly db: unknown;
  readonly events: EventMap;
  readonly queues: QueueMap;
}

/** The bundle with the given members. */
export interface Shape<
  State = undefined,
  Vars = undefined,
  Input = unknown,
  ConnParams = unknown,
  ConnState = undefined,
  Db = InstanceDatabase,
  Events extends EventMap = NoneDeclared,
  Queues extends QueueMap = NoneDeclared,
> {
  readonly state: State;
  readonly vars: Vars;
  readonly input: Input;
  readonly connParams: ConnParams;
  readonly connState: ConnState;
  readonly db: Db;
  readonly events: Events;
  readonly queues: Queues;
}
