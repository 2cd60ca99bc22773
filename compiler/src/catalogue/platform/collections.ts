import { pure, type RowGroup } from "../rows.js";

const IN_PLACE = { mutates: "this" } as const;
const CALLS = { calls: [0] } as const;

const ARRAY_CALLS = "every some find findIndex findLast findLastIndex forEach reduce reduceRight";
const ARRAY_CALLS_TO_ARRAY = "map filter flatMap toSorted";
const ITERATOR_CALLS = "every some find forEach reduce map filter flatMap";

/** Arrays, maps, sets and iterators: which of their members call something, and which change the receiver. */
export const COLLECTIONS: readonly RowGroup[] = [
  ...pure("", "Array", { returns: "Array" }),
  ...pure("Array.", "of isArray"),
  ...pure("Array.", "from", { calls: [1], returns: "Array" }),
  ...pure("Array.", "fromAsync", { calls: [1], returns: "Array" }),
  ...pure("Array.prototype.", ARRAY_CALLS, CALLS),
  ...pure("Array.prototype.", ARRAY_CALLS_TO_ARRAY, { ...CALLS, returns: "Array" }),
  ...pure(
    "Array.prototype.",
    "at includes indexOf lastIndexOf join keys values entries toString Symbol.iterator",
  ),
  ...pure("Array.prototype.", "concat slice flat toReversed toSpliced with", { returns: "Array" }),
  ...pure("Array.prototype.", "push pop shift unshift", IN_PLACE),
  ...pure("Array.prototype.", "splice fill reverse copyWithin", { ...IN_PLACE, returns: "Array" }),
  ...pure("Array.prototype.", "sort", { ...IN_PLACE, ...CALLS, returns: "Array" }),

  ...pure(
    "",
    "TypedArray ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array Float64Array BigInt64Array BigUint64Array",
  ),
  ...[
    "Int8Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "Int16Array",
    "Uint16Array",
    "Int32Array",
    "Uint32Array",
    "Float32Array",
    "Float64Array",
    "BigInt64Array",
    "BigUint64Array",
  ].flatMap((type) => [
    ...pure(`${type}.`, "of fromBase64 fromHex"),
    ...pure(`${type}.`, "from", { calls: [1] }),
  ]),
  ...pure("TypedArray.prototype.", "subarray toBase64 toHex"),
  ...pure("TypedArray.prototype.", "set setFromBase64 setFromHex", IN_PLACE),
  ...pure("ArrayBuffer.", "isView"),
  ...pure("ArrayBuffer.prototype.", "slice resize transfer transferToFixedLength"),
  ...[
    "Int8",
    "Uint8",
    "Int16",
    "Uint16",
    "Int32",
    "Uint32",
    "Float16",
    "Float32",
    "Float64",
    "BigInt64",
    "BigUint64",
  ].flatMap((kind) => [
    ...pure("DataView.prototype.", `get${kind}`),
    ...pure("DataView.prototype.", `set${kind}`, IN_PLACE),
  ]),

  ...pure("", "Map Set WeakMap WeakSet"),
  ...pure("Map.", "groupBy", { calls: [1], returns: "Map" }),
  ...["Map", "WeakMap"].flatMap((type) => [
    ...pure(`${type}.prototype.`, "get has"),
    ...pure(`${type}.prototype.`, "set delete getOrInsert", IN_PLACE),
    ...pure(`${type}.prototype.`, "getOrInsertComputed", { ...IN_PLACE, calls: [1] }),
  ]),
  ...pure("Map.prototype.", "entries keys values Symbol.iterator", { returns: "Iterator" }),
  ...pure("Map.prototype.", "forEach", CALLS),
  ...pure("Map.prototype.", "clear", IN_PLACE),
  ...["Set", "WeakSet"].flatMap((type) => [
    ...pure(`${type}.prototype.`, "has"),
    ...pure(`${type}.prototype.`, "add delete", IN_PLACE),
  ]),
  ...pure("Set.prototype.", "entries keys values Symbol.iterator", { returns: "Iterator" }),
  ...pure("Set.prototype.", "union intersection difference symmetricDifference", { returns: "Set" }),
  ...pure("Set.prototype.", "isSubsetOf isSupersetOf isDisjointFrom"),
  ...pure("Set.prototype.", "forEach", CALLS),
  ...pure("Set.prototype.", "clear", IN_PLACE),

  ...["Iterator", "AsyncIterator"].flatMap((type) => [
    ...pure(`${type}.`, "from concat zip"),
    ...pure(`${type}.prototype.`, "next return throw", IN_PLACE),
    ...pure(`${type}.prototype.`, "take drop toArray Symbol.iterator Symbol.asyncIterator"),
    ...pure(`${type}.prototype.`, ITERATOR_CALLS, CALLS),
  ]),
];
