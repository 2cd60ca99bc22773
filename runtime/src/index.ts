/** `@stepproof/runtime`: define actors and workflows, and start them. Light to import: the rest loads on start. */
export { CriticalError, RollbackError } from "./engine/errors.js";
export { Loop } from "./engine/loop.js";
export { actor } from "./host/define/actor.js";
export { withManifest } from "./host/define/carried-manifest.js";
export { event } from "./host/define/event.js";
export { queue } from "./host/define/queue.js";
export { setup, type Registry } from "./host/define/setup.js";
export { workflow } from "./host/define/workflow.js";
export { RuntimeError, UserError } from "./host/errors.js";
export type { Running, StartOptions } from "./server/start.js";
export type * from "./types/index.js";
