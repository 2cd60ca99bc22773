import { context, SpanStatusCode, trace, type Context, type Span } from "@opentelemetry/api";
import type { WorkflowStatus } from "../engine/seam.js";

/** Without an SDK in the process every span is the API's own empty one. */
const tracer = trace.getTracer("@stepproof/runtime");

/** Which instance spans belong to. */
export interface SpanOwner {
  readonly actor: string;
  readonly key: readonly string[];
  readonly actorId: string;
}

const WAITS: ReadonlySet<WorkflowStatus> = new Set<WorkflowStatus>(["sleeping", "parked"]);
const WORKS: ReadonlySet<WorkflowStatus> = new Set<WorkflowStatus>(["running", "rolling_back"]);

/**
 * The OpenTelemetry spans of one warm instance. Times are those of the process, not of the engine's clock.
 *
 * - `run`: from the moment the workflow has work in hand until it waits or ends; what replays is part of it.
 * - `wait`: from there until it goes on, or is put to sleep: a long wait is not one span, since nothing of it
 *   is in memory.
 * - `step NAME` and `rollback NAME`: one attempt each, below their `run`.
 * - `action NAME` and `hook NAME`: below whatever called them.
 */
export class InstanceSpans {
  private open: { readonly kind: "run" | "wait"; readonly span: Span } | null = null;

  constructor(private readonly owner: SpanOwner) {}

  /** The workflow's status changed. @param error why it failed. */
  status(status: WorkflowStatus, error?: string): void {
    if (WORKS.has(status)) this.begin("run");
    else if (WAITS.has(status)) this.begin("wait");
    else this.end(status === "failed" ? (error ?? "failed") : undefined);
  }

  /** Nothing of the workflow is in memory any more, or it has ended. */
  end(failure?: unknown): void {
    if (this.open === null) return;
    endSpan(this.open.span, failure);
    this.open = null;
  }

  startStep(name: string, attempt: number): Span {
    return this.start(`step ${name}`, { "stepproof.attempt": attempt }, this.insideRun());
  }

  startRollback(name: string): Span {
    return this.start(`rollback ${name}`, {}, this.insideRun());
  }

  startCall(kind: "action" | "hook", name: string): Span {
    return this.start(`${kind} ${name}`, {}, context.active());
  }

  private begin(kind: "run" | "wait"): void {
    if (this.open?.kind === kind) return;
    this.end();
    this.open = { kind, span: this.start(`${kind} ${this.owner.actor}`, {}, context.active()) };
  }

  /** A workflow that was found at work, after a crash, does not change its status: its run begins here. */
  private insideRun(): Context {
    this.begin("run");
    return this.open === null ? context.active() : trace.setSpan(context.active(), this.open.span);
  }

  private start(name: string, more: Readonly<Record<string, number>>, parent: Context): Span {
    const { actor, key, actorId } = this.owner;
    const attributes = {
      "stepproof.actor": actor,
      "stepproof.key": [...key],
      "stepproof.actor_id": actorId,
      ...more,
    };
    return tracer.startSpan(name, { attributes }, parent);
  }
}

/** Ends a span; with an error (or its text) as failed. */
export function endSpan(span: Span, failure: unknown = undefined): void {
  if (failure !== undefined) {
    if (failure instanceof Error) span.recordException(failure);
    span.setStatus({
      code: SpanStatusCode.ERROR,
      message: failure instanceof Error ? failure.message : String(failure),
    });
  }
  span.end();
}

/** Runs `body` inside the span, so that spans of libraries hang under it. */
export function inSpan<T>(span: Span, body: () => T): T {
  return context.with(trace.setSpan(context.active(), span), body);
}
