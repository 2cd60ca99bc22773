/**
 * How values and records are written. `docs/storage-format.md` describes it for people; this file is the
 * only one that reads or writes it.
 *
 * A **value** (step output, message body, loop state …) is JSON, with what JSON lacks as a tagged array in
 * an object with the single key `$`: `{"$":["Date",1764466800000]}`. An object of the user that has a key
 * beginning with `$` is written `{"$":["Object",[[key,value],…]]}`.
 *
 * A **record** is `<version char><checksum>:<JSON array of the fields>`.
 */

import { CorruptRecordError, SerializationError } from "./errors.js";
import { readablePath } from "./names.js";

/** The record format that this code writes. Older ones are upgraded on read, newer ones refused. */
export const RECORD_VERSION = 1;

/** A value as it stands in a record: plain JSON, or tagged. Made by `encodeValue` only. */
export type EncodedValue = unknown;

/** What a record is about. */
export type RecordKind = "entry" | "workflow" | "message" | "host";

const MAX_DEPTH = 200;

/** The range of all keys that begin with `prefix`, which must end in an ASCII character. */
export function prefixRange(prefix: string): { from: string; to: string } {
  return {
    from: prefix,
    to: prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1),
  };
}

/**
 * Checks that `value` can be brought back, and gives a copy fit for a record.
 * @param what begins the error's message: `The output of step`.
 * @param entry path of the entry concerned, named after `what`.
 * @throws SerializationError naming the property, for functions, symbols, cycles, promises, streams …
 */
export function encodeValue(value: unknown, what: string, entry?: string): EncodedValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0)) return value;
  return encode(value, { what, entry, trail: [], open: [] });
}

/** The value of an encoded one. Objects are always new. */
export function decodeValue(encoded: EncodedValue): unknown {
  if (typeof encoded !== "object" || encoded === null) return encoded;
  if (Array.isArray(encoded)) return encoded.map(decodeValue);
  const record = encoded as Record<string, unknown>;
  const tagged = record["$"];
  if (Array.isArray(tagged)) return decodeTagged(tagged as [string, unknown, ...unknown[]]);
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(record)) setOwn(result, key, decodeValue(record[key]));
  return result;
}

/** A record's text. There is at least one field. */
export function encodeRecord(kind: RecordKind, fields: readonly unknown[]): string {
  const body = `["${kind.charAt(0)}",${JSON.stringify(fields).slice(1)}`;
  return `${RECORD_VERSION.toString(36)}${checksum(body)}:${body}`;
}

/**
 * The fields of a record's text.
 * @throws CorruptRecordError naming instance and key: truncated, altered, of another kind, or newer.
 */
export function decodeRecord(kind: RecordKind, text: string, instance: string, key: string): unknown[] {
  const colon = text.indexOf(":");
  const version = parseInt(text.charAt(0), 36);
  if (colon < 2 || Number.isNaN(version)) throw new CorruptRecordError(instance, key, "it has no header");
  if (version > RECORD_VERSION) {
    throw new CorruptRecordError(
      instance,
      key,
      `it was written by a newer version (record format ${version}, this one reads up to ${RECORD_VERSION})`,
    );
  }
  const body = text.slice(colon + 1);
  if (checksum(body) !== text.slice(1, colon))
    throw new CorruptRecordError(instance, key, "its checksum does not match: it was truncated or altered");
  const fields = JSON.parse(body) as unknown[];
  if (fields.shift() !== kind.charAt(0))
    throw new CorruptRecordError(instance, key, `it is not a record of kind "${kind}"`);
  return upgrade(fields, version);
}

/** Brings the fields of an older format to the present one. There is no older one yet. */
function upgrade(fields: unknown[], _from: number): unknown[] {
  return fields;
}

/** 32-bit FNV-1a over the UTF-16 units, as base 36. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

interface Encoding {
  readonly what: string;
  readonly entry: string | undefined;
  /** Property names from the top to the value in hand. */
  readonly trail: (string | number)[];
  /** Objects around the value in hand: to see cycles. */
  readonly open: object[];
}

function encode(value: unknown, at: Encoding): EncodedValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : tag("Number", Object.is(value, -0) ? "-0" : String(value));
    case "undefined":
      return tag("undefined", 0);
    case "bigint":
      return tag("BigInt", value.toString());
    case "function":
      return refuse(at, value.name === "" ? "is a function" : `is the function "${value.name}"`);
    case "symbol":
      return refuse(at, "is a symbol");
    case "object":
      return value === null ? null : encodeObject(value, at);
  }
}

function encodeObject(value: object, at: Encoding): EncodedValue {
  if (at.open.includes(value)) return refuse(at, "contains itself (a cycle)");
  if (at.open.length >= MAX_DEPTH) return refuse(at, `is nested more than ${MAX_DEPTH} levels deep`);
  at.open.push(value);
  try {
    return encodeByClass(value, at);
  } finally {
    at.open.pop();
  }
}

