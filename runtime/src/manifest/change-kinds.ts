/** How bad a change is for running instances. */
export type Level = "safe" | "risky" | "breaking";

interface KindRow {
  /** The level when no history is refused because of it. */
  readonly level: Level;
  readonly title: string;
}

/**
 * Every kind of change, with the level that it has by itself. A change because of which a history is
 * refused is `breaking`, or `risky` where the refusal depends on data.
 */
export const CHANGE_KINDS = {
  "workflow-added": { level: "safe", title: "workflow added" },
  "workflow-removed": { level: "breaking", title: "workflow removed" },
  "workflow-renamed": { level: "breaking", title: "workflow renamed" },
  "engine-changed": { level: "risky", title: "engine changed" },
  "entry-added": { level: "safe", title: "entry added" },
  "entry-removed": { level: "safe", title: "entry removed" },
  "entry-declared-removed": { level: "safe", title: "entry removed and declared" },
  "removed-wrong-kind": { level: "risky", title: "declared removed with the wrong kind" },
  "removed-deleted": { level: "safe", title: "removed() deleted" },
  "entry-renamed": { level: "safe", title: "entry renamed" },
  "entry-kind-changed": { level: "risky", title: "kind changed" },
  "entry-moved": { level: "safe", title: "entry moved in its scope" },
  "entry-moved-to-scope": { level: "safe", title: "entry moved to another scope" },
  "condition-changed": { level: "safe", title: "condition changed" },
  "branches-changed": { level: "risky", title: "set of branches changed" },
  "gate-added": { level: "safe", title: "version gate added" },
  "gate-removed": { level: "safe", title: "version gate removed" },
  "gate-retired": { level: "safe", title: "version gate retired" },
  "gate-raised": { level: "safe", title: "version gate raised" },
  "gate-lowered": { level: "safe", title: "version gate lowered" },
  "queue-timeout-changed": { level: "safe", title: "timeout of a queue wait changed" },
  "queue-names-changed": { level: "risky", title: "queues of a wait changed" },
  "queue-count-changed": { level: "safe", title: "number of messages of a wait changed" },
  "queue-method-changed": { level: "safe", title: "kind of queue wait changed" },
  "output-type-changed": { level: "risky", title: "type of a recorded output changed" },
  "loop-state-type-changed": { level: "risky", title: "type of a loop's state changed" },
  "state-type-changed": { level: "risky", title: "type of the actor's state changed" },
  "queue-removed": { level: "risky", title: "queue removed" },
  "queue-added": { level: "safe", title: "queue added" },
  "queue-body-type-changed": { level: "risky", title: "type of a queue's messages changed" },
  "catch-changed": { level: "risky", title: "failures that are caught changed" },
  "rollback-changed": { level: "safe", title: "rollback handler changed" },
  "step-options-changed": { level: "safe", title: "options of a step changed" },
  "step-body-changed": { level: "safe", title: "body of a step changed" },
  "loop-pruning-changed": { level: "safe", title: "pruning of a loop changed" },
  "history-refused": { level: "risky", title: "history refused" },
  "too-large": { level: "risky", title: "too many combinations" },
} as const satisfies Readonly<Record<string, KindRow>>;

export type ChangeKind = keyof typeof CHANGE_KINDS;

const ORDER: readonly string[] = ["identical", "safe", "risky", "breaking"];

/** The worse of two levels; `identical` is the best. */
export function worse<L extends Level | "identical">(one: L, other: L): L {
  return ORDER.indexOf(one) >= ORDER.indexOf(other) ? one : other;
}
