import type {
  ActorDefinition,
  ActorRun,
  BaseConfig,
  EventMap,
  InstanceDatabase,
  NoneDeclared,
  QueueMap,
  Shape,
} from "../../types/index.js";
import { defineActor } from "./definition.js";

/** What `actor` takes. */
export interface ActorConfig<
  State,
  Vars,
  Input,
  ConnParams,
  ConnState,
  Events extends EventMap,
  Queues extends QueueMap,
  Actions,
> extends BaseConfig<State, Vars, Input, ConnParams, ConnState, Events, Queues, Actions> {
  /** A workflow (`workflow(fn)`), or a plain function that runs while the instance is awake. */
  readonly run?: ActorRun<Shape<State, Vars, Input, ConnParams, ConnState, InstanceDatabase, Events, Queues>>;
}

/**
 * Defines an actor: instances by key, each with its own durable state, queues, schedule and actions.
 * @throws DefinitionError when the configuration contradicts itself (the message says where).
 */
export function actor<
  State = undefined,
  Vars = undefined,
  Input = unknown,
  ConnParams = unknown,
  ConnState = undefined,
  Events extends EventMap = NoneDeclared,
  Queues extends QueueMap = NoneDeclared,
  Actions = NoneDeclared,
>(
  config: ActorConfig<State, Vars, Input, ConnParams, ConnState, Events, Queues, Actions>,
): ActorDefinition<
  Shape<State, Vars, Input, ConnParams, ConnState, InstanceDatabase, Events, Queues>,
  Actions
> {
  return defineActor(config, config.run ?? null);
}
