/** Methods of arrays, texts, collections, promises and functions, whose meaning the solver knows itself. */
export const BUILTIN_METHODS: ReadonlySet<string> = new Set(
  (
    "call apply bind then catch finally " +
    "map forEach filter some every find findIndex findLast findLastIndex flatMap reduce reduceRight sort toSorted " +
    "push unshift splice toSpliced pop shift at slice concat reverse toReversed flat with fill copyWithin join includes " +
    "indexOf lastIndexOf entries keys values get set has add delete clear forEach union intersection difference " +
    "replace replaceAll split trim trimStart trimEnd toLowerCase toUpperCase padStart padEnd startsWith endsWith " +
    "substring substr charAt charCodeAt codePointAt match matchAll search repeat normalize concat " +
    "toString toFixed toPrecision valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable " +
    "next return throw toArray take drop"
  ).split(" "),
);
