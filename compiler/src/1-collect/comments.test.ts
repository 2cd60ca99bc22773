import { expect, test } from "vitest";
import { factsOfSource } from "./facts-of-source.js";

const suppressions = (text: string, path?: string): unknown[] =>
  factsOfSource(text, path).suppressions.map(({ line, rules, reason }) => [line, rules, reason]);

test("a suppression names its rules and its reason and silences the next line of code", () => {
  expect(suppressions("// stepproof-ignore-next-line no-console, no-x -- told so\nlog();")).toEqual([
    [2, ["no-console", "no-x"], "told so"],
  ]);
  expect(suppressions("// stepproof-ignore-next-line no-console\n\n// another comment\nlog();")).toEqual([
    [4, ["no-console"], null],
  ]);
  expect(suppressions("/* stepproof-ignore-next-line no-console -- why */\nlog();")).toEqual([
    [2, ["no-console"], "why"],
  ]);
});

test("a suppression stands in JSX too", () => {
  expect(
    suppressions("const x = <a>\n{/* stepproof-ignore-next-line r -- y */}\n{now()}</a>", "/main.tsx"),
  ).toEqual([[3, ["r"], "y"]]);
});

test("the same words in a string or template are none", () => {
  expect(
    suppressions(
      'f("// stepproof-ignore-next-line r");\n`// stepproof-ignore-next-line ${r} // stepproof-ignore-next-line r`;\n/stepproof-ignore-next-line/;',
    ),
  ).toEqual([]);
});

test("a comment that tells of suppressions is none", () => {
  expect(
    suppressions(
      "/**\n * Write `// stepproof-ignore-next-line r -- why` above.\n */\nlog(); // see // stepproof-ignore-next-line r\n// the mark stepproof-ignore-next-line r\nlog();",
    ),
  ).toEqual([]);
});

test("a function can be declared pure or effectful", () => {
  const { functions } = factsOfSource(`
/** @stepproof pure */ function a() {}
/** Long text.
 * @stepproof effectful */
export const b = () => 1;
class C { /** @stepproof pure */ m() {} }
const o = { /** @stepproof pure */ f: () => 1, g: () => 2 };
// @stepproof pure
export default () => 1;
`);
  const declared = Object.fromEntries(functions.map((fn) => [fn.name, fn.declared]));
  expect(declared).toEqual({
    "(module)": null,
    a: "pure",
    b: "effectful",
    "C.m": "pure",
    f: "pure",
    g: null,
    default: "pure",
  });
});
