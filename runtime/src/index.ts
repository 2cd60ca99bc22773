export { actor } from "./host/define/actor.js";
export { event } from "./host/define/event.js";
export { queue } from "./host/define/queue.js";
export { setup } from "./host/define/setup.js";
export { workflow } from "./host/define/workflow.js";
export type * from "./types/index.js";
