import type { QueueOptions, QueueToken } from "../../types/index.js";

/**
 * Declares a queue: `queues: { orders: queue<Order, Receipt>() }`, or with validators that are run on every
 * message: `queue({ message: orderSchema, complete: receiptSchema })`.
 */
export function queue<Body, Response = unknown>(
  options: QueueOptions<Body, Response> = {},
): QueueToken<Body, Response> {
  return { kind: "queue", message: options.message ?? null, complete: options.complete ?? null };
}
