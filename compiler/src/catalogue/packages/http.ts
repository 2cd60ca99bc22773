import { clients, packages, pure, rows, type RowGroup } from "../rows.js";

const NET = "it sends a request again on every replay";
const SOCKET = "a connection lives in one process";
const WRITING = "post patch postForm patchForm";
const METHODS = ["POST", "PATCH"] as const;

/** `call(url, { method })`: doing it twice matters for POST and PATCH only. */
const byMethod = (
  module: string,
  names: string,
  argument: number,
  further: { readonly returns?: string } = {},
): readonly RowGroup[] =>
  METHODS.flatMap((method) =>
    rows(`${module}#`, "network", NET, names, {
      ...further,
      async: true,
      writes: true,
      when: { has: [argument, "method", method] },
    }),
  );

/** HTTP clients, sockets and the like. */
export const HTTP: readonly RowGroup[] = [
  ...[
    "axios",
    "got",
    "ky",
    "superagent",
    "needle",
    "wretch",
    "ofetch",
    "gaxios",
    "bent",
    "phin",
    "request",
    "request-promise",
  ].flatMap((module) => [
    ...rows(`${module}#`, "network", NET, "*", { async: true }),
    ...rows(`${module}#`, "network", NET, WRITING, { async: true, writes: true }),
    ...WRITING.split(" ").flatMap((method) =>
      rows(`${module}#`, "network", NET, `*.${method}`, { async: true, writes: true }),
    ),
    ...byMethod(module, "default", 1),
  ]),
  ...byMethod("axios", "default request", 0),
  ...pure("axios#", "create", { returns: "axios#AxiosInstance" }),
  ...pure(
    "axios#",
    "isAxiosError isCancel getUri AxiosError AxiosHeaders CanceledError CancelToken CancelToken.source toFormData formToJSON mergeConfig spread all Axios *.getUri",
  ),
  ...pure("got#", "extend", { returns: "got#Got" }),
  ...pure("ky#", "create extend", { returns: "ky#KyInstance" }),
  ...pure("ofetch#", "createFetch ofetch.create", { returns: "ofetch#Fetch" }),
  ...pure("got#", "HTTPError RequestError TimeoutError"),
  ...pure("ky#", "HTTPError TimeoutError"),

  ...rows("undici#", "network", NET, "*", { async: true }),
  ...byMethod("undici", "fetch request", 1),
  ...pure("undici#", "*", { when: { form: "new" } }),
  ...rows("node-fetch#", "network", NET, "*", { async: true, returns: "Response" }),
  ...byMethod("node-fetch", "default fetch", 1, { returns: "Response" }),
  ...pure("node-fetch#", "Headers Request Response FormData Blob File FetchError AbortError isRedirect", {}),

  ...clients(
    "network",
    NET,
    "openapi-fetch graphql-request @apollo/client urql @urql/core graphql-ws",
    "createClient createFetchClient default",
  ),
  ...pure("graphql-request#", "gql"),
  ...pure("@apollo/client#", "gql InMemoryCache HttpLink createHttpLink"),
  ...pure("@urql/core#", "gql cacheExchange fetchExchange"),
  ...pure("urql#", "gql cacheExchange fetchExchange"),
  ...clients(
    "network",
    NET,
    "@trpc/client",
    "createTRPCClient createTRPCProxyClient httpBatchLink httpLink loggerLink splitLink",
  ),
  ...clients(
    "network",
    NET,
    "@grpc/grpc-js @connectrpc/connect nice-grpc soap @connectrpc/connect-node @connectrpc/connect-web",
    "createClient createPromiseClient createChannel credentials.createInsecure credentials.createSsl",
  ),
  ...packages(
    "network",
    SOCKET,
    "ws socket.io socket.io-client isomorphic-ws eventsource mqtt ssh2 ssh2-sftp-client basic-ftp http-proxy partysocket reconnecting-websocket",
    { async: true },
  ),
  ...packages(
    "network",
    "it listens on, or answers from, this process",
    "express fastify koa @hapi/hapi polka restify @apollo/server @hono/node-server http-server serve",
  ),
  ...pure("express#", "default Router json urlencoded static raw text"),
  ...pure("fastify#", "default fastify"),
  ...packages(
    "pure",
    "it only describes routes and answers",
    "hono @hono/zod-validator http-errors cookie content-type accepts path-to-regexp @koa/router cors helmet compression body-parser cookie-parser",
  ),
];