function encodeByClass(value: object, at: Encoding): EncodedValue {
  if (Array.isArray(value)) return Array.from(value, (item: unknown, index) => inside(at, index, item));
  if (value instanceof Date) return tag("Date", Number.isNaN(value.getTime()) ? null : value.getTime());
  if (value instanceof Map)
    return tag(
      "Map",
      [...value].map(([key, item], index) => [
        inside(at, `key ${index}`, key),
        inside(at, keyName(key, index), item),
      ]),
    );
  if (value instanceof Set)
    return tag(
      "Set",
      [...value].map((item: unknown, index) => inside(at, index, item)),
    );
  if (value instanceof Error) return encodeError(value, at);
  if (ArrayBuffer.isView(value))
    return tag(
      "bytes",
      viewName(value),
      toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)),
    );
  if (value instanceof ArrayBuffer) return tag("bytes", "ArrayBuffer", toBase64(new Uint8Array(value)));
  const name = Object.prototype.toString.call(value).slice(8, -1);
  if (NOT_DATA.has(name) || typeof (value as { then?: unknown }).then === "function")
    return refuse(at, `is a ${name === "Object" ? "thenable" : name}`);
  if (typeof (value as { toJSON?: unknown }).toJSON === "function")
    return encode((value as { toJSON(): unknown }).toJSON(), at);
  return encodeFields(value, at);
}

/** Objects by their `toString` tag that hold no data of their own and would come back empty. */
const NOT_DATA = new Set([
  "Promise",
  "WeakMap",
  "WeakSet",
  "WeakRef",
  "RegExp",
  "Headers",
  "URLSearchParams",
  "Response",
  "Request",
  "Blob",
  "File",
  "FormData",
  "ReadableStream",
  "WritableStream",
  "TransformStream",
  "AbortSignal",
  "AbortController",
  "Generator",
  "AsyncGenerator",
  "Window",
  "global",
]);

function encodeFields(value: object, at: Encoding): EncodedValue {
  const keys = Object.keys(value);
  if (keys.some((key) => key.startsWith("$") || key === "__proto__")) {
    return tag(
      "Object",
      keys.map((key) => [key, inside(at, key, (value as Record<string, unknown>)[key])]),
    );
  }
  const result: Record<string, unknown> = {};
  for (const key of keys) result[key] = inside(at, key, (value as Record<string, unknown>)[key]);
  return result;
}

function encodeError(error: Error, at: Encoding): EncodedValue {
  const fields: [string, unknown][] = [];
  if (error.cause !== undefined) fields.push(["cause", inside(at, "cause", error.cause)]);
  for (const key of Object.keys(error)) {
    if (key === "name" || key === "message" || key === "stack" || key === "cause") continue;
    fields.push([key, inside(at, key, (error as unknown as Record<string, unknown>)[key])]);
  }
  return tag("Error", error.name, error.message, error.stack?.slice(0, 2000) ?? null, fields);
}

function inside(at: Encoding, name: string | number, value: unknown): EncodedValue {
  at.trail.push(name);
  const encoded = encode(value, at);
  at.trail.pop();
  return encoded;
}

function refuse(at: Encoding, reason: string): never {
  const property = at.trail.reduce<string>(
    (path, part) => (typeof part === "number" ? `${path}[${part}]` : `${path}.${part}`),
    "value",
  );
  const entry = at.entry === undefined ? undefined : readablePath(at.entry);
  throw new SerializationError(
    property,
    reason,
    entry === undefined ? at.what : `${at.what} "${entry}"`,
    entry,
  );
}

const keyName = (key: unknown, index: number): string => (typeof key === "string" ? key : `value ${index}`);
const tag = (...parts: unknown[]): EncodedValue => ({ $: parts });

function decodeTagged([name, ...args]: [string, unknown, ...unknown[]]): unknown {
  const first = args[0];
  switch (name) {
    case "undefined":
      return undefined;
    case "Number":
      return Number(first);
    case "BigInt":
      return BigInt(first as string);
    case "Date":
      return new Date(first === null ? NaN : (first as number));
    case "Map":
      return new Map(
        (first as [unknown, unknown][]).map(([key, value]) => [decodeValue(key), decodeValue(value)]),
      );
    case "Set":
      return new Set((first as unknown[]).map(decodeValue));
    case "Object": {
      const result: Record<string, unknown> = {};
      for (const [key, value] of first as [string, unknown][]) setOwn(result, key, decodeValue(value));
      return result;
    }
    case "Error":
      return decodeError(args as [string, string, string | null, [string, unknown][]]);
    case "bytes":
      return decodeBytes(first as string, args[1] as string);
    default:
      throw new TypeError(`unknown tag "${name}" in a recorded value`);
  }
}

function decodeError([name, message, stack, fields]: [
  string,
  string,
  string | null,
  [string, unknown][],
]): Error {
  const error = new Error(message);
  error.name = name;
  if (stack === null) delete (error as { stack?: string }).stack;
  else error.stack = stack;
  for (const [key, value] of fields) {
    Object.defineProperty(error, key, {
      value: decodeValue(value),
      enumerable: key !== "cause",
      writable: true,
      configurable: true,
    });
  }
  return error;
}

function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

const VIEWS = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
};

/** `Uint8Array` for Node's Buffer and other subclasses. */
function viewName(view: ArrayBufferView): string {
  return Object.entries(VIEWS).find(([, View]) => view instanceof View)?.[0] ?? "Uint8Array";
}

function decodeBytes(name: string, base64: string): unknown {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  if (name === "ArrayBuffer") return bytes.buffer;
  const View = VIEWS[name as keyof typeof VIEWS] as new (buffer: ArrayBuffer) => unknown;
  return new View(bytes.buffer);
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}
