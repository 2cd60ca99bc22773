import { decodeValue, encodeValue } from "../engine/codec.js";
import type { HostDefinition } from "./define/definition.js";
import { MessageTooLargeError, QueueNotFoundError, RuntimeError } from "./errors.js";
import type { InstanceAddress } from "./names.js";
import { isSchema, validate, validateNow } from "./validate.js";

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

/**
 * The response to a message as its queue's `complete` schema gives it back.
 * @throws ValidationError
 */
export function checkResponse({ config }: HostDefinition, queue: string, response: unknown): unknown {
  const schema = config.queues?.[queue];
  if (schema === undefined || isSchema(schema) || schema.complete === undefined || schema.complete === null) {
    return response;
  }
  return validateNow(schema.complete, response, `The response to a message of queue "${queue}"`);
}

/**
 * The arguments of an event as they will be sent: checked by its schema, copied.
 * @throws RuntimeError `event_not_found` when the definition declares events, and not this one;
 * ValidationError, SerializationError.
 */
export function checkEvent(
  { config }: HostDefinition,
  actor: string,
  event: string,
  args: readonly unknown[],
): unknown[] {
  const what = `The arguments of event "${event}"`;
  const { events } = config;
  const declared = events !== undefined && Object.hasOwn(events, event) ? events[event] : undefined;
  if (events !== undefined && declared === undefined) {
    const known = Object.keys(events).join(", ");
    throw new RuntimeError(
      "event_not_found",
      500,
      `"${actor}" declares no event "${event}". It has: ${known}.`,
    );
  }
  const schema = declared === undefined || isSchema(declared) ? declared : declared.schema;
  const checked = schema === undefined || schema === null ? args : [validateNow(schema, args[0], what)];
  return decodeValue(encodeValue(checked, what)) as unknown[];
}
