import type { TryStepFailure } from "../engine/failure.js";
import type { TryFailure } from "../engine/try-block.js";

/** An error as data: what history records and hooks get. */
export type { ErrorData as WorkflowError, WorkflowErrorEvent } from "../engine/seam.js";
export type { StepFailureKind as TryStepCatchKind } from "../engine/entry.js";
export type { TryStepFailure } from "../engine/failure.js";
export type {
  TryCatchKind as TryBlockCatchKind,
  TryFailure as TryBlockFailure,
} from "../engine/try-block.js";

export type TryStepResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: TryStepFailure };

export type TryBlockResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: TryFailure };
