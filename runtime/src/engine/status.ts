import { decodeRecord, encodeRecord, type EncodedValue } from "./codec.js";
import type { Journal } from "./journal.js";
import type { CancelTimer, Clock, StoredRecord } from "./ports.js";
import type { ErrorData, WorkflowStatus } from "./seam.js";

/** Key of the record of a workflow's status. */
export const STATUS_KEY = "w";
/** Key of the record of a workflow's input. */
export const INPUT_KEY = "wi";

/** How a workflow stands, as it is stored. */
export interface StoredStatus {
  readonly status: WorkflowStatus;
  /** When it wants to be woken: ms since the epoch, 0 = it has work in hand, null = by a message only. */
  readonly due: number | null;
  readonly error?: ErrorData;
  /** Paths of the entries whose failure ended it: what `recover` forgets. */
  readonly failed?: readonly string[];
  readonly output?: EncodedValue;
}

/** The text of the status record. */
export function encodeStatus({ status, due, error, failed, output }: StoredStatus): string {
  return encodeRecord("workflow", [
    status,
    due,
    error === undefined && failed === undefined ? 0 : { error, failed },
    ...(output === undefined ? [] : [output]),
  ]);
}

/**
 * The stored status, if the instance has one.
 * @throws CorruptRecordError
 */
export function readStatus(instance: string, records: readonly StoredRecord[]): StoredStatus | undefined {
  const record = records.find(({ key }) => key === STATUS_KEY);
  if (record === undefined) return undefined;
  const [status, due, extra, output] = decodeRecord("workflow", record.value, instance, STATUS_KEY) as [
    WorkflowStatus,
    number | null,
    0 | Pick<StoredStatus, "error" | "failed">,
    unknown,
  ];
  return {
    status,
    due,
    ...(extra === 0 ? undefined : extra),
    ...(output === undefined ? undefined : { output }),
  };
}

/** How long a suspended workflow waits before that is stored for its own sake. */
const STORE_AFTER_MS = 1000;

/** The status of a workflow on its way to the store. */
export class StatusRecord {
  /** What the record should say once something else is written too, or a second has passed. */
  private later: StoredStatus | undefined;
  private cancelTimer: CancelTimer | undefined;

  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    /** What the next commit makes it, if it does not hold it already. */
    public kept: StoredStatus | undefined,
  ) {
    if (kept !== undefined) journal.setDue("workflow", kept.due);
  }

  /** Writes it with the next commit. */
  keep(status: StoredStatus): void {
    this.later = undefined;
    this.journal.setDue("workflow", status.due);
    const before = this.kept;
    if (before?.status === status.status && before.due === status.due && status.status === "running") return;
    this.kept = status;
    this.journal.put(STATUS_KEY, encodeStatus(status));
  }

  /** Says that it waits: at once if there is something to write anyway, else after a while. */
  keepSoon(status: StoredStatus): void {
    if (this.journal.urgent) {
      this.keep(status);
      return;
    }
    this.later = status;
    this.cancelTimer ??= this.clock.timer(this.clock.now() + STORE_AFTER_MS, () => {
      this.cancelTimer = undefined;
      if (this.later === undefined) return;
      this.settle();
      this.journal.commit().catch(() => undefined); // the journal told the pool, which abandons the instance
    });
  }

  /** It goes on: what was to be written later is not true any more. */
  forgetLater(): void {
    this.later = undefined;
  }

  /** Writes with the next commit what was to be written later. */
  settle(): void {
    if (this.later !== undefined) this.keep(this.later);
  }

  /** The instance is put to sleep. */
  close(): void {
    this.cancelTimer?.();
  }
}
