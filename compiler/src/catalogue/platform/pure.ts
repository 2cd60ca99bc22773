import { pure, type RowGroup } from "../rows.js";

const IN_PLACE = { mutates: "this" } as const;

const MATH =
  "abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 f16round floor fround hypot imul log " +
  "log10 log1p log2 max min pow round sign sin sinh sqrt sumPrecise tan tanh trunc";
const STRING =
  "at charAt charCodeAt codePointAt concat endsWith includes indexOf isWellFormed lastIndexOf match matchAll normalize " +
  "padEnd padStart repeat search slice split startsWith substr substring toLowerCase toString toUpperCase toWellFormed " +
  "trim trimEnd trimStart trimLeft trimRight valueOf anchor big bold link Symbol.iterator";
const UTC_GETTERS =
  "getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds";
const UTC_SETTERS =
  "setUTCDate setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds setTime";
const ERRORS =
  "Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError SuppressedError DOMException";
const URL_PARTS = "toString toJSON";

/** The large harmless rest of the platform. */
export const PURE: readonly RowGroup[] = [
  ...pure("Math.", MATH),
  ...pure(
    "",
    "Number String Boolean BigInt Symbol Object Function RegExp parseInt parseFloat isNaN isFinite",
  ),
  ...pure(
    "",
    "encodeURI encodeURIComponent decodeURI decodeURIComponent escape unescape atob btoa structuredClone",
  ),
  ...pure("", ERRORS),
  ...pure("", "Error.captureStackTrace Error.isError"),
  ...pure("Error.prototype.", "toString"),
  ...pure("Number.", "isFinite isInteger isNaN isSafeInteger parseFloat parseInt"),
  ...pure("Number.prototype.", "toExponential toFixed toPrecision toString valueOf"),
  ...pure("BigInt.", "asIntN asUintN"),
  ...pure("BigInt.prototype.", "toString valueOf"),
  ...pure("Boolean.prototype.", "toString valueOf"),
  ...pure("Symbol.", "for keyFor"),
  ...pure("Symbol.prototype.", "toString valueOf"),
  ...pure("String.", "fromCharCode fromCodePoint raw"),
  ...pure("String.prototype.", STRING),
  ...pure("String.prototype.", "replace replaceAll", { calls: [1] }),
  ...pure("RegExp.", "escape"),
  ...pure(
    "RegExp.prototype.",
    "exec test compile toString Symbol.replace Symbol.match Symbol.matchAll Symbol.search Symbol.split",
  ),
  ...pure("JSON.", "parse stringify", { calls: [1] }),
  ...pure("JSON.", "rawJSON isRawJSON"),

  ...pure(
    "Object.",
    "create fromEntries getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertySymbols getPrototypeOf is isExtensible isFrozen isSealed hasOwn",
  ),
  ...pure("Object.", "keys values entries getOwnPropertyNames", { returns: "Array" }),
  ...pure("Object.", "assign defineProperty defineProperties setPrototypeOf freeze seal preventExtensions", {
    mutates: 0,
  }),
  ...pure("Object.", "groupBy", { calls: [1] }),
  ...pure(
    "Object.prototype.",
    "hasOwnProperty isPrototypeOf propertyIsEnumerable toString valueOf toLocaleString",
  ),
  ...pure("Reflect.", "get getOwnPropertyDescriptor getPrototypeOf has isExtensible ownKeys"),
  ...pure("Reflect.", "set defineProperty deleteProperty setPrototypeOf preventExtensions", { mutates: 0 }),
  ...pure("Reflect.", "apply construct", { calls: [0] }),
  ...pure("", "Proxy Proxy.revocable"),
  ...pure("Function.prototype.", "bind toString"),
  ...pure("Function.prototype.", "call apply", { calls: "all" }),

  ...pure("", "Promise", { calls: [0], returns: "Promise" }),
  ...pure("Promise.", "all allSettled any race resolve reject withResolvers", { returns: "Promise" }),
  ...pure("Promise.", "try", { calls: [0], returns: "Promise" }),
  ...pure("Promise.prototype.", "then", { calls: [0, 1], returns: "Promise" }),
  ...pure("Promise.prototype.", "catch finally", { calls: [0], returns: "Promise" }),

  ...pure("", "Date", { when: { form: "new" }, returns: "Date" }),
  ...pure("Date.", "parse UTC"),
  ...pure(
    "Date.prototype.",
    `${UTC_GETTERS} getTime getMilliseconds getSeconds toISOString toJSON toUTCString toGMTString valueOf toTemporalInstant`,
  ),
  ...pure("Date.prototype.", `${UTC_SETTERS} setMilliseconds setSeconds`, IN_PLACE),
  ...pure("Temporal.", "*"),
  ...[
    "Instant",
    "PlainDate",
    "PlainTime",
    "PlainDateTime",
    "ZonedDateTime",
    "PlainYearMonth",
    "PlainMonthDay",
    "Duration",
  ].flatMap((type) => [
    ...pure(`Temporal.${type}.prototype.`, "*"),
    ...pure(
      `${type}.prototype.`,
      "add subtract with until since round equals toString toJSON total negated abs getISOFields toInstant toPlainDate toPlainTime toPlainDateTime toZonedDateTime withTimeZone withCalendar startOfDay",
    ),
  ]),

  ...pure("", "URL URLSearchParams URLPattern URL.canParse URL.parse"),
  ...pure("URL.prototype.", URL_PARTS),
  ...pure("", "URL.revokeObjectURL"),
  ...pure("URLSearchParams.prototype.", "get getAll has entries keys values toString Symbol.iterator"),
  ...pure("URLSearchParams.prototype.", "forEach", { calls: [0] }),
  ...pure("URLSearchParams.prototype.", "append delete set sort", IN_PLACE),
  ...pure("URLPattern.prototype.", "test exec"),
  ...pure("", "TextEncoder TextDecoder TextEncoder.prototype.encode TextDecoder.prototype.decode"),
  ...pure(
    "",
    "AbortController AbortController.prototype.abort AbortSignal.abort AbortSignal.any AbortSignal.prototype.throwIfAborted Event CustomEvent EventTarget",
  ),
  ...pure("", "DisposableStack AsyncDisposableStack"),
  ...["DisposableStack", "AsyncDisposableStack"].flatMap((type) => [
    ...pure(`${type}.prototype.`, "use defer adopt move", IN_PLACE),
    ...pure(`${type}.prototype.`, "dispose disposeAsync", IN_PLACE),
  ]),
  ...pure("", "WebAssembly.Module WebAssembly.validate"),

  ...pure("Buffer.", "from alloc concat compare byteLength isBuffer isEncoding of copyBytesFrom", {
    returns: "Buffer",
  }),
  ...pure("", "Buffer"),
  ...pure(
    "Buffer.prototype.",
    "compare equals toString toJSON slice subarray includes indexOf lastIndexOf readBigInt64BE readBigInt64LE readBigUInt64BE readBigUInt64LE readDoubleBE readDoubleLE readFloatBE readFloatLE readInt8 readInt16BE readInt16LE readInt32BE readInt32LE readIntBE readIntLE readUInt8 readUInt16BE readUInt16LE readUInt32BE readUInt32LE readUIntBE readUIntLE",
  ),
  ...pure("Buffer.prototype.", "copy", { mutates: 0 }),
  ...pure(
    "Buffer.prototype.",
    "write fill swap16 swap32 swap64 writeBigInt64BE writeBigInt64LE writeBigUInt64BE writeBigUInt64LE writeDoubleBE writeDoubleLE writeFloatBE writeFloatLE writeInt8 writeInt16BE writeInt16LE writeInt32BE writeInt32LE writeUInt8 writeUInt16BE writeUInt16LE writeUInt32BE writeUInt32LE",
    IN_PLACE,
  ),

  ...["node:assert", "node:assert/strict"].flatMap((module) => [
    ...pure(`${module}#`, "*"),
    ...pure(`${module}#`, "throws doesNotThrow rejects doesNotReject", { calls: [0] }),
    ...pure(`${module}#strict.`, "throws doesNotThrow rejects doesNotReject", { calls: [0] }),
  ]),
  ...pure(
    "node:util#",
    "format formatWithOptions inspect isDeepStrictEqual promisify callbackify deprecate inherits stripVTControlCharacters styleText toUSVString parseEnv getSystemErrorName aborted transferableAbortController diff MIMEType MIMEParams isArray types.* TextEncoder TextDecoder",
  ),
  ...pure("node:util/types#", "*"),
  ...pure("node:querystring#", "*"),
  ...pure("node:punycode#", "*"),
  ...pure("node:string_decoder#", "*"),
  ...pure("node:constants#", "*"),
  ...pure(
    "node:url#",
    "URL URLSearchParams parse format resolve domainToASCII domainToUnicode fileURLToPath pathToFileURL urlToHttpOptions",
  ),
  ...pure("node:buffer#", "isUtf8 isAscii transcode constants Blob File"),
  ...pure(
    "node:zlib#",
    "gzipSync gunzipSync deflateSync inflateSync deflateRawSync inflateRawSync unzipSync brotliCompressSync brotliDecompressSync zstdCompressSync zstdDecompressSync crc32",
  ),
  ...pure("node:zlib#", "gzip gunzip deflate inflate brotliCompress brotliDecompress", { async: true }),
];
