import type { AnyActorDefinition } from "./definition.js";

/** Definitions by name, as in `setup({ use })`. */
export type Definitions = Readonly<Record<string, AnyActorDefinition>>;

/** Any registry. */
export interface AnyRegistry {
  readonly kind: "registry";
  readonly definitions: Definitions;
}

/** The definitions of a registry. */
export type DefinitionsOf<R extends AnyRegistry> = R["definitions"];

/**
 * Names the registry of a program once, so that `ctx.client()` is typed without a type argument:
 *
 * ```ts
 * declare module "@stepproof/runtime" { interface Register { registry: typeof registry } }
 * ```
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- filled by declaration merging
export interface Register {}
