import type { CallbackRow, ContextKind, ContextMember, EntryMethod } from "../types.js";

/**
 * The entry methods that a workflow context has. The three engines agree on all of them; where they
 * don't agree is in their profiles and in `REPLAY_FLAGS`. Source: seed.md and the declarations of
 * `rivetkit` 2.3.19 and `@rivetkit/workflow-engine` 2.3.19.
 */

/** `method(name, run)` and `method({ name, run, … })`, `run` taking a context of that kind. */
const runCallbacks = (zone: "workflow" | "step", context: ContextKind): readonly CallbackRow[] => [
  { at: [1], zone, context },
  { at: [0, "run"], zone, context },
];

/** `method(name, …)` alone. */
const named = (entry: EntryMethod["entry"]): ContextMember => ({
  is: "entry",
  method: { entry, name: [[0]], callbacks: [], options: [], generated: [], catches: null },
});

const stepCallbacks: readonly CallbackRow[] = [
  ...runCallbacks("step", "step"),
  { at: [0, "rollback"], zone: "rollback", context: "rollback" },
];

const queueWait: ContextMember = {
  is: "entry",
  method: {
    entry: "message",
    name: [[0]],
    callbacks: [],
    options: [[1]],
    generated: [
      { suffix: ":count", when: "always" },
      { suffix: ":deadline", when: "timeout" },
      { suffix: ":<index>", when: "per message" },
    ],
    catches: null,
  },
};

/** What `catch` holds when it is not given: everything but a rollback. */
export const TRY_STEP_CATCHES = ["critical", "timeout", "exhausted"] as const;
export const TRY_CATCHES = ["step", "join", "race"] as const;

/** Members that record, for every kind of workflow context. */
export const ENTRY_MEMBERS: Readonly<Record<string, ContextMember>> = {
  step: {
    is: "entry",
    method: {
      entry: "step",
      name: [[0], [0, "name"]],
      callbacks: stepCallbacks,
      options: [[0]],
      generated: [],
      catches: null,
    },
  },
  tryStep: {
    is: "entry",
    method: {
      entry: "step",
      name: [[0], [0, "name"]],
      callbacks: stepCallbacks,
      options: [[0]],
      generated: [],
      catches: TRY_STEP_CATCHES,
    },
  },
  try: {
    is: "entry",
    method: {
      entry: "try",
      name: [[0], [0, "name"]],
      callbacks: runCallbacks("workflow", "try"),
      options: [[0]],
      generated: [],
      catches: TRY_CATCHES,
    },
  },
  loop: {
    is: "entry",
    method: {
      entry: "loop",
      name: [[0], [0, "name"]],
      callbacks: runCallbacks("workflow", "loop"),
      options: [[0]],
      generated: [],
      catches: null,
    },
  },
  join: {
    is: "entry",
    method: {
      entry: "join",
      name: [[0]],
      callbacks: [{ at: [1, "*", "run"], zone: "workflow", context: "branch" }],
      options: [],
      generated: [],
      catches: null,
    },
  },
  race: {
    is: "entry",
    method: {
      entry: "race",
      name: [[0]],
      callbacks: [{ at: [1, "*", "run"], zone: "workflow", context: "branch" }],
      options: [],
      generated: [],
      catches: null,
    },
  },
  sleep: named("sleep"),
  sleepUntil: named("sleep"),
  rollbackCheckpoint: named("rollback_checkpoint"),
  removed: named("removed"),
  getVersion: named("version_check"),
};

/** Members of a workflow context's `queue` that record. */
export const QUEUE_WAITS: Readonly<Record<string, ContextMember>> = { next: queueWait, nextBatch: queueWait };
