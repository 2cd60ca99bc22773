/** `@stepproof/runtime/engine`: durable workflows on a store and a clock, without actors. */
export { systemClock } from "./clock.js";
export {
  WorkflowContext,
  hostOf,
  type ContextClass,
  type StepContext,
  type TryResult,
  type TryStepResult,
  type TypedStepConfig,
  type WorkflowQueue,
} from "./context.js";
export {
  createEngine,
  type Engine,
  type EngineOptions,
  type InstanceHandle,
  type PlainStepContext,
} from "./engine.js";
export * from "./errors.js";
export type { TryStepFailure } from "./failure.js";
export { Journal } from "./journal.js";
export { Loop, type LoopResult } from "./loop.js";
export { Mailbox, type MailboxWatch, type Message } from "./mailbox.js";
export { createPool } from "./pool.js";
export type * from "./ports.js";
export { createRun, type RunOptions, type WorkflowFunction } from "./run.js";
export type * from "./seam.js";
export type { QueueBatchOptions, QueueOptions, ReceivedMessage } from "./queue.js";
export type { TryFailure } from "./try-block.js";
