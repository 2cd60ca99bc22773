import { ConnectionError, fromErrorData, type WireError } from "../host/errors.js";
import type { SendResult } from "../types/index.js";
import { openSocket } from "./socket.js";
import type { Target, Transport } from "./transport.js";
import { fromWire, targetQuery, toWire } from "./wire.js";

export interface HttpOptions {
  /** Without a trailing `/`. */
  readonly url: string;
  readonly token: string | null;
}

interface Request {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Reaches instances through a server of `server/`. */
export function http(options: HttpOptions): Transport {
  const request = async (what: Request): Promise<Record<string, unknown>> => {
    const response = await send(options, what);
    const text = await response.text();
    const data = parse(text);
    if (response.ok && data !== null) return data;
    const error = data?.["error"] as WireError | undefined;
    if (error !== undefined) throw fromErrorData({ ...error, metadata: fromWire(error.metadata) });
    throw new ConnectionError(`${options.url} answered ${String(response.status)}: ${text.slice(0, 200)}`);
  };
  const path = (target: Target, rest: string): string =>
    `/actors/${encodeURIComponent(target.name)}${rest}?${targetQuery(target)}`;
  const input = (target: Target): { input?: unknown } =>
    target.input === undefined ? {} : { input: toWire(target.input, "The input") };

  return {
    action: async (target, name, args) => {
      const body = { args: toWire(args, `The arguments of action "${name}"`), ...input(target) };
      const rest = `/actions/${encodeURIComponent(name)}`;
      const data = await request({ method: "POST", path: path(target, rest), body });
      return fromWire(data["result"]);
    },
    send: async (target, queue, body, { wait, timeout, signal }) => {
      const message = {
        body: toWire(body, `The body of a message to queue "${queue}"`),
        wait,
        ...(timeout === undefined ? {} : { timeout }),
        ...input(target),
      };
      const rest = `/queues/${encodeURIComponent(queue)}`;
      const data = await request({
        method: "POST",
        path: path(target, rest),
        body: message,
        ...(signal === undefined ? {} : { signal }),
      });
      return sendResult(data);
    },
    create: async (name, key, given) => {
      const target: Target = { name, how: "getOrCreate", key, input: given };
      const data = await request({ method: "POST", path: path(target, ""), body: input(target) });
      return String(data["actorId"]);
    },
    resolve: async (target) => {
      const data = await request({ method: "POST", path: path(target, "/resolve"), body: input(target) });
      return String(data["actorId"]);
    },
    connect: (target, params, watch) => openSocket(options, target, params, watch),
  };
}

/** The result of a send as it came over the wire. */
export function sendResult(data: Record<string, unknown>): SendResult<unknown> {
  if (data["status"] === "timedOut") return { status: "timedOut" };
  return "response" in data
    ? { status: "completed", response: fromWire(data["response"]) }
    : { status: "completed" };
}

async function send({ url, token }: HttpOptions, { method, path, body, signal }: Request): Promise<Response> {
  try {
    return await fetch(url + path, {
      method,
      headers: {
        "content-type": "application/json",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const text = reason instanceof Error ? reason.message : String(reason);
    throw new ConnectionError(`${url} can't be reached: ${text}. Is the runtime started there?`, {
      cause: error,
    });
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : null;
  } catch {
    return null; // not JSON: the caller reports the status and the text
  }
}
