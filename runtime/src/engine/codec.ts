/**
 * How records are written, and by way of `value.ts` what is in them. `docs/storage-format.md` describes it
 * for people; these two files are the only ones that read or write it.
 *
 * A **record** is `<version char><checksum>:<JSON array of the fields>`.
 */

import { CorruptRecordError } from "./errors.js";

export { decodeValue, encodeOutput, encodeValue, type EncodedValue } from "./value.js";

/** The record format that this code writes. Older ones are upgraded on read, newer ones refused. */
export const RECORD_VERSION = 2;

const VERSION = RECORD_VERSION.toString(36);

/** What a record is about. */
export type RecordKind = "entry" | "workflow" | "message" | "host";

/** The range of all keys that begin with `prefix`, which must end in an ASCII character. */
export function prefixRange(prefix: string): { from: string; to: string } {
  return {
    from: prefix,
    to: prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1),
  };
}

/** A record's text. */
export function encodeRecord(kind: RecordKind, fields: readonly unknown[]): string {
  return sealRecord(JSON.stringify([kind.charAt(0), ...fields]));
}

/** The text of the record whose body is this JSON array: see `encodeRecord`. */
export function sealRecord(body: string): string {
  return [VERSION, checksum(body), ":", body].join(""); // one text, not a chain of parts to be kept
}

/**
 * The fields of a record's text.
 * @throws CorruptRecordError naming instance and key: truncated, altered, of another kind, or newer.
 */
export function decodeRecord(kind: RecordKind, text: string, instance: string, key: string): unknown[] {
  const colon = text.indexOf(":");
  const version = parseInt(text.charAt(0), 36);
  const body = text.slice(colon + 1);
  let fault: string | undefined;
  if (colon < 2 || Number.isNaN(version)) fault = "it has no header";
  else if (version > RECORD_VERSION)
    fault = `it was written by a newer version (record format ${version}, this one reads up to ${RECORD_VERSION})`;
  else if (checksum(body) !== text.slice(1, colon))
    fault = "its checksum does not match: it was truncated or altered";
  else {
    const [first, ...fields] = JSON.parse(body) as unknown[];
    if (first === kind.charAt(0)) return fields; // version 1 has nothing that means something else in version 2
    fault = `it is not a record of kind "${kind}"`;
  }
  throw new CorruptRecordError(instance, key, fault);
}

/** 32-bit FNV-1a over the UTF-16 units, as base 36. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}
