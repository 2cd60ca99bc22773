import type {
  ActorDefinition,
  ActorShape,
  AnyActorDefinition,
  BaseConfig,
  EventMap,
  QueueMap,
} from "../../types/index.js";
import { DefinitionError } from "../errors.js";
import { workflowSource, type WorkflowSource } from "./handler.js";

/** An action as the host calls it. */
export type AnyAction = (c: unknown, ...args: unknown[]) => unknown;

/** A configuration as the host reads it: the types are the user's affair and were checked there. */
export type HostConfig = BaseConfig<
  unknown,
  unknown,
  unknown,
  unknown,
  unknown,
  EventMap,
  QueueMap,
  Readonly<Record<string, AnyAction>>
>;

/** A definition with what the host needs of it. */
export interface HostDefinition extends AnyActorDefinition {
  readonly config: HostConfig;
  readonly workflow: WorkflowSource | null;
  /** `run` of an actor that is not a workflow. */
  readonly run: ((c: unknown) => unknown) | null;
}

/** Names that handles and connections have themselves. */
const RESERVED = new Set([
  "connect",
  "dispose",
  "on",
  "once",
  "onError",
  "onStatus",
  "ready",
  "resolve",
  "send",
  "status",
  "then",
]);

const PAIRS = [
  ["state", "createState"],
  ["vars", "createVars"],
  ["connState", "createConnState"],
] as const;

/**
 * Makes the definition that `actor` and `workflow` return.
 * @throws DefinitionError
 */
export function defineActor<D extends ActorShape, A>(config: object, run: unknown): ActorDefinition<D, A> {
  const given = config as HostConfig;
  for (const [value, factory] of PAIRS) {
    if (given[value] !== undefined && given[factory] !== undefined) {
      throw new DefinitionError(`\`${value}\` and \`${factory}\` exclude each other: give one of them.`);
    }
  }
  for (const [name, action] of Object.entries(given.actions ?? {})) {
    if (typeof action !== "function") throw new DefinitionError(`Action "${name}" is not a function.`);
    if (RESERVED.has(name)) {
      throw new DefinitionError(`An action can't be called "${name}": handles have a member of that name.`);
    }
  }
  const source = workflowSource(run);
  if (run !== null && typeof run !== "function") throw new DefinitionError("`run` is not a function.");
  const definition: HostDefinition = {
    kind: "actor",
    config: given,
    workflow: source,
    run: source === null && run !== null ? (run as (c: unknown) => unknown) : null,
  };
  return definition;
}

/** The host's view of a definition. @throws DefinitionError when it is not one. */
export function hostDefinition(name: string, definition: AnyActorDefinition): HostDefinition {
  if (!("config" in definition)) {
    throw new DefinitionError(`\`use.${name}\` is not a definition: make it with actor(…) or workflow(…).`);
  }
  return definition as HostDefinition;
}
