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

/** A member that records; what a row does not say it has not. */
const recording = (entry: EntryMethod["entry"], more: Partial<EntryMethod> = {}): ContextMember => ({
  is: "entry",
  method: { entry, name: [[0]], callbacks: [], options: [], generated: [], catches: null, ...more },
});

/** `method(name, run)` and `method({ name, run, … })`, which hold the options beside `run`. */
const running = (
  entry: EntryMethod["entry"],
  callbacks: readonly CallbackRow[],
  catches: EntryMethod["catches"] = null,
): ContextMember => recording(entry, { name: [[0], [0, "name"]], callbacks, options: [[0]], catches });

const stepCallbacks: readonly CallbackRow[] = [
  ...runCallbacks("step", "step"),
  { at: [0, "rollback"], zone: "rollback", context: "rollback" },
];

/** `join(name, { branch: { run } })`, and `race` with a list of them. */
const branching = (entry: EntryMethod["entry"]): ContextMember =>
  recording(entry, { callbacks: [{ at: [1, "*", "run"], zone: "workflow", context: "branch" }] });

const queueWait = recording("message", {
  options: [[1]],
  generated: [
    { suffix: ":count", when: "always" },
    { suffix: ":deadline", when: "timeout" },
    { suffix: ":<index>", when: "per message" },
  ],
});

/** What `catch` holds when it is not given: everything but a rollback. */
export const TRY_STEP_CATCHES = ["critical", "timeout", "exhausted"] as const;
export const TRY_CATCHES = ["step", "join", "race"] as const;

/** Members that record, for every kind of workflow context. */
export const ENTRY_MEMBERS: Readonly<Record<string, ContextMember>> = {
  step: running("step", stepCallbacks),
  tryStep: running("step", stepCallbacks, TRY_STEP_CATCHES),
  try: running("try", runCallbacks("workflow", "try"), TRY_CATCHES),
  loop: running("loop", runCallbacks("workflow", "loop")),
  join: branching("join"),
  race: branching("race"),
  sleep: recording("sleep"),
  sleepUntil: recording("sleep"),
  rollbackCheckpoint: recording("rollback_checkpoint"),
  removed: recording("removed"),
  getVersion: recording("version_check"),
};

/** Members of a workflow context's `queue` that record. */
export const QUEUE_WAITS: Readonly<Record<string, ContextMember>> = { next: queueWait, nextBatch: queueWait };
