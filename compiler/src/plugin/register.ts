/**
 * `node --import stepproof/register app.ts`: modules are checked and carry their manifests. With tsx, name it first:
 * `node --import stepproof/register --import tsx app.ts`.
 */
import * as node from "node:module";
import { createLoad, type Loaded } from "./register-hooks.js";

type Next = (url: string, context: object) => Loaded;

/** Hooks on the main thread: Node 22.15 and later. */
const { registerHooks } = node as { readonly registerHooks?: (hooks: { load: unknown }) => void };

if (registerHooks === undefined) {
  node.register("./register-thread.js", import.meta.url);
} else {
  const change = createLoad();
  registerHooks({ load: (url: string, context: object, next: Next) => change(url, next(url, context)) });
}
