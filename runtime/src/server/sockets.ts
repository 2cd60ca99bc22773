import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import type { LiveConnection } from "../host/connections.js";
import { BadRequestError, RuntimeError, toErrorData, UnauthorizedError } from "../host/errors.js";
import type { Host } from "../host/host.js";
import type { Instance } from "../host/instance.js";
import {
  ENDED,
  fromWire,
  RESTARTS,
  SUBPROTOCOL,
  targetOf,
  TOKEN_PREFIX,
  toWire,
  type ClientFrame,
  type ServerFrame,
} from "../client/wire.js";
import { errorAnswer } from "./error-answer.js";
import { waitOf } from "./wait-of.js";
import { bearerToken, hostAllowed, originAllowed, tokenMatches, type Guard } from "./guard.js";
import { RateLimit, type Limits } from "./limits.js";

export interface SocketOptions {
  readonly host: Host;
  readonly guard: Guard;
  readonly limits: Limits;
  readonly details: boolean;
}

/** Time that a client has to send its first frame, in ms. */
const OPEN_TIMEOUT = 10_000;
/** Time that a refused client has to end the connection itself, in ms. */
const REFUSED_TIMEOUT = 2_000;

/** Serves WebSocket connections at `/actors/NAME/connect`. Gives the function that ends them all. */
export function serveSockets(server: Server, options: SocketOptions): () => void {
  const { limits, guard } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: limits.maxBodySize,
    handleProtocols: () => SUBPROTOCOL,
  });
  const rate = new RateLimit(limits.requestsPerSecond, () => options.host.clock.now());
  server.on("upgrade", (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // Until it is taken over by `ws`, nobody else listens: a peer that resets it would end the process.
    stream.on("error", () => stream.destroy());
    const address = addressOf(request.url ?? "/");
    const { origin, host } = request.headers;
    const given = bearerToken(request.headers.authorization) ?? protocolToken(request);
    if (address === null) refuse(stream, 404, "Not Found");
    else if (!originAllowed(guard, origin) || !hostAllowed(guard, host)) refuse(stream, 403, "Forbidden");
    else if (sockets.clients.size >= limits.maxConnections) refuse(stream, 503, "Too Many Connections");
    else if (!rate.admit(request.socket.remoteAddress ?? "")) refuse(stream, 429, "Too Many Requests");
    else if (!tokenMatches(guard, given)) {
      // Clients can't read the status of a refused upgrade, and would dial for ever.
      sockets.handleUpgrade(request, stream, head, (socket) => {
        refuseOpen(socket, new UnauthorizedError());
      });
    } else {
      sockets.handleUpgrade(request, stream, head, (socket) => {
        new ServedSocket(
          socket,
          options,
          rate,
          request.socket.remoteAddress ?? "",
          address.name,
          address.query,
        );
      });
    }
  });
  const heartbeat = startHeartbeat(sockets, limits.heartbeat);
  return () => {
    clearInterval(heartbeat);
    for (const socket of sockets.clients) socket.close(1001, "The server is being stopped.");
    sockets.close();
  };
}

/** Name and query of `/actors/NAME/connect?…`; `null` for any other address, and for one that can't be read. */
function addressOf(address: string): { readonly name: string; readonly query: URLSearchParams } | null {
  try {
    const url = new URL(address, "http://localhost");
    const name = /^\/actors\/([^/]+)\/connect$/.exec(url.pathname)?.[1];
    return name === undefined ? null : { name: decodeURIComponent(name), query: url.searchParams };
  } catch {
    return null; // not an address: `//`, `%zz`
  }
}

/** Tells a client why it may not connect, and ends the connection whether it listens or not. */
function refuseOpen(socket: WebSocket, error: RuntimeError): void {
  socket.on("error", () => socket.terminate());
  const frame: ServerFrame = { t: "error", id: null, error: toErrorData(error, false) };
  socket.send(JSON.stringify(frame));
  socket.close(1008, "refused");
  setTimeout(() => {
    socket.terminate();
  }, REFUSED_TIMEOUT).unref();
}

