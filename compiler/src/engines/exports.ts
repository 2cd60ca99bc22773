import type { ContextKind, EngineExport } from "../types.js";

const error = (retries: boolean, control: boolean): EngineExport => ({ is: "error", retries, control });

/** Names that mean the same in all engines. `control` errors pass through user code on their way to the engine. */
export const COMMON_EXPORTS: Readonly<Record<string, EngineExport>> = {
  setup: { is: "setup", use: [0, "use"] },
  queue: { is: "queue" },
  event: { is: "event" },
  Loop: { is: "loop", continue: "continue", break: "break" },
  createClient: { is: "client" },
  CriticalError: error(false, false),
  RollbackError: error(false, false),
  StepExhaustedError: error(false, false),
  StepTimeoutError: error(false, false),
  JoinError: error(false, false),
  RaceError: error(false, false),
  UserError: error(true, false),
  ActorError: error(true, false),
  RivetError: error(true, false),
  CancelledError: error(false, true),
  EntryInProgressError: error(false, true),
  EvictedError: error(false, true),
  HistoryDivergedError: error(false, true),
  MessageWaitError: error(false, true),
  RollbackCheckpointError: error(false, true),
  SleepError: error(false, true),
  StepFailedError: error(false, true),
};

/** Types of the actor's own hooks and actions: `ActionContext` and `ActionContextOf` alike. */
const ACTOR_TYPES = [
  "Actor",
  "Action",
  "BeforeActionResponse",
  "BeforeConnect",
  "Conn",
  "ConnInit",
  "Connect",
  "CreateConnState",
  "Create",
  "CreateVars",
  "Destroy",
  "Disconnect",
  "Migrate",
  "Request",
  "Run",
  "Sleep",
  "StateChange",
  "Wake",
  "WebSocket",
] as const;

/** Exported type → kind of context. */
export const CONTEXT_TYPES: Readonly<Record<string, ContextKind>> = {
  WorkflowContext: "workflow",
  WorkflowContextOf: "workflow",
  WorkflowContextInterface: "workflow",
  WorkflowLoopContext: "loop",
  WorkflowLoopContextOf: "loop",
  WorkflowBranchContext: "branch",
  WorkflowBranchContextOf: "branch",
  WorkflowTryContext: "try",
  WorkflowTryContextOf: "try",
  WorkflowStepContext: "step",
  WorkflowStepContextOf: "step",
  WorkflowRollbackContext: "rollback",
  WorkflowRollbackContextOf: "rollback",
  RollbackContextInterface: "rollback",
  ...Object.fromEntries(
    ACTOR_TYPES.flatMap((name) => [
      [`${name}Context`, "actor" as const],
      [`${name}ContextOf`, "actor" as const],
    ]),
  ),
};
