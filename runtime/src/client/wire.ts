import { decodeValue, encodeValue } from "../engine/codec.js";
import { BadRequestError, type WireError } from "../host/errors.js";
import type { Target } from "./transport.js";

/**
 * What goes between client and server: JSON, with the codec's tags for what JSON lacks (`Date`, `Map` …).
 * Plain JSON without keys that begin with `$` stands for itself, so the routes can be used with curl.
 */

/** WebSocket subprotocol. A token travels as a second one, because browsers can't set headers there. */
export const SUBPROTOCOL = "stepproof.1";
export const TOKEN_PREFIX = "stepproof.token.";

/** WebSocket close codes: the actor ended the connection for good; it may be opened again at once. */
export const ENDED = 4000;
export const RESTARTS = 1012;

/** Frames of a client. The first is `open`. */
export type ClientFrame =
  | { readonly t: "open"; readonly params: unknown; readonly input?: unknown }
  | { readonly t: "action"; readonly id: number; readonly name: string; readonly args: unknown }
  | {
      readonly t: "send";
      readonly id: number;
      readonly queue: string;
      readonly body: unknown;
      readonly wait: boolean;
      readonly timeout?: number;
    };

/** Frames of the server. */
export type ServerFrame =
  | { readonly t: "opened"; readonly connection: string }
  | { readonly t: "result"; readonly id: number; readonly value: unknown }
  /** `id: null`: the connection itself was refused. */
  | { readonly t: "error"; readonly id: number | null; readonly error: WireError }
  | { readonly t: "event"; readonly name: string; readonly args: unknown };

/** A value made fit for `JSON.stringify`. @throws SerializationError */
export function toWire(value: unknown, what: string): unknown {
  return encodeValue(value, what);
}

/** The inverse of `toWire`. @throws BadRequestError for tags that don't exist. */
export function fromWire(value: unknown): unknown {
  try {
    return decodeValue(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadRequestError(`A value can't be read: ${reason}.`);
  }
}

/** The query string that names a target. `input` is not part of it. */
export function targetQuery(target: Target): string {
  const query = new URLSearchParams();
  if (target.how === "id") query.set("id", target.actorId ?? "");
  else {
    query.set("how", target.how);
    for (const part of target.key) query.append("key", part);
  }
  return query.toString();
}

/** The target of a request. @throws BadRequestError */
export function targetOf(name: string, query: URLSearchParams, input: unknown): Target {
  const actorId = query.get("id");
  if (actorId !== null) return { name, how: "id", key: [], actorId };
  const how = query.get("how") ?? "getOrCreate";
  if (how !== "get" && how !== "getOrCreate") {
    throw new BadRequestError(`\`how\` is "${how}"; it must be get or getOrCreate.`);
  }
  return { name, how, key: query.getAll("key"), input };
}
