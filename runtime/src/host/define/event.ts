import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { AsArgs, EventToken } from "../../types/index.js";

/**
 * Declares an event by its arguments: `events: { moved: event<[x: number, y: number]>() }`; one may be given
 * bare: `event<string>()`. With a Standard Schema the event has one argument, which is checked on every
 * `broadcast`.
 */
export function event<Args>(): EventToken<AsArgs<Args>>;
export function event<Value>(schema: StandardSchemaV1<unknown, Value>): EventToken<[Value]>;
export function event(schema?: StandardSchemaV1): EventToken<readonly unknown[]> {
  return { kind: "event", schema: schema ?? null };
}
