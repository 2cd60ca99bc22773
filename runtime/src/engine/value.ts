/**
 * A **value** (step output, message body, loop state …) is JSON, with what JSON lacks as a tagged array in
 * an object with the single key `$`: `{"$":["Date",1764466800000]}`. An object of the user that has a key
 * beginning with `$` is written `{"$":["Object",[[key,value],…]]}`.
 */

import { SerializationError } from "./errors.js";
import { readablePath } from "./names.js";

/** A value as it stands in a record: plain JSON, or tagged. Made by `encodeValue` only. */
export type EncodedValue = unknown;

const MAX_DEPTH = 200;

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

/** The same for a field that is left out when it is `undefined`: outputs, states. */
export function encodeOutput(value: unknown, what: string, entry?: string): EncodedValue {
  return value === undefined ? undefined : encodeValue(value, what, entry);
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
  const name = Object.prototype.toString.call(value).slice(8, -1); // `Uint8Array` of Node's Buffer, too
  if (ArrayBuffer.isView(value))
    return tag(
      "bytes",
      name,
      Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64"),
    );
  if (value instanceof ArrayBuffer) return tag("bytes", name, Buffer.from(value).toString("base64"));
  const { then, toJSON } = value as { then?: unknown; toJSON?: unknown };
  if (typeof then === "function") return refuse(at, `is a ${name === "Object" ? "thenable" : name}`);
  if (typeof toJSON === "function") return encode((value as { toJSON(): unknown }).toJSON(), at);
  // RegExp, WeakMap, Response, streams … hold no data of their own and would come back empty.
  if (name !== "Object" && Object.keys(value).length === 0) return refuse(at, `is a ${name}`);
  return encodeFields(value, at);
}

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

function decodeBytes(name: string, base64: string): unknown {
  const { buffer } = Uint8Array.from(Buffer.from(base64, "base64"));
  if (name === "ArrayBuffer") return buffer;
  const View = (globalThis as unknown as Record<string, new (buffer: ArrayBuffer) => unknown>)[name];
  if (View === undefined) throw new TypeError(`unknown kind of bytes "${name}" in a recorded value`);
  return new View(buffer);
}
