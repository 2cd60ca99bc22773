import { expect, test } from "vitest";
import { factsOfSource } from "./facts-of-source.js";
import { printFacts } from "./print-facts.js";

const lowered = (text: string): string => printFacts(factsOfSource(text));

test("members, fields, accessors, overloads and abstract methods", () => {
  expect(
    lowered(`
abstract class A {
  static count = 0; #priv = 1; declare z: string; q?: Pool;
  handler = async () => { this.#priv }
  get g() { return 1 } set g(v) {}
  static async make() { return new A() }
  abstract foo(): void;
  over(a: string): void; over(a: any) { super.over(a) }
  ["lit"]() {}
}`),
  ).toBe(`class A = A {
  static field count = 0
  field #priv = 1
  field q: Pool
  field handler = async A.handler() => {
    this.#priv
  }
  get g = A.g() { return 1 }
  set g = A.g(v) {}
  static method make = async A.make() { return new A() }
  method foo
  method over = A.over(a) {
    super.over(a)
  }
  method lit = A.lit() {}
}`);
});

test("parameter properties are fields with the argument's value", () => {
  expect(
    lowered(
      `class A extends B { constructor(private db: Pool, plain: string, readonly now = Date.now()) { super() } }`,
    ),
  ).toBe(`class A = A extends B@global {
  A.constructor(db: Pool, plain, now = Date@global.now()) {
    super()
  }
  field db: Pool = db
  field now = now
}`);
});

test("static blocks and computed names run when the class is defined", () => {
  expect(lowered(`class A { static { A.x = 1 } [key()]() {} }`)).toBe(`class A = A {
  static field (static block) = A.static() {
    A.x = 1
  }()
  static field (computed name) = key@global()
  method (computed) = A.(computed)() {}
}`);
});

test("decorators are called on the class", () => {
  expect(lowered(`@dec(1) class A { @log m() {} }`)).toBe(`class A = A {
  method m = A.m() {}
}
dec@global(1)(A)
log@global(A)`);
});

test("what a class extends and implements, across files and packages", () => {
  const facts = factsOfSource(
    `import * as events from "node:events"; import { Port as P } from "./port"; import { Base } from "./port";
     class A extends events.EventEmitter {} class B extends Base implements P, Disposable {}`,
    "/main.ts",
    { "/port.ts": "export interface Port {} export class Base {}" },
  );
  expect(printFacts(facts)).toBe(`class A = A extends events@events#*.EventEmitter {
}
class B = B extends Base@/port.ts:38 implements Port@/port.ts, Disposable {
}`);
});

test("class expressions take the name they are given to, or their own", () => {
  expect(
    factsOfSource(`const A = class {}; const B = class C { static self = C };`).classes.map(
      ({ name }) => name,
    ),
  ).toEqual(["A", "C"]);
});

test("a function in a field belongs to the constructor", () => {
  const facts = factsOfSource(`class A { f = () => this.x; constructor() {} }`);
  const arrow = facts.functions.find(({ arrow: isArrow }) => isArrow)!;
  expect(arrow.owner).toBe(facts.classes[0]!.constructorId);
  expect(arrow.classId).toBe(facts.classes[0]!.id);
});
