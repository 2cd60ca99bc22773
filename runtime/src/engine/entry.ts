import type { EntryKind } from "../manifest/format.js";
import { decodeRecord, sealRecord, type EncodedValue } from "./codec.js";
import { CorruptRecordError } from "./errors.js";
import type { ErrorData } from "./seam.js";

/** Keys of history records are this and the entry's path. */
export const HISTORY_PREFIX = "h/";

/** The kinds by the number that stands for them in a record. Never reorder: append. */
const KINDS = [
  "step",
  "loop",
  "sleep",
  "message",
  "rollback_checkpoint",
  "join",
  "race",
  "removed",
  "version_check",
  "branch",
] as const;

const numbers = <T extends string>(names: readonly T[]): Readonly<Record<T, number>> =>
  Object.fromEntries(names.map((name, number) => [name, number])) as Record<T, number>;
const KIND_NUMBERS = numbers(KINDS);

/** What has a record: the entries of the contract, and the branches of joins and races. */
export type RecordedKind = EntryKind | "branch";

/** Never reorder: append. `failed` of a step = a retry is pending; of anything else = it ended so. */
const STATUSES = ["pending", "running", "completed", "failed", "exhausted"] as const;
export type EntryStatus = (typeof STATUSES)[number];
const STATUS_NUMBERS = numbers(STATUSES);

/** Why a step failed for good; what `tryStep({ catch })` lists. */
export type StepFailureKind = "critical" | "timeout" | "exhausted" | "rollback";

export interface StepDetail {
  readonly attempts: number;
  /** Of the last failed attempt. */
  readonly error?: ErrorData;
  /** Set once it failed for good. */
  readonly failure?: StepFailureKind;
  /** ms since the epoch, while a retry is pending. */
  readonly retryAt?: number;
  readonly rolledBackAt?: number;
  readonly rollbackAttempts?: number;
  readonly rollbackError?: ErrorData;
  readonly rollbackRetryAt?: number;
}

interface Base<K extends RecordedKind, D> {
  readonly kind: K;
  /** Order of first recording within the instance, from 0. */
  readonly seq: number;
  readonly status: EntryStatus;
  /** ms since the epoch. */
  readonly startedAt: number;
  /** ms since the epoch; 0 = not yet. */
  readonly completedAt: number;
  readonly detail: D;
  /** Encoded; `undefined` is the value undefined. */
  readonly value?: EncodedValue;
}

/** `value` = output. */
export type StepData = Base<"step", StepDetail>;
/** `detail` = number of the iteration in hand; `value` = its state, or the output once completed. */
export interface LoopData extends Base<"loop", number> {
  /** The first iteration that a rollback of the workflow would undo, and its state: none is forgotten from there on. */
  readonly undo?: { readonly from: number; readonly state: EncodedValue };
}
/** `detail` = deadline in ms since the epoch. */
export type SleepData = Base<"sleep", number>;
/** `name:count`: how many messages came. */
export type CountData = Base<"message", number>;
export interface MessageDetail {
  readonly id: string;
  readonly queue: string;
  readonly createdAt: number;
  /** Only for completable messages. */
  readonly completed?: boolean;
}
/** `name:0` …: `value` = body. */
export type MessageData = Base<"message", MessageDetail>;
export type CheckpointData = Base<"rollback_checkpoint", 0>;
export interface BranchesDetail {
  /** In the order of the code that recorded them first. */
  readonly names: readonly string[];
  readonly winner?: string;
}
export type BranchesData = Base<"join", BranchesDetail> | Base<"race", BranchesDetail>;
export interface BranchFailure extends ErrorData {
  /** Paths of the entries whose failure it was. */
  readonly failed?: readonly string[];
}
/** `detail` = the error of a failed branch; `value` = output. Lies under the branch's own path. */
export type BranchData = Base<"branch", BranchFailure | 0>;
/** `detail` = the kind it stands for. */
export type RemovedData = Base<"removed", string>;
export interface VersionDetail {
  readonly version: number;
  /** The `latest` of the code that recorded it. */
  readonly latest: number;
}
export type VersionData = Base<"version_check", VersionDetail>;

/** An entry as it is recorded. Never changed in place: a change is a new object and a new record. */
export type EntryData =
  | StepData
  | LoopData
  | SleepData
  | CountData
  | MessageData
  | CheckpointData
  | BranchesData
  | BranchData
  | RemovedData
  | VersionData;

/** The entries of one kind. */
export type EntryOf<K extends RecordedKind> = Extract<EntryData, { readonly kind: K }>;

/** A step that went well at last: its record holds the number of attempts alone. */
const isBare = (detail: StepDetail): boolean =>
  detail.error === undefined && detail.rollbackAttempts === undefined;

/** What of an entry is in the field `detail` of its record. */
function encodeDetail(data: EntryData): unknown {
  if (data.kind === "step" && isBare(data.detail)) return data.detail.attempts;
  if (data.kind === "loop" && data.undo !== undefined)
    return [data.detail, data.undo.from, ...(data.undo.state === undefined ? [] : [data.undo.state])];
  return data.detail;
}

/** JSON, without the detour for what most records hold. Numbers are finite. */
const json = (value: unknown): string => (typeof value === "number" ? String(value) : JSON.stringify(value));

/** The text of an entry's record. */
export function encodeEntry(data: EntryData): string {
  const { kind, seq, status, startedAt, completedAt, value } = data;
  const rest = value === undefined ? "" : `,${json(value)}`;
  return sealRecord(
    `["e",${KIND_NUMBERS[kind]},${seq},${STATUS_NUMBERS[status]},${startedAt},${completedAt},${json(encodeDetail(data))}${rest}]`,
  );
}

/**
 * The entry of a record's text.
 * @throws CorruptRecordError naming instance and key.
 */
export function decodeEntry(text: string, instance: string, key: string): EntryData {
  const fields = decodeRecord("entry", text, instance, key);
  const [kindIndex, seq, statusIndex, startedAt, completedAt, detail, value] = fields as [
    number,
    number,
    number,
    number,
    number,
    unknown,
    unknown,
  ];
  const kind = KINDS[kindIndex];
  const status = STATUSES[statusIndex];
  if (kind === undefined || status === undefined)
    throw new CorruptRecordError(instance, key, "its kind or status is unknown");
  const data = { kind, seq, status, startedAt, completedAt, detail, value };
  if (kind === "step" && typeof detail === "number") data.detail = { attempts: detail };
  if (kind !== "loop" || !Array.isArray(detail)) return data as EntryData;
  const [iteration, from, state] = detail as [number, number, unknown];
  return { ...data, detail: iteration, undo: { from, state } } as LoopData;
}
