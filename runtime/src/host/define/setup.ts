import type { AnyRegistry, Definitions } from "../../types/index.js";

/** A registry: definitions under the names that clients use. */
export interface Registry<U extends Definitions> extends AnyRegistry {
  readonly definitions: U;
}

/** Makes a registry of definitions: `setup({ use: { orders, billing } })`. */
export function setup<U extends Definitions>(config: { readonly use: U }): Registry<U> {
  return { kind: "registry", definitions: config.use };
}
