/** Ways to name the global object. */
const GLOBAL_OBJECTS = new Set(["globalThis", "window", "self", "global", "frames"]);

/** Node's modules whose exports are globals as well: module → where they stand. */
const MODULES_OF_GLOBALS: Readonly<Record<string, string>> = {
  "node:process": "process.",
  "node:console": "console.",
  "node:buffer": "",
  "node:perf_hooks": "",
  "node:timers": "",
  "node:url": "",
  "node:util": "",
  "node:events": "",
  "node:string_decoder": "",
};

/** Types that are views of another one. */
const SAME_TYPE: Readonly<Record<string, string>> = {
  ReadonlyArray: "Array",
  ConcatArray: "Array",
  ReadonlyMap: "Map",
  ReadonlySet: "Set",
  ReadonlySetLike: "Set",
  PromiseLike: "Promise",
  CallableFunction: "Function",
  NewableFunction: "Function",
  ArrayIterator: "Iterator",
  MapIterator: "Iterator",
  SetIterator: "Iterator",
  StringIterator: "Iterator",
  RegExpStringIterator: "Iterator",
  IteratorObject: "Iterator",
  IterableIterator: "Iterator",
  Generator: "Iterator",
  AsyncIteratorObject: "AsyncIterator",
  AsyncIterableIterator: "AsyncIterator",
  AsyncGenerator: "AsyncIterator",
  RegExpMatchArray: "Array",
  RegExpExecArray: "Array",
  TemplateStringsArray: "Array",
  Int8Array: "TypedArray",
  Uint8Array: "TypedArray",
  Uint8ClampedArray: "TypedArray",
  Int16Array: "TypedArray",
  Uint16Array: "TypedArray",
  Int32Array: "TypedArray",
  Uint32Array: "TypedArray",
  Float16Array: "TypedArray",
  Float32Array: "TypedArray",
  Float64Array: "TypedArray",
  BigInt64Array: "TypedArray",
  BigUint64Array: "TypedArray",
  ProcessEnv: "process.env",
  Process: "process",
  Console: "console",
  Performance: "performance",
  Crypto: "crypto",
  SubtleCrypto: "crypto.subtle",
  CacheStorage: "caches",
};

/** `globalThis.window.Math.random` → `Math.random`. */
export function normalGlobal(path: string): string {
  const parts = path.split(".");
  while (parts.length > 1 && GLOBAL_OBJECTS.has(parts[0] ?? "")) parts.shift();
  return parts.join(".");
}

/** `node:process` + `env.HOME` → `process.env.HOME`; `null` when the module's exports are no globals. */
export function globalOfExport(module: string, name: string): string | null {
  const prefix = MODULES_OF_GLOBALS[module];
  if (prefix === undefined) return null;
  if (name === "default" || name === "*") return prefix.slice(0, -1) || null;
  return prefix + name.replace(/^(?:default|\*)\./, "");
}

/**
 * Where the member of a platform type can stand in the catalogue, likeliest first: `Date`, `getHours` →
 * `Date.prototype.getHours`; `MathConstructor`-like and `Console`-like types → `Math.random`, `console.log`.
 */
export function pathsOfMember(type: string, member: string): readonly string[] {
  const parts = `${type}.${member}`.replace(/^NodeJS\./, "").split(".");
  // `Intl` + `DateTimeFormat.format` is also `Intl.DateTimeFormat` + `format`.
  const splits = parts.slice(1).map((_, index) => parts.length - 1 - index);
  const found = splits.flatMap((at) => pathsAt(parts.slice(0, at).join("."), parts.slice(at).join(".")));
  return [...found, `*.prototype.${parts[parts.length - 1] ?? member}`];
}

function pathsAt(type: string, member: string): readonly string[] {
  const owner = SAME_TYPE[type] ?? type;
  const found = [`${owner}.prototype.${member}`, `${owner}.${member}`];
  if (type.endsWith("Constructor")) found.unshift(`${type.slice(0, -"Constructor".length)}.${member}`);
  // Typed arrays and buffers do what arrays do.
  if (owner === "TypedArray" || owner === "Buffer")
    found.push(`TypedArray.prototype.${member}`, `Array.prototype.${member}`);
  return found;
}
