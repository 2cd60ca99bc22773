import type { ConnectionStatus, SendResult } from "../types/index.js";

/** Which instance a handle means. */
export interface Target {
  /** Of the definition, in `setup({ use })`. */
  readonly name: string;
  readonly how: "get" | "getOrCreate" | "id";
  readonly key: readonly string[];
  /** With `how: "id"`. */
  readonly actorId?: string;
  /** With `how: "getOrCreate"`. */
  readonly input?: unknown;
}

export interface SendRequest {
  readonly wait: boolean;
  /** In ms. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** What a connection tells its handle. */
export interface ConnectionWatch {
  event(name: string, args: readonly unknown[]): void;
  status(status: ConnectionStatus): void;
  error(error: Error): void;
}

/** An open connection, which reconnects by itself. */
export interface TransportConnection {
  ready(): Promise<void>;
  action(name: string, args: readonly unknown[]): Promise<unknown>;
  send(queue: string, body: unknown, request: SendRequest): Promise<SendResult<unknown>>;
  close(): Promise<void>;
}

/**
 * How handles reach instances: in process (`host/transport.ts`) or over HTTP and WebSocket
 * (`client/http.ts`). Rejects with the errors of `host/errors.ts`. Values are copied, never shared.
 */
export interface Transport {
  action(target: Target, name: string, args: readonly unknown[]): Promise<unknown>;
  /** With `wait: false` it resolves once the message is durable. */
  send(target: Target, queue: string, body: unknown, request: SendRequest): Promise<SendResult<unknown>>;
  /** Gives the new instance's id. */
  create(name: string, key: readonly string[], input: unknown): Promise<string>;
  resolve(target: Target): Promise<string>;
  connect(target: Target, params: unknown, watch: ConnectionWatch): TransportConnection;
}