function refuse(stream: Duplex, status: number, text: string): void {
  stream.end(`HTTP/1.1 ${String(status)} ${text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** The token that came as a subprotocol. */
function protocolToken(request: IncomingMessage): string | null {
  const protocols = (request.headers["sec-websocket-protocol"] ?? "").split(",").map((part) => part.trim());
  const found = protocols.find((part) => part.startsWith(TOKEN_PREFIX));
  return found === undefined ? null : Buffer.from(found.slice(TOKEN_PREFIX.length), "hex").toString();
}

/** Ends connections whose peer is gone without a word: each has to answer a ping before the next. */
function startHeartbeat(sockets: WebSocketServer, pause: number): ReturnType<typeof setInterval> {
  const unanswered = new WeakSet<WebSocket>();
  const asked = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const socket of sockets.clients) {
      if (unanswered.has(socket)) {
        socket.terminate();
        continue;
      }
      if (!asked.has(socket)) socket.on("pong", () => unanswered.delete(socket));
      asked.add(socket);
      unanswered.add(socket);
      socket.ping();
    }
  }, pause);
  timer.unref();
  return timer;
}

/** One client's connection: reads its frames, writes results and events. */
class ServedSocket {
  private instance: Instance | null = null;
  private connection: LiveConnection | null = null;
  private isClosed = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly options: SocketOptions,
    private readonly rate: RateLimit,
    private readonly address: string,
    private readonly name: string,
    private readonly query: URLSearchParams,
  ) {
    const late = setTimeout(() => {
      if (this.connection === null) socket.close(1008, "No frame came to open the connection.");
    }, OPEN_TIMEOUT);
    late.unref();
    socket.on("message", (data: Buffer) => {
      void this.received(data.toString());
    });
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      this.isClosed = true;
      clearTimeout(late);
      void this.left();
    });
  }

  private async received(text: string): Promise<void> {
    let id: number | null = null;
    try {
      if (!this.rate.admit(this.address)) {
        throw new RuntimeError("too_many_requests", 429, "Too many frames in a second. Slow down.");
      }
      const frame = parseFrame(text);
      if (frame.t === "open") {
        await this.open(frame);
        return;
      }
      id = frame.id;
      this.write({ t: "result", id, value: await this.call(frame) });
    } catch (error) {
      if (!(error instanceof RuntimeError))
        this.options.host.log.error({ err: error, actor: this.name }, "A call over a connection failed.");
      const { details, host } = this.options;
      this.write({ t: "error", id, error: errorAnswer(error, details, host.log) });
      if (this.connection === null) this.socket.close(1008, "refused");
    }
  }

  private async open(frame: ClientFrame & { t: "open" }): Promise<void> {
    if (this.instance !== null) throw new BadRequestError("The connection is open already.");
    const target = targetOf(this.name, this.query, fromWire(frame.input));
    this.instance = await this.options.host.instanceFor(target, []);
    const connection = await this.instance.connect(fromWire(frame.params), {
      event: (name, args) => {
        this.write({ t: "event", name, args: toWire(args, `The arguments of event "${name}"`) });
      },
      close: (reason, final) => {
        this.socket.close(final ? ENDED : RESTARTS, closeReason(reason));
      },
    });
    this.connection = connection;
    if (this.isClosed) await this.left();
    else this.write({ t: "opened", connection: connection.id });
  }

  private async call(frame: Exclude<ClientFrame, { t: "open" }>): Promise<unknown> {
    const { instance, connection } = this;
    if (instance === null || connection === null)
      throw new BadRequestError("The first frame must open the connection.");
    if (frame.t === "action") {
      const args = fromWire(frame.args);
      if (!Array.isArray(args)) throw new BadRequestError("`args` must be an array.");
      return toWire(await instance.callAction(frame.name, args, { chain: [], connection }), "The result");
    }
    const request = waitOf(frame);
    const sent = await instance.receive(frame.queue, fromWire(frame.body), request, []);
    return sent.response === undefined
      ? { status: sent.status }
      : { ...sent, response: toWire(sent.response, "The response") };
  }

  private write(frame: ServerFrame): void {
    if (this.isClosed || this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > this.options.limits.maxBacklog) {
      this.socket.close(1013, "The client reads too slowly.");
      return;
    }
    this.socket.send(JSON.stringify(frame));
  }

  private async left(): Promise<void> {
    const { instance, connection } = this;
    if (instance === null || connection === null) return;
    try {
      await instance.disconnect(connection.id);
    } catch (error) {
      this.options.host.log.error({ err: error, actor: this.name }, "onDisconnect failed.");
    }
  }
}

/** A close frame holds at most 123 bytes of reason; `ws` throws on more. */
function closeReason(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`; // at most 3 bytes each
}

/** @throws BadRequestError */
function parseFrame(text: string): ClientFrame {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    throw new BadRequestError("A frame is not JSON.");
  }
  const { t, id } = (frame ?? {}) as { t?: unknown; id?: unknown };
  if (t === "open" || ((t === "action" || t === "send") && typeof id === "number"))
    return frame as ClientFrame;
  throw new BadRequestError("A frame must have `t`: open, action or send, and calls an `id`.");
}
