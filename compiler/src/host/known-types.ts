import type { TypeHazard } from "../types.js";

/** Types of the platform that a recorder brings back as they were. */
export const RECORDED = new Set([
  "Date",
  "Map",
  "ReadonlyMap",
  "Set",
  "ReadonlySet",
  "Array",
  "ReadonlyArray",
  "Object",
  "String",
  "Number",
  "Boolean",
  "BigInt",
]);

/** Error types of the platform: their data is recorded. */
export const ERRORS =
  /^(?:Error|AggregateError|EvalError|RangeError|ReferenceError|SyntaxError|TypeError|URIError|SuppressedError)$/;

type Known = Pick<TypeHazard, "kind" | "lossy">;

const refused = (kind: TypeHazard["kind"]): Known => ({ kind, lossy: false });
const changed = (kind: TypeHazard["kind"]): Known => ({ kind, lossy: true });

/** Types of the platform that a recorder can't bring back, or whose size nothing bounds; by their name without namespace. */
const HAZARDS: readonly (readonly [RegExp, Known])[] = [
  [/^(?:Response|Request)$/, refused("response")],
  [/^(?:IncomingMessage|ServerResponse|ClientRequest|OutgoingMessage)$/, refused("stream")],
  [
    /^(?:ReadableStream|WritableStream|TransformStream|Readable|Writable|Duplex|Transform|PassThrough|Stream|ReadStream|WriteStream|Socket|TLSSocket)(?:DefaultReader|BYOBReader|DefaultWriter)?$/,
    refused("stream"),
  ],
  [/^(?:Promise|PromiseLike)$/, refused("promise")],
  [/^(?:WeakMap|WeakSet|WeakRef|FinalizationRegistry)$/, refused("weak")],
  [/^(?:Function|CallableFunction|NewableFunction)$/, refused("function")],
  [/^(?:Blob|File)$/, refused("bytes")],
  [
    /^(?:ArrayBuffer|SharedArrayBuffer|ArrayBufferLike|DataView|Buffer|NonSharedBuffer|(?:Uint8|Uint8Clamped|Int8|Uint16|Int16|Uint32|Int32|Float16|Float32|Float64|BigInt64|BigUint64)Array)$/,
    changed("bytes"),
  ],
  [
    /^(?:RegExp|URL|URLSearchParams|Headers|FormData|AbortSignal|AbortController|EventEmitter|EventTarget|Worker|MessagePort)$/,
    changed("class"),
  ],
  [
    /^(?:Async)?(?:Iterator|IterableIterator|IteratorObject|Generator|ArrayIterator|MapIterator|SetIterator|StringIterator)$|^(?:Async)?(?:Iterable)$/,
    refused("other"),
  ],
];

/** What a type of the platform means for a recorder; `null` when it brings it back, or it is none of these. */
export function platformHazard(name: string): Known | null {
  const last = name.slice(name.lastIndexOf(".") + 1);
  return HAZARDS.find(([names]) => names.test(last))?.[1] ?? null;
}
