/** Node's built-in modules, without `node:`. */
const NODE_MODULES = new Set(
  (
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain " +
    "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl " +
    "sea sqlite stream string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib"
  ).split(" "),
);

/** Packages that give the same functions under another name. */
const SAME_AS: Readonly<Record<string, string>> = {
  "lodash-es": "lodash",
  "@types/lodash": "lodash",
  "cross-fetch": "node-fetch",
  "isomorphic-fetch": "node-fetch",
  "node-fetch-native": "node-fetch",
  "isomorphic-unfetch": "node-fetch",
  "prisma/client": "@prisma/client",
  "@angular/core/rxjs": "rxjs",
  "zod/v3": "zod",
  "zod/v4": "zod",
  "zod/mini": "zod",
  "ajv/dist/2019": "ajv",
  "ajv/dist/2020": "ajv",
  "date-fns/fp": "date-fns",
};

/**
 * One spelling per module: `fs` and `node:fs/promises` → `node:fs/promises`, `npm:uuid@9` → `uuid`,
 * `@types/pg` → `pg`, `@types/acme__store` → `@acme/store`, `lodash-es` → `lodash`.
 *
 * @param specifier as written in an import, or the name of the package that declares a type
 */
export function normalModule(specifier: string): string {
  let module = specifier
    .replace(/^(?:npm|jsr):\/?/, "")
    .replace(/^https?:\/\/(?:esm\.sh|cdn\.skypack\.dev|deno\.land\/x)\//, "");
  if (module !== specifier) module = module.replace(/^((?:@[^/]+\/)?[^@/]+)@[^/]+/, "$1");
  if (module.startsWith("node:")) return module;
  if (NODE_MODULES.has(module.split("/")[0] ?? "")) return `node:${module}`;
  module = module.replace(/^((?:@[^/]+\/)?[^/]+\/.+)\.(?:m|c)?js$/, "$1");
  if (module === "@types/node") return module;
  const typed = /^@types\/(?:([^/]+)__)?([^/]+)(\/.*)?$/.exec(module);
  if (typed) module = (typed[1] === undefined ? "" : `@${typed[1]}/`) + (typed[2] ?? "") + (typed[3] ?? "");
  return SAME_AS[module] ?? module;
}

/** The module and what it is part of, nearest first: `a/b/c`, `a/b`, `a`; for a scope also `@scope/*`. */
export function moduleAndParents(module: string): readonly string[] {
  const parts = module.split("/");
  const least = module.startsWith("@") ? 2 : 1;
  const found: string[] = [];
  for (let length = parts.length; length >= least; length--) found.push(parts.slice(0, length).join("/"));
  if (least === 2) found.push(`${parts[0] ?? ""}/*`);
  return found;
}
