import type {
  ActorDefinition,
  ActorRun,
  ActorShape,
  BaseConfig,
  EventMap,
  InstanceDatabase,
  NoneDeclared,
  QueueMap,
  Shape,
  WorkflowOptions,
  WorkflowRun,
} from "../../types/index.js";
import { defineActor } from "./definition.js";
import { workflowHandler } from "./handler.js";

/** What `workflow` takes: an actor's configuration whose `run` is a workflow function. */
export interface WorkflowConfig<
  State,
  Vars,
  Input,
  ConnParams,
  ConnState,
  Events extends EventMap,
  Queues extends QueueMap,
  Actions,
> extends BaseConfig<State, Vars, Input, ConnParams, ConnState, Events, Queues, Actions> {
  readonly run: WorkflowRun<
    Shape<State, Vars, Input, ConnParams, ConnState, InstanceDatabase, Events, Queues>
  >;
}

/**
 * Defines a workflow: an actor whose `run` is durable and replayed. With a bare function it gives what
 * `actor({ run })` takes.
 * @throws DefinitionError when the configuration contradicts itself (the message says where).
 */
export function workflow<
  State = undefined,
  Vars = undefined,
  Input = unknown,
  ConnParams = unknown,
  ConnState = undefined,
  Db = InstanceDatabase,
  Events extends EventMap = NoneDeclared,
  Queues extends QueueMap = NoneDeclared,
>(
  run: WorkflowRun<Shape<State, Vars, Input, ConnParams, ConnState, Db, Events, Queues>>,
  options?: WorkflowOptions<Shape<State, Vars, Input, ConnParams, ConnState, Db, Events, Queues>>,
): ActorRun<Shape<State, Vars, Input, ConnParams, ConnState, Db, Events, Queues>>;
export function workflow<
  State = undefined,
  Vars = undefined,
  Input = unknown,
  ConnParams = unknown,
  ConnState = undefined,
  Events extends EventMap = NoneDeclared,
  Queues extends QueueMap = NoneDeclared,
  Actions = NoneDeclared,
>(
  config: WorkflowConfig<State, Vars, Input, ConnParams, ConnState, Events, Queues, Actions>,
  options?: WorkflowOptions<
    Shape<State, Vars, Input, ConnParams, ConnState, InstanceDatabase, Events, Queues>
  >,
): ActorDefinition<
  Shape<State, Vars, Input, ConnParams, ConnState, InstanceDatabase, Events, Queues>,
  Actions
>;
export function workflow<D extends ActorShape>(
  first: WorkflowRun<D> | { readonly run: WorkflowRun<D> },
  options: WorkflowOptions<D> = {},
): ActorRun<D> | ActorDefinition<D, unknown> {
  if (typeof first === "function") return workflowHandler({ run: first, options });
  return defineActor(first, workflowHandler({ run: first.run, options }));
}
