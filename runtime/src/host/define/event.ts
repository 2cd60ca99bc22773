import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { AsArgs, EventToken } from "../../types/index.js";

/**
 * Declares an event: `events: { moved: event<[x: number, y: number]>() }`. One argument may be given bare:
 * `event<string>()`. A Standard Schema, when given, is run on the arguments of every `broadcast`.
 */
export function event<Args>(schema?: StandardSchemaV1<unknown, Args>): EventToken<AsArgs<Args>> {
  return { kind: "event", schema: schema ?? null };
}
