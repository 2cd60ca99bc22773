/** What the served process is told, in its argument: JSON. */
export interface ServeOrder {
  /** Absolute path of the module that holds the registry. */
  readonly entry: string;
  /** Absolute. */
  readonly file: string;
  readonly port: number;
}

/** What the served process says to `stepproof dev`, once. */
export type ServeMessage =
  | { readonly say: "serving"; readonly url: string; readonly names: readonly string[] }
  | { readonly say: "no-registry"; readonly exports: readonly string[] }
  /** The database or the port can't be had. */
  | { readonly say: "unstartable"; readonly reason: string };
