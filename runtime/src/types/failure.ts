/** An error as data: what history records and hooks get. */
export interface WorkflowError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** Own serialisable properties of the error. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Given to `onError`. One of three: a step attempt, a rollback handler, or the workflow itself failed. */
export type WorkflowErrorEvent =
  | { readonly step: StepErrorEvent }
  | { readonly rollback: RollbackErrorEvent }
  | { readonly workflow: RunErrorEvent };

export interface StepErrorEvent {
  readonly workflowId: string;
  readonly stepName: string;
  /** From 1. */
  readonly attempt: number;
  readonly maxRetries: number;
  readonly remainingRetries: number;
  readonly willRetry: boolean;
  /** In ms. */
  readonly retryDelay?: number;
  /** Unix ms. */
  readonly retryAt?: number;
  readonly error: WorkflowError;
}

export interface RollbackErrorEvent {
  readonly workflowId: string;
  readonly stepName: string;
  readonly error: WorkflowError;
}

export interface RunErrorEvent {
  readonly workflowId: string;
  readonly error: WorkflowError;
}

export type TryStepCatchKind = "critical" | "timeout" | "exhausted" | "rollback";

export interface TryStepFailure {
  readonly kind: TryStepCatchKind;
  readonly stepName: string;
  readonly attempts: number;
  readonly error: WorkflowError;
}

export type TryStepResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: TryStepFailure };

export type TryBlockCatchKind = "step" | "join" | "race" | "rollback";

export interface TryBlockFailure {
  readonly source: "step" | "join" | "race" | "block";
  readonly name: string;
  readonly error: WorkflowError;
  readonly step?: TryStepFailure;
}

export type TryBlockResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: TryBlockFailure };
