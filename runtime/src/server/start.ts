import { mkdir } from "node:fs/promises";
import type { Server } from "node:http";
import { dirname } from "node:path";
import { serve } from "@hono/node-server";
import type { Clock, Store } from "../engine/ports.js";
import type { Guard as WorkflowGuard } from "../engine/seam.js";
import { DefinitionError, RuntimeError } from "../host/errors.js";
import { Host } from "../host/host.js";
import type { HostLog } from "../host/log.js";
import { openSqliteStore } from "../store/index.js";
import type { Manifest } from "../manifest/format.js";
import type { AnyRegistry, ClientOf } from "../types/index.js";
import { createApp } from "./app.js";
import { isLoopback, type Guard } from "./guard.js";
import { DEFAULT_LIMITS, type Limits } from "./limits.js";
import { serverLog } from "./log.js";
import { serveSockets } from "./sockets.js";

/** How a registry is started. Everything has a default: `registry.start()` is enough. */
export interface StartOptions {
  /** The database file; `.stepproof/data.sqlite` when absent. Its folder is made. */
  readonly file?: string;
  /** Instead of `file`. */
  readonly store?: Store;
  /** 6420 when absent; 0 for any free one. */
  readonly port?: number;
  /** `127.0.0.1` when absent. Any other than this machine's needs a `token`. */
  readonly hostname?: string;
  /** Needed for everything but `/health`; in development (on loopback) none is. */
  readonly token?: string;
  /** Origins of web pages that may call; none when absent. */
  readonly cors?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly log?: HostLog;
  readonly clock?: Clock;
  /**
   * What the code can record, where it does not carry that itself (`stepproof/register`, the plugins of build tools):
   * instances that it would not accept are parked. Shown at `GET /manifest`.
   */
  readonly manifest?: Manifest;
  /**
   * Watches workflow code at run time for clock, random numbers, timers and `fetch`, in development: `warn`
   * logs each place once, `throw` fails the workflow there. When absent: `warn` where `NODE_ENV` is `development`,
   * else `off`; it costs nothing then, and the checker finds most of them before.
   */
  readonly guard?: "warn" | "throw" | "off";
  /** Stop gracefully on SIGTERM and SIGINT; true when absent. */
  readonly signals?: boolean;
  /** More warm instances than this: idle ones are put to sleep. 10,000 when absent. */
  readonly maxWarm?: number;
}

/** A started registry. */
export interface Running<R extends AnyRegistry> {
  /** `http://127.0.0.1:6420` */
  readonly url: string;
  readonly host: Host;
  /** Calls instances in process, without HTTP. */
  readonly client: ClientOf<R>;
  /** Refuses new calls, puts every instance to sleep, closes the database. */
  stop(): Promise<void>;
}

export const DEFAULT_FILE = ".stepproof/data.sqlite";
export const DEFAULT_PORT = 6420;
/** How long an idle HTTP connection is kept, in ms. */
const KEEP_ALIVE = 65_000;

/**
 * Opens the database, wakes what is due and serves the registry.
 * @throws DefinitionError; RuntimeError `token_required`, `port_taken`.
 */
export async function startRegistry<R extends AnyRegistry>(
  registry: R,
  options: StartOptions,
): Promise<Running<R>> {
  const { hostname = "127.0.0.1", port = DEFAULT_PORT, token } = options;
  if (token === "") throw new DefinitionError("`token` is empty.");
  if (token === undefined && !isLoopback(hostname)) {
    throw new RuntimeError(
      "token_required",
      500,
      `Listening on ${hostname}, others can reach the runtime: give a \`token\`.`,
    );
  }
  const log = options.log ?? serverLog();
  const { guard: mode = process.env["NODE_ENV"] === "development" ? "warn" : "off" } = options;
  const watch = mode === "off" ? null : await watchWorkflowCode(mode, log);
  const host = new Host({
    definitions: registry.definitions,
    store: options.store ?? (await openFile(options.file ?? DEFAULT_FILE)),
    log,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(watch === null ? {} : { guard: watch }),
    ...(options.manifest === undefined ? {} : { manifest: options.manifest }),
    ...(options.maxWarm === undefined ? {} : { maxWarm: options.maxWarm }),
  });
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const guard: Guard = { token: token ?? null, origins: options.cors ?? [] };
  const details = token === undefined;
  const app = createApp({ host, guard, limits, details, manifest: host.wholeManifest() });
  let server: Server;
  try {
    server = await listen(app.fetch, hostname, port);
  } catch (error) {
    await host.stop();
    throw error;
  }
  const endSockets = serveSockets(server, { host, guard, limits, details });
  await host.start();
  const address = server.address();
  const url = `http://${hostname}:${String(typeof address === "object" ? (address?.port ?? port) : port)}`;
  log.info({ url, actors: [...host.definitions.keys()] }, "Serving.");
  let stopped: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopped ??= shutDown());
  const shutDown = async (): Promise<void> => {
    unlisten();
    endSockets();
    const closed = new Promise((resolve) => server.close(resolve));
    await host.stop();
    server.closeAllConnections();
    await closed;
    watch?.dispose();
  };
  const unlisten = options.signals === false ? () => undefined : onSignals(stop, log);
  return { url, host, client: host.clientFor([]) as ClientOf<R>, stop };
}

async function openFile(file: string): Promise<Store> {
  if (file !== ":memory:") await mkdir(dirname(file), { recursive: true });
  return openSqliteStore({ path: file });
}

/** Loaded only when asked for: it replaces globals. */
async function watchWorkflowCode(
  mode: "warn" | "throw",
  log: HostLog,
): Promise<WorkflowGuard & { dispose(): void }> {
  const { createGuard } = await import("../host/guard.js");
  return createGuard({
    mode,
    warn: (message) => {
      log.warn(message);
    },
  });
}

function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  hostname: string,
  port: number,
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname, port }, () => {
      resolve(server as Server);
    }) as Server;
    // Longer than clients keep idle connections: else a busy client sends into one that is just being closed.
    server.keepAliveTimeout = KEEP_ALIVE;
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      reject(
        taken
          ? new RuntimeError(
              "port_taken",
              500,
              `Port ${String(port)} of ${hostname} is taken. Give another \`port\`, or 0 for any.`,
            )
          : error,
      );
    });
  });
}

/** Stops on a signal, then ends the process by that signal. Gives the function that stops listening. */
function onSignals(stop: () => Promise<void>, log: HostLog): () => void {
  const listeners = (["SIGTERM", "SIGINT"] as const).map((signal) => {
    const listener = (): void => {
      stop()
        .catch((error: unknown) => {
          log.error({ err: error }, "The runtime did not stop cleanly.");
        })
        .finally(() => process.kill(process.pid, signal));
    };
    process.once(signal, listener);
    return () => process.removeListener(signal, listener);
  });
  return () => {
    for (const remove of listeners) remove();
  };
}
