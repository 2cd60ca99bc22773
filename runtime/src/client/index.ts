import type { AnyRegistry, ClientOf } from "../types/index.js";
import { clientOver } from "./handles.js";
import { http } from "./http.js";

export * from "../host/errors.js";
export type * from "../types/client.js";
export type { Transport } from "./transport.js";

export interface ClientOptions {
  /** Where the runtime listens: `http://127.0.0.1:6420`. */
  readonly endpoint: string;
  readonly token?: string;
}

/**
 * A client of the runtime at `endpoint`, typed by its registry:
 * `createClient<typeof registry>("http://127.0.0.1:6420").orders.getOrCreate("eu").add(1)`.
 * Makes no request by itself.
 */
export function createClient<R extends AnyRegistry>(
  endpoint: string | ClientOptions = "http://127.0.0.1:6420",
): ClientOf<R> {
  const options: ClientOptions = typeof endpoint === "string" ? { endpoint } : endpoint;
  return clientOver<R>(http({ url: options.endpoint.replace(/\/+$/, ""), token: options.token ?? null }));
}
