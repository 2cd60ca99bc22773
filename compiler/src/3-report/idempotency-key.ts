import type { Operation, ValueInfo } from "../2-solve/types.js";

/** Names under which services take a key that makes a repeated request count once. */
const KEY =
  /^(?:x-)?(?:idempotency[-_]?(?:key|token)|request[-_]?token|client(?:request)?token|clientrequestid|messagededuplicationid|dedup(?:lication|e)?[-_]?(?:id|key)|paypal-request-id|jobid|transactionid)$/i;

/** The idempotency key among the arguments of a request, however deep; `null` = there is none. */
export function idempotencyKeyOf(operation: Operation): ValueInfo | null {
  if (operation.kind !== "effect" && operation.kind !== "access" && operation.kind !== "call") return null;
  for (const arg of operation.args) {
    const found = keyIn(arg, 0);
    if (found) return found;
  }
  return null;
}

function keyIn(value: ValueInfo, depth: number): ValueInfo | null {
  if (!value.fields || depth > 3) return null;
  for (const [name, field] of Object.entries(value.fields)) {
    if (KEY.test(name)) return field;
    const inner = keyIn(field, depth + 1);
    if (inner) return inner;
  }
  return null;
}

/** True when a request has a key, or is given arguments that can't be read and speak of one. */
export function hasIdempotencyKey(operation: Operation): boolean {
  if (idempotencyKeyOf(operation)) return true;
  return operation.kind === "effect" && operation.args.some((arg) => /idempoten/i.test(arg.text));
}
