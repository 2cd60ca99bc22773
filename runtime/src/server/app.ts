import { getConnInfo } from "@hono/node-server/conninfo";
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { inProcess } from "../host/in-process.js";
import { BadRequestError, RuntimeError, UnauthorizedError } from "../host/errors.js";
import type { Host } from "../host/host.js";
import { fromWire, targetOf, toWire } from "../client/wire.js";
import type { Target } from "../client/transport.js";
import { errorAnswer } from "./error-answer.js";
import { waitOf } from "./wait-of.js";
import { bearerToken, hostAllowed, originAllowed, tokenMatches, type Guard } from "./guard.js";
import { inspectorRoutes } from "./inspector.js";
import { RateLimit, type Limits } from "./limits.js";
import { metadata } from "./metadata.js";

export interface AppOptions {
  readonly host: Host;
  readonly guard: Guard;
  readonly limits: Limits;
  /** Whether callers may see the text of errors that are not meant for them. */
  readonly details: boolean;
  /** What `GET /manifest` gives; 404 when there is none. */
  readonly manifest?: unknown;
}

/** Query, path and body of an actor's route. */
interface ActorRequest {
  readonly target: Target;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The HTTP routes. WebSocket connections are in `sockets.ts`. */
export function createApp(options: AppOptions): Hono {
  const { host } = options;
  const app = new Hono();
  const calls = inProcess(host, []);
  protect(app, options);
  app.get("/health", (c) => c.json({ status: "ok" }));
  app.get("/metadata", (c) => c.json(metadata(host)));
  app.get("/manifest", (c) =>
    options.manifest === undefined
      ? c.json(
          {
            error: {
              code: "no_manifest",
              message: "This runtime was started without a manifest.",
              status: 404,
            },
          },
          404,
        )
      : c.json(options.manifest),
  );
  app.post("/actors/:name", async (c) => {
    const { target } = await actorRequest(c);
    return c.json({ actorId: await calls.create(target.name, target.key, target.input) }, 201);
  });
  app.post("/actors/:name/resolve", async (c) => {
    const { target } = await actorRequest(c);
    return c.json({ actorId: await calls.resolve(target) });
  });
  app.post("/actors/:name/actions/:action", async (c) => {
    const { target, body } = await actorRequest(c);
    const args = fromWire(body["args"] ?? []);
    if (!Array.isArray(args)) throw new BadRequestError("`args` must be an array.");
    const result = await calls.action(target, c.req.param("action"), args);
    return c.json({ result: toWire(result, "The result") });
  });
  app.post("/actors/:name/queues/:queue", async (c) => {
    const { target, body } = await actorRequest(c);
    const sent = await calls.send(target, c.req.param("queue"), fromWire(body["body"]), {
      ...waitOf(body),
      signal: c.req.raw.signal,
    });
    return c.json(
      sent.response === undefined
        ? { status: sent.status }
        : { ...sent, response: toWire(sent.response, "The response") },
    );
  });
  app.route("/inspector", inspectorRoutes(host));
  app.notFound((c) =>
    c.json(
      {
        error: {
          code: "not_found",
          message: `There is no ${c.req.method} ${c.req.path} here.`,
          status: 404,
          name: "RuntimeError",
        },
      },
      404,
    ),
  );
  app.onError((error, c) => {
    const data = errorAnswer(error, options.details, host.log);
    if (!(error instanceof RuntimeError))
      host.log.error({ err: error, path: c.req.path }, "A request failed.");
    return c.json({ error: data }, (data.status === 0 ? 500 : data.status) as ContentfulStatusCode);
  });
  return app;
}

/** Rate, origin, token and size, in this order, before any route. */
function protect(app: Hono, { host, guard, limits }: AppOptions): void {
  const rate = new RateLimit(limits.requestsPerSecond, () => host.clock.now());
  app.use(async (c, next) => {
    if (!rate.admit(getConnInfo(c).remote.address ?? "")) {
      throw new RuntimeError(
        "too_many_requests",
        429,
        `More than ${String(limits.requestsPerSecond)} requests in a second. Slow down.`,
      );
    }
    if (!originAllowed(guard, c.req.header("origin"))) {
      throw new RuntimeError(
        "origin_refused",
        403,
        `Pages of ${String(c.req.header("origin"))} may not call here. Add the origin to \`cors\`.`,
      );
    }
    if (!hostAllowed(guard, c.req.header("host"))) {
      throw new RuntimeError(
        "host_refused",
        403,
        "Without a token, requests must be addressed to localhost.",
      );
    }
    const isOpen = c.req.path === "/health" || c.req.method === "OPTIONS";
    if (!isOpen && !tokenMatches(guard, bearerToken(c.req.header("authorization"))))
      throw new UnauthorizedError();
    await next();
  });
  if (guard.origins.length > 0) app.use(cors({ origin: [...guard.origins] }));
  app.use(
    bodyLimit({
      maxSize: limits.maxBodySize,
      onError: () => {
        throw new RuntimeError(
          "body_too_large",
          413,
          `The request is larger than ${String(limits.maxBodySize)} bytes.`,
        );
      },
    }),
  );
}

async function actorRequest(c: Context): Promise<ActorRequest> {
  const body = await jsonBody(c);
  const name = c.req.param("name") ?? "";
  const target = targetOf(name, new URL(c.req.url).searchParams, fromWire(body["input"]));
  return { target, body };
}

/** The body as an object; an empty one counts as `{}`. @throws BadRequestError */
async function jsonBody(c: Context): Promise<Readonly<Record<string, unknown>>> {
  const text = await c.req.text();
  if (text === "") return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new BadRequestError(
      `The body is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new BadRequestError("The body must be a JSON object.");
  }
  return body as Record<string, unknown>;
}
