import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeRecord, decodeValue, encodeRecord, encodeValue } from "./codec.js";
import { decodeEntry } from "./entry.js";
import { CorruptRecordError, SerializationError } from "./errors.js";
import { iterationSegment, nameSegment, orderedNumber, readSegment } from "./names.js";

/** Through text, as a record goes. */
const roundTrip = (value: unknown): unknown =>
  decodeValue(decodeRecord("host", encodeRecord("host", [encodeValue(value, "The value")]), "i", "k")[0]);

describe("§4.14 values come back", () => {
  const error = Object.assign(new RangeError("far", { cause: new Error("inner") }), {
    code: "E_FAR",
    detail: { at: [1n] },
  });
  const values: readonly (readonly [string, unknown])[] = [
    ["JSON", { a: [1, "x", true, null, { b: {} }], "": 0 }],
    ["undefined, alone and inside", { a: undefined, b: [undefined, 1] }],
    ["NaN, infinities and -0", [NaN, Infinity, -Infinity, -0, 1e308, 5e-324]],
    ["BigInt", [0n, -12345678901234567890n]],
    ["Date, also an invalid one", [new Date(0), new Date(-8.64e15), new Date(NaN)]],
    [
      "Map and Set, nested, with any keys",
      new Map<unknown, unknown>([
        [{ a: 1 }, new Set([1n, new Map([["x", undefined]])])],
        [NaN, -0],
      ]),
    ],
    [
      "typed arrays and buffers",
      [
        new Uint8Array([1, 2, 255]),
        new Float64Array([NaN, 1.5]),
        new BigInt64Array([-1n]),
        new Uint16Array([1, 65535]),
        new ArrayBuffer(3),
        new DataView(new ArrayBuffer(2)),
        new Int8Array(0),
      ],
    ],
    ["large bytes", new Uint8Array(100_000).fill(7)],
    ["objects that look like tags", { $: ["Date", 0], nested: { $ref: 1 } }],
    ["a key named __proto__", JSON.parse('{"__proto__": {"x": 1}, "a": 2}')],
    ["odd strings", ["\u0000", "\uD800", "\u{1F600}", "\u2028", '"\\']],
  ];
  for (const [what, value] of values)
    test(what, () => {
      expect(roundTrip(value)).toStrictEqual(value);
    });

  test("Error data: name, message, stack, cause and own properties", () => {
    const back = roundTrip(error) as typeof error;
    expect(back).toBeInstanceOf(Error);
    expect([back.name, back.message, back.code, back.detail, back.stack]).toEqual([
      "RangeError",
      "far",
      "E_FAR",
      { at: [1n] },
      error.stack?.slice(0, 2000),
    ]);
    expect((back.cause as Error).message).toBe("inner");
  });

  test("class instances lose their class and keep their fields", () => {
    class Point {
      constructor(
        readonly x: number,
        readonly y: Date,
      ) {}
      get sum(): number {
        return this.x;
      }
    }
    expect(roundTrip(new Point(1, new Date(2)))).toStrictEqual({ x: 1, y: new Date(2) });
    expect(roundTrip(new URL("https://example.com/a"))).toBe("https://example.com/a");
    expect(roundTrip(Buffer.from([1, 2]))).toStrictEqual(new Uint8Array([1, 2]));
  });

  test("a decoded value shares nothing with the original", () => {
    const original = { list: [1], at: new Date(1), bytes: new Uint8Array([1]) };
    const back = decodeValue(encodeValue(original, "x")) as typeof original;
    original.list.push(2);
    original.at.setTime(5);
    original.bytes[0] = 9;
    expect(back).toStrictEqual({ list: [1], at: new Date(1), bytes: new Uint8Array([1]) });
  });

  test("anything that fast-check thinks of", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withDate: true,
          withMap: true,
          withSet: true,
          withBigInt: true,
          withTypedArray: true,
          withNullPrototype: false,
          withSparseArray: false,
          withObjectString: true,
        }),
        (value) => {
          expect(roundTrip(value)).toEqual(value);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("§4.14 values that can't be kept are refused, naming the property", () => {
  const cycle: Record<string, unknown> = { list: [] };
  (cycle["list"] as unknown[]).push({ again: cycle });
  const values: readonly (readonly [string, unknown, string])[] = [
    ["a function", { a: [1, { go: () => 1 }] }, 'value.a[1].go is the function "go"'],
    ["a symbol", [Symbol("x")], "value[0] is a symbol"],
    ["a cycle", cycle, "value.list[0].again contains itself"],
    ["a promise", { p: Promise.resolve(1) }, "value.p is a Promise"],
    ["a Response", new Response("x"), "value is a Response"],
    ["a stream", { s: new ReadableStream() }, "value.s is a ReadableStream"],
    ["a WeakMap", new WeakMap(), "value is a WeakMap"],
    ["a RegExp", { r: /x/ }, "value.r is a RegExp"],
    ["a value in a Map", new Map([["k", () => 1]]), "value.k is a function"],
    [
      "a generator",
      {
        g: (function* () {
          yield 1;
        })(),
      },
      "value.g is a Generator",
    ],
  ];
  for (const [what, value, message] of values) {
    test(what, () => {
      const encode = (): unknown => encodeValue(value, "The output of step", "l/~10/s");
      expect(encode).toThrow(SerializationError);
      expect(encode).toThrow(`The output of step "l/~0/s" can't be recorded: ${message}`);
    });
  }

  test("something nested without end", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 10_000; i++) deep = [deep];
    expect(() => encodeValue(deep, "The value")).toThrow("nested more than 200 levels deep");
  });
});

