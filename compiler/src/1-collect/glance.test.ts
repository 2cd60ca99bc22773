import { expect, test } from "vitest";
import type { Glance } from "../types.js";
import { factsOfSource } from "./facts-of-source.js";

/** The glance at the function `f` of a module that has an `outer`, a `list` and an import. */
function glance(body: string): Glance {
  const text = `import { queue } from "pkg"; let outer = {}; const list = []; function f(own) { ${body} }`;
  return factsOfSource(text).outermost.find(({ name }) => name === "f")!.glance;
}

test.each([
  ["outer = 1"],
  ["outer.a.b = 1"],
  ["(outer as any)!.a = 1"],
  ["outer.count++"],
  ["--outer.count"],
  ["delete outer.a"],
  ["[own, outer.a] = [1, 2]"],
  ["for (outer.a of []) {}"],
  ["this.a = 1"],
  ["return () => { outer ??= 2 }"],
  ["enum E { A }"],
])("%s changes what is outside", (body) => {
  expect(glance(body).assigns).toBe(true);
});

test.each([
  ["own = 1; own.a = 2; own.count++"],
  ["let mine = 1; mine += outer.a"],
  ["return outer.a === 1 && -outer.b"],
  ["make().a = 1"],
])("%s does not", (body) => {
  expect(glance(body).assigns).toBe(false);
});

test("methods are told that are called on what is outside, or that are given it first", () => {
  const { methods } = glance(`list.push(1); list["sort"](); own.add(1); this.items.set(1, 2); make().pop();
    Object.assign(outer, own); Object.freeze(own); own.each(() => list.inner.delete(1));`);
  expect([...methods].sort()).toEqual(["Object.assign", "delete", "push", "set", "sort"]);
});

test("calls of imported names with type arguments are told, others are not", () => {
  expect(glance("return queue<string>()").typedCalls).toBe(true);
  expect(glance("return queue(new Map<string, number>())").typedCalls).toBe(false);
});

test("classes are told, however deep", () => {
  expect(glance("return () => class {}").classes).toBe(true);
  expect(glance("return () => 1").classes).toBe(false);
});

test("a chain of thousands of operators is walked", () => {
  expect(glance(`return ${"own + ".repeat(20_000)}(outer = 1)`).assigns).toBe(true);
});
