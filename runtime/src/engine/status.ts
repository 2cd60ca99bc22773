import { decodeRecord, encodeRecord, type EncodedValue } from "./codec.js";
import type { StoredRecord } from "./ports.js";
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
