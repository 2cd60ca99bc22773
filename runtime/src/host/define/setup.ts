import type { Running, StartOptions } from "../../server/start.js";
import type { AnyRegistry, Definitions } from "../../types/index.js";
import { DefinitionError } from "../errors.js";

/** A registry: definitions under the names that clients use. */
export interface Registry<U extends Definitions> extends AnyRegistry {
  readonly definitions: U;
  /** What the last `start` gives; `null` before the first, and after one that failed. */
  readonly running: Promise<Running<Registry<U>>> | null;
  /** Opens the database, wakes what is due and serves: on `http://127.0.0.1:6420` and one SQLite file. */
  start(options?: StartOptions): Promise<Running<Registry<U>>>;
}

/**
 * Makes a registry of definitions: `setup({ use: { orders, billing } })`.
 * @throws DefinitionError when a name can't be used.
 */
export function setup<U extends Definitions>(config: { readonly use: U }): Registry<U> {
  for (const name of Object.keys(config.use)) {
    if (name === "" || name === "then") throw new DefinitionError(`A definition can't be called "${name}".`);
  }
  let running: Registry<U>["running"] = null;
  const registry: Registry<U> = {
    kind: "registry",
    definitions: config.use,
    get running() {
      return running;
    },
    start: async (options = {}) => {
      // Loaded on start: definitions alone stay light to import.
      const started = import("../../server/start.js").then((it) => it.startRegistry(registry, options));
      running = started;
      try {
        return await started;
      } catch (error) {
        if (running === started) running = null;
        throw error;
      }
    },
  };
  return registry;
}
