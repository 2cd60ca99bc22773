import { expect, test } from "vitest";
import type { FunctionFacts } from "../types.js";
import { factsOfSource } from "./facts-of-source.js";

const others = {
  "/orders.ts": `
    export interface Line { readonly sku: string; price: number; tags?: readonly string[] }
    export interface Order { id: string; lines: readonly Line[]; status: Status; meta: Record<string, string | number>; paid: Date }
    export type Status = "open" | "paid" | null;
    export class Store { count = 1; all() { return [] } }
    export interface Cart { store: Store }`,
};

/** `f`, with this written return type. */
function returning(type: string): FunctionFacts {
  const facts = factsOfSource(
    `import type { Line, Order, Status, Cart } from "./orders"; import { Store } from "./orders"; import type { Pool } from "pg";
     interface Twice { a: string } interface Twice { b(): void }
     interface Grown extends Order { send(): void } interface Node { value: number; next: Node | null }
     interface Call { (): void } type Box<T> = { value: T }; enum Level { low, high }
     function f(): ${type} { throw 1 }`,
    "/main.ts",
    others,
  );
  return facts.functions.find(({ name }) => name === "f")!;
}

const DATA = [
  "string",
  "void",
  '"a" | 1 | true | null | undefined',
  "(string | number)[]",
  "readonly Line[]",
  "[string, Order]",
  "Order",
  "Status",
  "{ a: number; readonly b?: Order; 'c d': unknown; [key: string]: any }",
  "Record<string, Order>",
  "Map<string, Set<Date>>",
  "Partial<Order>",
];
const UNSURE = [
  "symbol",
  "() => void",
  "{ run(): void }",
  "{ get a(): () => void }",
  "{ deep: { of: (() => void)[] } }",
  "Store",
  "Cart",
  "Grown",
  "Twice",
  "Node",
  "Call",
  "Box<() => void>",
  "Box<string>",
  "Level",
  "Pool",
  "Response",
  "Promise<string>[]",
  "Order & { send(): void }",
  "Order[keyof Order]",
  "keyof Order",
  "Pick<string, 'at'>",
  "Parameters<typeof f>",
  "typeof globalThis",
  "unique symbol",
];

test.each(DATA)("%s is read to be data, which the type checker confirms", (type) => {
  const plain = returning(type);
  expect([plain.writtenReturn, plain.returnType?.hazards]).toEqual(["data", []]);
  const promised = returning(`Promise<${type}>`);
  expect([promised.writtenReturn, promised.returnType?.hazards]).toEqual(["promise", []]);
});

test.each(UNSURE)("%s is left to the type checker", (type) => {
  expect(returning(type).writtenReturn).toBe("unsure");
  expect(returning(`Promise<${type}>`).writtenReturn).toBe("unsure");
});

test.each([
  ["a type of the file's own hides the global one", "class Date { f() {} } export function f(): Date {}"],
  ["so does a Promise", "interface Promise<T> { f(): T } export function f(): Promise<string> {}"],
  [
    "overloads say what callers get",
    "export function f(a: 1): () => void; export function f(a: 2): string; export function f(): string { return '' }",
  ],
  [
    "overloads in a block",
    "{ function f(a: 1): () => void; function f(a: 2): string; function f(): string { return '' } }",
  ],
  ["a type parameter", "export function f<T>(a: T): T { return a }"],
  ["a type predicate", "export function f(a: unknown): a is string { return true }"],
])("%s: left to the type checker", (_law, text) => {
  const functions = factsOfSource(text, "/main.ts", {}).functions.filter(({ name }) => name === "f");
  expect(functions.at(-1)?.writtenReturn).toBe("unsure");
});

test("what is not written is null", () => {
  const [, f] = factsOfSource("export const f = () => 1", "/main.ts", {}).functions;
  expect(f?.writtenReturn).toBeNull();
});
