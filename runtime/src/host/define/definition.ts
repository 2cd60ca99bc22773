import type { ActorDefinition, ActorShape } from "../../types/index.js";

/** A definition with what the host needs of it. */
export interface HostDefinition<D extends ActorShape, A> extends ActorDefinition<D, A> {
  readonly config: object;
  readonly run: unknown;
}

/** Makes the definition that `actor` and `workflow` return. */
export function defineActor<D extends ActorShape, A>(config: object, run: unknown): HostDefinition<D, A> {
  return { kind: "actor", config, run };
}
