import { decodeValue, encodeValue } from "../engine/codec.js";
import type { HostDefinition } from "./define/definition.js";
import { MessageTooLargeError, QueueNotFoundError, RuntimeError } from "./errors.js";
import type { InstanceAddress } from "./names.js";
import { isSchema, validate } from "./validate.js";

/**
 * The body of a message as it will be kept: checked and perhaps transformed by the queue's schema, copied.
 * @param largest in bytes.
 * @throws QueueNotFoundError, ValidationError, MessageTooLargeError, SerializationError.
 */
export async function checkBody(
  { config }: HostDefinition,
  { name }: InstanceAddress,
  queue: string,
  body: unknown,
  largest: number,
): Promise<unknown> {
  const { queues } = config;
  const what = `The body of a message to queue "${queue}"`;
  let value = body;
  if (queues !== undefined && Object.keys(queues).length > 0) {
    const schema = Object.hasOwn(queues, queue) ? queues[queue] : undefined;
    if (schema === undefined) throw new QueueNotFoundError(name, queue, Object.keys(queues));
    const validator = isSchema(schema) ? schema : schema.message;
    if (validator !== null) value = await validate(validator, body, what);
  }
  const encoded = encodeValue(value, what);
  const size = Buffer.byteLength(JSON.stringify(encoded));
  if (size > largest) throw new MessageTooLargeError(queue, size, largest);
  return decodeValue(encoded);
}

/** @throws RuntimeError `event_not_found` when the definition declares events, and not this one. */
export function checkEvent({ config }: HostDefinition, actor: string, event: string): void {
  const { events } = config;
  if (events === undefined || Object.hasOwn(events, event)) return;
  const known = Object.keys(events).join(", ");
  throw new RuntimeError(
    "event_not_found",
    500,
    `"${actor}" declares no event "${event}". It has: ${known}.`,
  );
}
