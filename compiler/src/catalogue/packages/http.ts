import type { CatalogueRow } from "../../types.js";
import { clients, packages, pure, rows } from "../rows.js";

const NET = "it sends a request again on every replay";
const SOCKET = "a connection lives in one process";
const WRITING = "post put patch delete postForm putForm patchForm del";

/** HTTP clients, sockets and the like. */
export const HTTP: readonly CatalogueRow[] = [
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
    ...rows(`${module}#`, "network", NET, "default", {
      async: true,
      writes: true,
      when: { has: [1, "method"] },
    }),
    ...rows(`${module}#`, "network", NET, "default", { async: true, when: { has: [1, "method", "GET"] } }),
  ]),
  ...rows("axios#", "network", NET, "default request", {
    async: true,
    writes: true,
    when: { has: [0, "method"] },
  }),
  ...rows("axios#", "network", NET, "default request", { async: true, when: { has: [0, "method", "GET"] } }),
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
  ...rows("undici#", "network", NET, "fetch request", {
    async: true,
    writes: true,
    when: { has: [1, "method"] },
  }),
  ...rows("undici#", "network", NET, "fetch request", { async: true, when: { has: [1, "method", "GET"] } }),
  ...pure("undici#", "*", { when: { form: "new" } }),
  ...rows("node-fetch#", "network", NET, "*", { async: true, returns: "Response" }),
  ...rows("node-fetch#", "network", NET, "default fetch", {
    async: true,
    writes: true,
    returns: "Response",
    when: { has: [1, "method"] },
  }),
  ...rows("node-fetch#", "network", NET, "default fetch", {
    async: true,
    returns: "Response",
    when: { has: [1, "method", "GET"] },
  }),
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