describe("records", () => {
  test("of another kind, cut, altered or newer are refused", () => {
    const text = encodeRecord("entry", [1, "two"]);
    expect(decodeRecord("entry", text, "i", "k")).toEqual([1, "two"]);
    for (const bad of [
      text.slice(0, -1),
      text.replace("two", "tvo"),
      `z${text.slice(1)}`,
      "",
      "1:",
      "garbage",
      encodeRecord("message", [1]),
    ]) {
      expect(() => decodeRecord("entry", bad, "i", "k")).toThrow(CorruptRecordError);
      expect(() => decodeRecord("entry", bad, "inst", "h/x")).toThrow('Record "h/x" of instance "inst"');
    }
  });

  test("of the first version are read", () => {
    // Written by the first version: a loop in its third turn, a message that waits.
    const loop = '119ovxxb:["e",1,0,1,1764466800000,0,2,"state"]';
    expect(decodeEntry(loop, "i", "h/l")).toMatchObject({ kind: "loop", detail: 2, value: "state" });
    const message = '11wx7knh:["m",5,"id","q",1764466800000,{"a":1}]';
    expect(decodeRecord("message", message, "i", "q/15")).toEqual([5, "id", "q", 1764466800000, { a: 1 }]);
  });

  test("any cut is seen", () => {
    const text = encodeRecord("entry", [{ a: "x".repeat(50) }]);
    for (let end = 0; end < text.length; end++)
      expect(() => decodeRecord("entry", text.slice(0, end), "i", "k")).toThrow(CorruptRecordError);
  });
});

describe("names", () => {
  test("ordered numbers sort as numbers", () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (a, b) => {
        expect(orderedNumber(a) < orderedNumber(b)).toBe(a < b);
      }),
    );
  });

  test("segments are apart for different names, are read back, and never look like an iteration", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 30 }), (name) => {
        fc.pre(!/\p{Surrogate}/u.test(name));
        const segment = nameSegment(name);
        expect(segment).not.toMatch(/\/|^~/);
        expect(readSegment(segment)).toBe(name);
      }),
    );
    for (const name of ["~", "~1", "a~", "%", "%41", "a/b", "\0", "\n", "\x7f", "\x80", "\x9f", "é", "😀"])
      expect(readSegment(nameSegment(name))).toBe(name);
    expect(readSegment(iterationSegment(1234))).toBe(1234);
  });
});
