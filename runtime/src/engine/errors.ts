/**
 * Every error of the engine. Each has a `code` that never changes, and says what happened, where, and
 * what to do. Errors that user code throws or catches (CriticalError …) keep the names of the seed.
 */

/** Base of all of them. `entry` is the path of the entry concerned, if one is. */
export class WorkflowError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly entry?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/**
 * The code, its use, or the store is at fault: never recorded as an outcome, never caught by `try` and
 * `tryStep`, and not rolled back. The workflow fails with it and can be recovered once it is mended.
 */
export class FatalError extends WorkflowError {}

/** Throw it in a step when trying again is pointless. */
export class CriticalError extends WorkflowError {
  constructor(message: string, options?: ErrorOptions) {
    super("critical", message, undefined, options);
  }
}

/** Throw it to stop the workflow and run its rollback handlers, without retries. */
export class RollbackError extends WorkflowError {
  constructor(message: string, options?: ErrorOptions) {
    super("rollback", message, undefined, options);
  }
}

/** A step ran longer than its `timeout`. It is critical unless the step says `retryOnTimeout: true`. */
export class StepTimeoutError extends CriticalError {
  override readonly code = "step_timeout";
  constructor(
    readonly stepName: string,
    readonly timeoutMs: number,
  ) {
    super(`Step "${stepName}" took longer than its timeout of ${timeoutMs} ms.`);
  }
}

/** A step failed once more than `maxRetries` allows. `lastError` is `Name: message` of the last failure. */
export class StepExhaustedError extends WorkflowError {
  constructor(
    readonly stepName: string,
    readonly lastError: string,
    entry?: string,
  ) {
    super(
      "step_exhausted",
      `Step "${stepName}" failed in every attempt; the last error was: ${lastError}`,
      entry,
    );
  }
}

/** One or more branches of a join failed. `errors` holds their errors by branch name. */
export class JoinError extends WorkflowError {
  constructor(
    readonly errors: Readonly<Record<string, Error>>,
    entry?: string,
  ) {
    super(
      "join_failed",
      `Join failed in ${Object.entries(errors)
        .map(([name, error]) => `"${name}" (${error.message})`)
        .join(", ")}.`,
      entry,
    );
  }
}

/** Every branch of a race failed. */
export class RaceError extends WorkflowError {
  constructor(
    message: string,
    readonly errors: readonly { readonly name: string; readonly error: string }[],
    entry?: string,
  ) {
    super("race_failed", message, entry);
  }
}

/** Another branch of the race has won, or the workflow was cancelled: nothing more may be started here. */
export class CancelledError extends FatalError {
  constructor(entry?: string) {
    super(
      "cancelled",
      `Cancelled${entry === undefined ? "" : `: "${entry}"`}. Nothing more can be started from here.`,
      entry,
    );
  }
}

/** The instance is being dropped from memory; it goes on from its history later. */
export class EvictedError extends FatalError {
  constructor() {
    super("evicted", "The workflow is being put to sleep; it goes on from its history later.");
  }
}

/** Code and history disagree. */
export class HistoryDivergedError extends FatalError {
  constructor(message: string, entry: string) {
    super("history_diverged", message, entry);
  }
}

/** A name was used twice in one scope. */
export class DuplicateEntryError extends FatalError {
  constructor(entry: string) {
    super(
      "duplicate_entry_name",
      `Duplicate entry name "${entry}": this name was already used in its scope in this run. ` +
        `Give each entry its own name; in a native loop add the index (\`\${name}-\${i}\`), or use ctx.loop. Waits on a queue can take several messages at once with nextBatch({ count }).`,
      entry,
    );
  }
}

/** A second entry was started before the first had ended. */
export class EntryInProgressError extends FatalError {
  constructor(entry: string, runningKind: string, running: string) {
    super(
      "entry_in_progress",
      `"${entry}" was started while ${runningKind} "${running}" is still going on. ${inProgressHelp(runningKind)}`,
      entry,
    );
  }
}

function inProgressHelp(runningKind: string): string {
  if (runningKind === "step")
    return "Await the step first; inside its body use the step's own context, not the workflow's. To run entries at the same time use ctx.join or ctx.race.";
  if (
    runningKind === "loop" ||
    runningKind === "join" ||
    runningKind === "race" ||
    runningKind === "try block"
  ) {
    return `Await it first; inside the ${runningKind} use the context that its body is given, not the outer one.`;
  }
  return "Await it before the next; to run entries at the same time use ctx.join or ctx.race.";
}

/** A context was used where another one is in charge, or after its scope had ended. */
export class ContextError extends FatalError {}

/** A step has a rollback handler, but no checkpoint was set before it in its context. */
export class RollbackCheckpointError extends FatalError {
  constructor(entry: string) {
    super(
      "rollback_checkpoint_missing",
      `Step "${entry}" has a rollback handler, but no checkpoint comes before it. Call \`await ctx.rollbackCheckpoint("name")\` first, on this context or one around it.`,
      entry,
    );
  }
}

/** The function ended while an entry that it had started was still going on. */
export class UnawaitedEntryError extends FatalError {
  constructor(entry: string, where: string) {
    super("unawaited_entry", `${where} ended while "${entry}" was still going on. Await it.`, entry);
  }
}

/** A value can't be recorded. `property` is the path to the part that can't: `items[2].callback`. */
export class SerializationError extends WorkflowError {
  constructor(
    readonly property: string,
    reason: string,
    what: string,
    entry?: string,
  ) {
    super(
      "not_serializable",
      `${what} can't be recorded: ${property} ${reason}. Return plain data only.`,
      entry,
    );
  }
}

/** A record is larger than the engine's limit. */
export class EntryTooLargeError extends WorkflowError {
  constructor(what: string, bytes: number, limit: number, entry?: string) {
    super(
      "entry_too_large",
      `${what} is ${bytes} characters long as recorded; the limit is ${limit}. Store large data elsewhere and return a reference, or raise maxEntrySize.`,
      entry,
    );
  }
}

/** An argument of a call is wrong. */
export class UsageError extends FatalError {}

/** `queue.next` ran into its timeout. */
export class QueueTimeoutError extends WorkflowError {
  constructor(entry: string, timeoutMs: number) {
    super(
      "queue_timeout",
      `No message arrived at "${entry}" within ${timeoutMs} ms. For waits that may end without a message use queue.nextBatch, which then returns [].`,
      entry,
    );
  }
}

/** A stored record can't be read. The instance is parked; others go on. */
export class CorruptRecordError extends FatalError {
  constructor(
    readonly instance: string,
    readonly key: string,
    reason: string,
  ) {
    super(
      "corrupt_record",
      `Record "${key}" of instance "${instance}" can't be read: ${reason}. The instance is parked; restore the record from a backup, then recover the instance.`,
      key,
    );
  }
}

/** The store could not keep a commit. */
export class StoreError extends FatalError {
  constructor(
    readonly instance: string,
    cause: unknown,
  ) {
    super(
      "store_failed",
      `A commit of instance "${instance}" was not stored: ${cause instanceof Error ? cause.message : String(cause)}`,
      undefined,
      { cause },
    );
  }
}

/** The instance was put to sleep while something still held it. Open it again and repeat the call. */
export class InstanceAsleepError extends FatalError {
  constructor(instance: string) {
    super(
      "instance_asleep",
      `Instance "${instance}" has been put to sleep meanwhile. Open it again and repeat the call.`,
    );
  }
}
