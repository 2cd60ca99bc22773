import { toWire } from "../client/wire.js";
import { toErrorData, type WireError } from "../host/errors.js";
import type { HostLog } from "../host/log.js";

/**
 * An error fit for `JSON.stringify`: its metadata as values cross the wire. Metadata that can't cross (a
 * function, a cycle) is left out and logged, so that the caller still gets the error.
 */
export function errorAnswer(error: unknown, details: boolean, log: HostLog): WireError {
  const { metadata, ...data } = toErrorData(error, details);
  if (metadata === undefined) return data;
  try {
    return { ...data, metadata: toWire(metadata, `The metadata of error "${data.code}"`) };
  } catch (reason) {
    log.warn({ err: reason }, "An error was sent without its metadata.");
    return data;
  }
}
