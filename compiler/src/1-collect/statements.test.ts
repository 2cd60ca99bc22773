import { expect, test } from "vitest";
import { factsOfSource } from "./facts-of-source.js";
import { printFacts } from "./print-facts.js";

const lowered = (text: string, path?: string): string => printFacts(factsOfSource(text, path));

const cases: readonly (readonly [law: string, source: string, facts: string])[] = [
  [
    "function declarations come first in their block",
    `if (1) { g(); function g() {} }`,
    `
if 1
  function g = g() {}
  g()`,
  ],
  [
    "if, else if, else",
    `if (1) 2; else if (3) 4; else { 5 }`,
    "\nif 1\n  2\nelse\n  if 3\n    4\n  else\n    5",
  ],
  [
    "a for loop keeps its label and parts",
    `a: for (let i = 0, n = 3; i < n; i++) { continue a }`,
    "\na: loop:for let i = 0, n = 3 while (i < n) then i += 1\n  continue a",
  ],
  [
    "for-of destructures, for-in declares",
    `for (const [k, v = 1] of []) k; for (var key in {}) ;`,
    "\nloop:for-of [k, v = 1] of []\n  k\nloop:for-in key of {}",
  ],
  ["for-of can assign", `let x; for (x of []) x`, "\nlet x\nloop:for-of x of []\n  x"],
  ["for-await", `for await (const x of []) { break }`, "\nloop:for-await x of []\n  break"],
  ["while and do", `while (1) 2; do { 3 } while (4)`, "\nloop:while while 1\n  2\nloop:do while 4\n  3"],
  ["an endless for has no parts", `for (;;) {}`, "\nloop:for"],
  [
    "switch cases share a scope and know their default",
    `switch (1) { case 2: let q = 1; break; case 3: default: q }`,
    "\nswitch 1\ncase 2\n  let q = 1\n  break\ncase 3\ndefault\n  q",
  ],
  [
    "try with pattern, without parameter, with finally",
    `try { 1 } catch ({ message: m }) { m } finally { 2 } try { 3 } catch { 4 }`,
    "\ntry\n  1\ncatch {message: m}\n  m\nfinally\n  2\ntry\n  3\ncatch\n  4",
  ],
  [
    "labels make a block where nothing else can bear them",
    `a: { break a } b: 1`,
    "\na: block\n  break a\nb: block\n  1",
  ],
  ["using", `using r = 1; await using s = 2;`, "\nusing r = 1\nawait using s = 2"],
  ["throw", `throw new Error("x")`, `\nthrow new Error@global("x")`],
  [
    "destructuring with defaults, renames and rest",
    `const { a: { b = 1 }, ["k"]: c, ...rest } = {}; const [x, , ...y] = [];`,
    "\nconst {a: {b: b = 1}, k: c, ...rest} = {}\nconst [x, , ...y] = []",
  ],
  [
    "parameters have patterns, defaults and rest",
    `function f({ a, b: [c] }, d = Date.now(), ...e) {}`,
    "\nfunction f = f({a: a, b: [c]}, d = Date@global.now(), ...e) {}",
  ],
  [
    "enums are constant objects that count on",
    `enum E { A, B = 5, C, D = A | B }`,
    "\nconst E = {A: 0, B: 5, C: 6, D: (E.A | E.B)}",
  ],
  [
    "namespaces are objects of what they export",
    `namespace N { export const v = 1; export function f() { return v } const hidden = 2; export type T = 1 }`,
    "\nblock\n  function f = f() { return v }\n  const v = 1\n  const hidden = 2\n  const N = {v: v, f: f}",
  ],
  [
    "a namespace that is merged adds to what is there",
    `function f() {} namespace f { export const extra = 1 }`,
    "\nfunction f = f() {}\nblock\n  const extra = 1\n  f.extra = extra",
  ],
  [
    "declarations without values are gone",
    `declare const d: string; declare function f(): void; type T = 1; interface I {} declare module "x" {}`,
    "\n",
  ],
];

test.each(cases)("%s", (_law, source, facts) => {
  expect(`\n${lowered(source)}`).toBe(facts);
});

test("var belongs to the function, let to its block", () => {
  const facts = factsOfSource(`function f() { if (1) { var v = 1; let l = 2 } return [v, l] }`);
  expect(printFacts(facts)).toContain("return [v, l@global]");
});

test("an inner name hides the outer one", () => {
  const { bindings } = factsOfSource(`const ctx = 1; const f = (ctx) => { { const ctx = 2; } return ctx };`);
  expect(bindings.filter(({ name }) => name === "ctx").map(({ kind }) => kind)).toEqual([
    "const",
    "param",
    "const",
  ]);
});

test("two declarations of one var are one binding", () => {
  expect(factsOfSource(`var a = 1; var a = 2;`).bindings).toHaveLength(1);
});

test("bindings know their kind and the function that declares them", () => {
  const facts = factsOfSource(`let a = 1; function f(p) { try {} catch (e) {} class K {} }`);
  const name = (id: string): string | undefined => facts.functions.find((fn) => fn.id === id)?.name;
  expect(
    facts.bindings.map((binding) => `${binding.kind} ${binding.name} in ${name(binding.owner)}`).sort(),
  ).toEqual(["catch e in f", "class K in f", "function f in (module)", "let a in (module)", "param p in f"]);
});

test("spans are offsets of the thing without comments, end exclusive", () => {
  const text = `/* c */ async function load(id) { return id }`;
  const fn = factsOfSource(text).functions.find(({ name }) => name === "load")!;
  expect(text.slice(...fn.span)).toBe("async function load(id) { return id }");
  expect(text.slice(...fn.nameSpan)).toBe("load");
});

test("a chain points at an arrow's parameters", () => {
  const text = `const f = async (a, b) => { a() };`;
  const fn = factsOfSource(text).functions.find(({ name }) => name === "f")!;
  expect(text.slice(...fn.nameSpan)).toBe("async (a, b) =>");
});
