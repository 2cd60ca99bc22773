import { expect, test } from "vitest";
import { factsOfSource } from "./facts-of-source.js";
import { printFacts } from "./print-facts.js";

const lowered = (text: string, path?: string): string => `\n${printFacts(factsOfSource(text, path))}\n`;

test("function declarations come first in their block", () => {
  expect(lowered(`run(); if (x) { g(); function g() {} } function run() { return 1 }`)).toBe(`
function run = run() { return 1 }
run()
if x@global
  function g = g() {}
  g()
`);
});

test("loops keep their form, label and parts", () => {
  expect(
    lowered(`
outer: for (let i = 0, n = 3; i < n; i++) { continue outer }
for (const [k, v = 1] of pairs()) k;
for (var key in {}) ;
async function f() { for await (const x of y) { break } }
do { a() } while (b());
while (c()) d();
`),
  ).toBe(`
function f = async f() {
  loop:for-await x of y@global
    break
}
outer: loop:for let i = 0, n = 3 while (i < n) then i += 1
  continue outer
loop:for-of [k, v = 1] of pairs@global()
  k
loop:for-in key of {}
loop:do while b@global()
  a@global()
loop:while while c@global()
  d@global()
`);
});
