import { expect, it } from "vitest";
import { manifestOfSource } from "./testing/manifest-of-source.js";

/** Bodies of steps and conditions that name things by where they are written: namespaces and classes, in and around. */
const FILES = {
  "ids/index.ts": "export const make = (n: number): string => `id-${n}`;",
  "main.ts": `
import { workflow } from "@stepproof/runtime";
import * as ids from "./ids/index.js";
class Rates {
  base = 2;
  of(n: number): number { return n * this.base; }
}
export const orders = workflow({ run: async (ctx) => {
  const order = await ctx.step("order", async () => {
    class Line { constructor(readonly price: number) {} twice(): number { return this.price * 2; } }
    const Other = class extends Line {};
    return { total: new Line(1).twice() + new Other(2).twice(), id: ids.make(7) };
  });
  if (new Rates().of(order.total) > 5 && ids.make(order.total) !== "id-0") await ctx.step("big", async () => ids);
} });`,
};

it("a manifest is the same wherever the project lies, and whatever stands before the code", () => {
  const here = manifestOfSource(FILES);
  expect(manifestOfSource(FILES, "/home/somebody/else")).toEqual(here);
  const moved = Object.entries(FILES).map(([name, text]) => [name, `// A comment.\n\n${text}`]);
  expect(manifestOfSource(Object.fromEntries(moved))).toEqual(here);
});

it("a method of a class in a step's body is part of what the body does", () => {
  const prints = (text: string): unknown =>
    manifestOfSource({ ...FILES, "main.ts": text }).workflows["orders"]?.body[0];
  const changed = FILES["main.ts"].replace("this.price * 2", "this.price * 3");
  expect(changed).not.toBe(FILES["main.ts"]);
  expect(prints(changed)).not.toEqual(prints(FILES["main.ts"]));
});
