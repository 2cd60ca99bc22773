import { context, SpanStatusCode, trace, type Span } from "@opentelemetry/api";

/**
 * OpenTelemetry spans of what user code does: `step charge`, `action add`, `hook onWake`. Without an SDK
 * in the process they cost next to nothing.
 */

/** Which instance a span belongs to. */
export interface SpanOwner {
  readonly actor: string;
  readonly key: readonly string[];
  readonly actorId: string;
}

const tracer = () => trace.getTracer("@stepproof/runtime");

/** Begins a span that ends by `endSpan`. Times are those of the process, not of the engine's clock. */
export function startSpan(
  kind: "step" | "action" | "hook",
  name: string,
  owner: SpanOwner,
  attempt?: number,
): Span {
  return tracer().startSpan(`${kind} ${name}`, {
    attributes: {
      "stepproof.actor": owner.actor,
      "stepproof.key": [...owner.key],
      "stepproof.actor_id": owner.actorId,
      ...(attempt === undefined ? {} : { "stepproof.attempt": attempt }),
    },
  });
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
