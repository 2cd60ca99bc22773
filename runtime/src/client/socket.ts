import { ConnectionError, fromErrorData } from "../host/errors.js";
import type { SendResult } from "../types/index.js";
import { sendResult, type HttpOptions } from "./http.js";
import type { ConnectionWatch, Target, TransportConnection } from "./transport.js";
import {
  ENDED,
  fromWire,
  SUBPROTOCOL,
  targetQuery,
  TOKEN_PREFIX,
  toWire,
  type ClientFrame,
  type ServerFrame,
} from "./wire.js";

/** Pauses between attempts to reconnect, in ms: doubled from the first to the last, plus up to a quarter. */
const FIRST_PAUSE = 100;
const LAST_PAUSE = 10_000;

/** What is used of a WebSocket, the platform's or that of `ws`. */
interface Socket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(
    type: "close",
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}

type SocketClass = new (url: string, protocols: string[]) => Socket;

async function socketClass(): Promise<SocketClass> {
  const own = (globalThis as { readonly WebSocket?: SocketClass }).WebSocket;
  // Node 20 has no WebSocket of its own.
  return own ?? ((await import("ws")).WebSocket as unknown as SocketClass);
}

/**
 * Opens a connection that reconnects until it is closed or refused.
 * @throws SerializationError when `params` or the input can't be sent.
 */
export function openSocket(
  options: HttpOptions,
  target: Target,
  params: unknown,
  watch: ConnectionWatch,
): TransportConnection {
  return new SocketConnection(options, target, params, watch);
}

interface Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

class SocketConnection implements TransportConnection {
  private socket: Socket | null = null;
  /** Why the connection is over. */
  private ended: Error | null = null;
  private isOpen = false;
  private pause = FIRST_PAUSE;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextId = 1;
  private readonly calls = new Map<number, Call>();
  private opened: Promise<void>;
  private settleOpened: Call;
  private readonly openFrame: string;

  constructor(
    private readonly options: HttpOptions,
    private readonly target: Target,
    params: unknown,
    private readonly watch: ConnectionWatch,
  ) {
    const frame: ClientFrame = {
      t: "open",
      params: toWire(params, "The connection's params"),
      ...(target.input === undefined ? {} : { input: toWire(target.input, "The input") }),
    };
    this.openFrame = JSON.stringify(frame);
    [this.opened, this.settleOpened] = pendingOpen();
    void this.dial();
  }

  ready(): Promise<void> {
    return this.opened;
  }

  async action(name: string, args: readonly unknown[]): Promise<unknown> {
    const encoded = toWire(args, `The arguments of action "${name}"`);
    return fromWire(await this.call((id) => ({ t: "action", id, name, args: encoded })));
  }

  async send(
    queue: string,
    body: unknown,
    request: { readonly wait: boolean; readonly timeout?: number },
  ): Promise<SendResult<unknown>> {
    const encoded = toWire(body, `The body of a message to queue "${queue}"`);
    const { wait, timeout } = request;
    const data = await this.call((id) => ({
      t: "send",
      id,
      queue,
      body: encoded,
      wait,
      ...(timeout === undefined ? {} : { timeout }),
    }));
    return sendResult(data as Record<string, unknown>);
  }

  async close(): Promise<void> {
    this.end(new ConnectionError("The connection was closed."));
    this.socket?.close(1000, "closed by the client");
  }

  /** Calls wait for the connection to be open; those under way when it breaks are refused. */
  private async call(frame: (id: number) => ClientFrame): Promise<unknown> {
    await this.opened;
    const { socket } = this;
    if (this.ended !== null) throw this.ended;
    if (socket === null) return await this.call(frame); // broken since: `opened` is another by now
    const id = this.nextId++;
    return await new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject });
      socket.send(JSON.stringify(frame(id)));
    });
  }

  private async dial(): Promise<void> {
    this.watch.status("connecting");
    const { url, token } = this.options;
    const Class = await socketClass();
    const path = `/actors/${encodeURIComponent(this.target.name)}/connect?${targetQuery(this.target)}`;
    const protocols = token === null ? [SUBPROTOCOL] : [SUBPROTOCOL, TOKEN_PREFIX + toHex(token)];
    if (this.ended !== null) return;
    let socket: Socket;
    try {
      socket = new Class(url.replace(/^http/, "ws") + path, protocols);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const error = new ConnectionError(`"${url}" is no address to connect to: ${reason}.`, { cause });
      this.watch.error(error);
      this.end(error);
      return;
    }
    this.socket = socket;
    socket.addEventListener("open", () => {
      socket.send(this.openFrame);
    });
    socket.addEventListener("message", ({ data }) => {
      this.received(JSON.parse(String(data)) as ServerFrame);
    });
    socket.addEventListener("error", () => undefined); // `close` follows
    socket.addEventListener("close", ({ code, reason }) => {
      // Dialling again would undo it, and make a destroyed instance anew.
      if (code === ENDED) this.end(new ConnectionError(`The actor ended the connection: ${reason}`));
      else this.broken();
    });
  }

  private received(frame: ServerFrame): void {
    switch (frame.t) {
      case "opened":
        this.pause = FIRST_PAUSE;
        this.isOpen = true;
        this.settleOpened.resolve(undefined);
        this.watch.status("connected");
        return;
      case "event":
        this.watch.event(frame.name, fromWire(frame.args) as unknown[]);
        return;
      case "result":
        this.calls.get(frame.id)?.resolve(frame.value);
        this.calls.delete(frame.id);
        return;
      case "error": {
        const error = fromErrorData({ ...frame.error, metadata: fromWire(frame.error.metadata) });
        if (frame.id === null) this.end(error);
        else {
          this.calls.get(frame.id)?.reject(error);
          this.calls.delete(frame.id);
        }
        return;
      }
    }
  }

  /** The socket is gone: dials again after a pause, unless the connection has ended. */
  private broken(): void {
    this.socket = null;
    if (this.ended !== null) return;
    this.refuseCalls(new ConnectionError("The connection broke while the call was under way."));
    if (this.isOpen) [this.opened, this.settleOpened] = pendingOpen();
    this.isOpen = false;
    this.watch.status("disconnected");
    const pause = this.pause * (1 + Math.random() / 4);
    this.pause = Math.min(this.pause * 2, LAST_PAUSE);
    this.timer = setTimeout(() => void this.dial(), pause);
  }

  /** Ends the connection for good. */
  private end(error: Error): void {
    if (this.ended !== null) return;
    this.ended = error;
    clearTimeout(this.timer);
    this.refuseCalls(error);
    this.settleOpened.reject(error);
    if (!(error instanceof ConnectionError)) this.watch.error(error);
    this.watch.status("closed");
  }

  private refuseCalls(error: Error): void {
    for (const { reject } of this.calls.values()) reject(error);
    this.calls.clear();
  }
}

/** A promise that nobody has to wait for, and the functions that settle it. */
function pendingOpen(): [Promise<void>, Call] {
  let call: Call | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    call = {
      resolve: () => {
        resolve();
      },
      reject,
    };
  });
  promise.catch(() => undefined); // told through `watch` as well
  return [promise, call as Call]; // set: the executor runs at once
}

/** Subprotocols allow no characters but those of tokens, so the secret travels as hex. */
function toHex(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
