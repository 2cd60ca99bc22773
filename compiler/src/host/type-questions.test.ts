import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { factsOfSources } from "../1-collect/facts-of-source.js";
import type { Expr, FileFacts, MemberDecl, MemberExpr, TypeFacts } from "../types.js";

/** Every member access of a file, in the order of its text. */
function members(facts: FileFacts): MemberExpr[] {
  const found: MemberExpr[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === "object" && value !== null) {
      if ((value as Partial<Expr>).k === "member") found.push(value as MemberExpr);
      Object.values(value).forEach(visit);
    }
  };
  for (const { params, body } of facts.functions) visit([params, body]);
  return found.sort((a, b) => a.span[1] - b.span[1]);
}

/** Who answers: a checker in this process, or a process of TypeScript 7. */
const FRONT_ENDS = {
  "TypeScript 6": undefined,
  "TypeScript 7": {
    folder: fileURLToPath(new URL("../../../fixtures/typescript-7", import.meta.url)),
    onFallback: (message: string): never => {
      throw new Error(message);
    },
  },
} as const;

describe.each(Object.entries(FRONT_ENDS))("asked of %s", (_, native) => {
  /** What `….<property>` stands for, by its first access in `/main.ts`; functions by their name. */
  function declOf(files: Record<string, string>, property: string): MemberDecl | string[] | null {
    const source = factsOfSources(files, native);
    const main = source.file("/main.ts")!;
    const decl = members(main).find((member) => member.property === property)!.decl;
    if (decl?.in !== "program") return decl;
    return decl.functions.map((id) => {
      const file = source.file(id.slice(0, id.lastIndexOf(":")))!;
      return file.functions.find((fn) => fn.id === id)!.name;
    });
  }

  describe("members", () => {
    test("a method of a class stands for itself and its overrides", () => {
      const main = `
      export class Base { price() { return 1 } }
      class Sale extends Base { override price() { return Date.now() } }
      export function f(item: Base) { return item.price() }`;
      expect(declOf({ "/main.ts": main }, "price")).toEqual(["Base.price", "Sale.price"]);
    });

    test("a method of an interface stands for every implementation, classes and literals, in other files too", () => {
      expect(
        declOf(
          {
            "/clock.ts": `export interface Clock { now(): number }
            export const fixed: Clock = { now: () => 5 };`,
            "/main.ts": `import type { Clock } from "./clock.js";
            import { fixed } from "./clock.js";
            class Real implements Clock { now() { return 7 } }
            export function f(clock: Clock) { return clock.now() + fixed.now() }`,
          },
          "now",
        ),
      ).toEqual(["now", "Real.now"]);
    });

    test("a member of the platform is told by its type", () => {
      expect(
        declOf({ "/main.ts": `export const f = (xs: readonly string[]) => xs.map(String)` }, "map"),
      ).toEqual({
        in: "external",
        module: "",
        type: "ReadonlyArray",
        member: "map",
      });
      expect(
        declOf({ "/main.ts": `export const f = (s: string) => s.localeCompare("x")` }, "localeCompare"),
      ).toMatchObject({
        module: "",
        type: "String",
      });
    });

    test("a member of a package's type is told by package, type and, where it is inherited, the type that declares it", () => {
      const files = {
        "/node_modules/shop/package.json": `{"name":"shop","types":"index.d.ts"}`,
        "/node_modules/shop/index.d.ts": `export declare class Base { on(): void } export declare class Client extends Base { query(): void }`,
        "/main.ts": `import type { Client } from "shop"; export function f(c: Client) { c.query(); c.on() }`,
      };
      expect(declOf(files, "query")).toEqual({
        in: "external",
        module: "shop",
        type: "Client",
        member: "query",
      });
      expect(declOf(files, "on")).toEqual({
        in: "external",
        module: "shop",
        type: "Client",
        member: "on",
        declaredIn: { module: "shop", type: "Base" },
      });
    });

    test("types of the runtime count where they are installed and the project names none", () => {
      const files = {
        "/node_modules/@types/node/package.json": `{"name":"@types/node","types":"index.d.ts"}`,
        "/node_modules/@types/node/index.d.ts": `declare module "fs" { export interface Stats { isFile(): boolean } export function statSync(path: string): Stats } declare var process: NodeJS.Process; declare namespace NodeJS { interface Process { cwd(): string } }`,
        "/main.ts": `import { statSync } from "fs"; export const x = [statSync("x").isFile(), process.cwd()];`,
      };
      expect(declOf(files, "isFile")).toEqual({
        in: "external",
        module: "fs",
        type: "Stats",
        member: "isFile",
      });
      expect(declOf(files, "cwd")).toEqual({
        in: "external",
        module: "",
        type: "NodeJS.Process",
        member: "cwd",
      });
      expect(declOf({ ...files, "/tsconfig.json": `{"compilerOptions": {"types": []}}` }, "cwd")).toBeNull();
    });

    test("values of the platform have types", () => {
      for (const [expression, type] of [
        ["fetch('x').then((r) => r.json)", "Response"],
        ["new Blob().text", "Blob"],
        ["new URL('x').searchParams", "URL"],
        ["crypto.randomUUID", "Crypto"],
        ["new Headers().get", "Headers"],
      ] as const) {
        const property = expression.slice(expression.lastIndexOf(".") + 1).replace(")", "");
        const decl = declOf({ "/main.ts": `export const x = ${expression};` }, property);
        expect(decl).toMatchObject({ in: "external", module: "", type });
      }
    });

    test("nothing is known of any", () => {
      expect(declOf({ "/main.ts": `export const f = (x: any) => x.y` }, "y")).toBeNull();
    });
  });

  /** The type of what the first function that `name` names gives. */
  function returned(text: string, name = "f"): TypeFacts {
    const facts = factsOfSources({ "/main.ts": text }, native).file("/main.ts")!;
    return facts.functions.find((fn) => fn.name === name)!.returnType!;
  }

  describe("types as a recorder sees them", () => {
    test("text depends on what a type is, not on its names", () => {
      expect(
        returned(`interface Line { sku: string; price?: number | null } type Lines = Line[];
        export async function f(): Promise<{ lines: Lines; at: Date; tags: Map<string, "b" | "a"> } | undefined> { return undefined }`)
          .text,
      ).toBe(
        `{ at: Date; lines: { price?: number | null; sku: string }[]; tags: Map<string, "a" | "b"> } | undefined`,
      );
    });

    test("functions, class instances and platform objects are hazards, at their path", () => {
      const { hazards } = returned(`class Money { constructor(readonly cents: number) {} }
      export async function f() {
        return { total: new Money(1), later: [() => 1], page: await fetch("x"), id: Symbol("x"), raw: new Uint8Array(1), seen: new WeakMap<object, 1>(), next: Promise.resolve(1) };
      }`);
      expect(hazards.map(({ path, kind, typeName }) => `${path} ${kind} ${typeName}`)).toEqual([
        "id symbol symbol",
        "later[] function function",
        "next promise Promise",
        "page response Response",
        "raw bytes Uint8Array",
        "seen weak WeakMap",
        "total class Money",
      ]);
    });

    test("a body without a value is void, whether the checker is asked or not", () => {
      const asked = `export async function f(): Promise<void> { g() }`;
      for (const body of [
        "g()",
        "if (g()) return; g()",
        "for (;;) { [1].map(() => { return 2 }) ; break }",
      ]) {
        expect(returned(`export async function f() { ${body} }`)).toEqual(returned(asked));
      }
      expect(returned(`export const f = () => { throw new Error("x") };`).text).toBe("never");
      expect(returned(`export function f() { try { return 1 } catch { return } }`).text).toBe(
        "1 | undefined",
      );
    });

    test("a type with a parent is a cycle, a tree of children is none", () => {
      const types = `interface Up { name: string; parent: Up | null; children: Up[] } interface Tree { children: Tree[] } type Json = string | null | Json[] | { [k: string]: Json };`;
      const hazards = (type: string): string[] =>
        returned(`${types} export declare const x: ${type}; export function f() { return x }`).hazards.map(
          ({ path, kind }) => `${path} ${kind}`,
        );
      expect(hazards("Up")).toEqual(["parent cycle"]);
      expect(hazards("Tree")).toEqual([]);
      expect(hazards("Json")).toEqual([]);
    });

    test("data that is recorded as it is has no hazard", () => {
      expect(
        returned(
          `export function f() { return { a: 1n, b: new Date(0), c: new Map([["k", [1, "x"]]]), d: new Error("x"), e: undefined as string | undefined } }`,
        ).hazards,
      ).toEqual([]);
    });

    test("a promise is what it promises, a union of promises the union, a thenable what it calls back with", () => {
      const text = (type: string): string =>
        returned(`interface Later { then(done: (value: 1 | 2) => void, failed: (why: unknown) => void): void }
        export declare const x: ${type}; export function f() { return x }`).text;
      expect(text("Promise<Promise<string>>")).toBe("string");
      expect(text("Promise<string> | number | undefined")).toBe("number | string | undefined");
      expect(text("Promise<string> | string")).toBe("string");
      expect(text("Later")).toBe("1 | 2");
      expect(text("{ then: 5 }")).toBe("{ then: 5 }");
      expect(text("any")).toBe("any");
    });

    test.each([
      ["<T>(x: T) { return x }", "Awaited<T>"],
      ["<T>(x: T | undefined) { return x }", "Awaited<T> | undefined"],
      ["<T>(x: () => Promise<T>) { return x() }", "Awaited<T>"],
      ["<T>(x: Awaited<T>) { return x }", "Awaited<T>"],
      ["<T, K extends keyof T>(x: T, k: K) { return x[k] }", "Awaited<T[K]>"],
      ["<T extends unknown>(x: T) { return x }", "any"],
      ["<T extends object>(x: T) { return x }", "object"],
      ["<T extends {}>(x: T) { return { x, y: await x } }", "{ x: {}; y: {} }"],
      ["<S extends string>(x: S) { return x }", "string"],
      ["<T extends { a: number; f(): void }>(x: T) { return x }", "{ a: number; f: function }"],
      ["<T extends Promise<Date>>(x: T) { return x }", "Date"],
      ["<T extends string | Promise<string>>(x: T) { return x }", "string"],
      ["<T extends PromiseLike<number> | { a: 1 }>(x: T) { return x }", "number | { a: 1 }"],
      ["<T>(x: T extends string ? 1 : Promise<2>) { return x }", "1 | 2"],
      ["<T extends unknown[]>(x: T) { return x }", "unknown[]"],
      ["<T>(x: T[]) { return x }", "T[]"],
      ["<T extends PromiseLike<T>>(x: T) { return x }", "Awaited<T>"],
      [
        "<T extends object, K extends keyof T>(x: T, k: K, f: (y: T[K]) => T[K]) { return f(x[k]) }",
        "Awaited<T[K]>",
      ],
      ["<T extends (...of: never[]) => unknown>(x: T) { return (await x()) as ReturnType<T> }", "any"],
      ["<T extends (...of: never[]) => unknown>(x: ReturnType<T>) { return x }", "any"],
      ["(x: `id-${string}`) { return x }", "`id-${string}`"],
      ["<T extends string>(x: `id-${T}`) { return x }", "`id-${string}`"],
      ["<T>(x: keyof T) { return x }", "number | string | symbol"],
      ["<T>(x: { [K in keyof T]: T[K] }) { return x }", "{}"],
    ])("what is awaited of what a type parameter makes open: %s", (fn, text) => {
      expect(returned(`export async function f${fn}`).text).toBe(text);
    });

    test("keys that are symbols are no part of a type's text", () => {
      expect(returned(`export function f() { return { [Symbol.iterator]: 1, a: 1 } }`).text).toBe(
        "{ a: number }",
      );
    });

    test("a member of a union of the platform's types is told by the first of these by name", () => {
      expect(declOf({ "/main.ts": `export const f = (x: Set<1> | Map<1, 2>) => x.size` }, "size")).toEqual({
        in: "external",
        module: "",
        type: "Map",
        member: "size",
      });
    });

    test("what only an index signature allows is declared nowhere", () => {
      const files = {
        "/node_modules/shop/package.json": `{"name":"shop","types":"index.d.ts"}`,
        "/node_modules/shop/index.d.ts": `export interface Shelf { [name: string]: () => void }`,
        "/main.ts": `import type { Shelf } from "shop"; export function f(shelf: Shelf) { shelf.apples() }`,
      };
      expect(declOf(files, "apples")).toBeNull();
    });

    test("a switch is exhaustive when its cases are all that its value can be", () => {
      const exhaustive = (cases: string): boolean => {
        const facts = factsOfSources(
          { "/main.ts": `export function f(x: "a" | "b" | 3) { switch (x) { ${cases} } }` },
          native,
        ).file("/main.ts")!;
        const found = facts.functions.find(({ name }) => name === "f")!.body!;
        return found.some((stmt) => stmt.s === "switch" && stmt.exhaustive);
      };
      expect(exhaustive(`case "a": case "b": break; case 3: break;`)).toBe(true);
      expect(exhaustive(`case "a": case "b": break;`)).toBe(false);
      expect(exhaustive(`case "a": case "b": break; default:`)).toBe(false);
    });

    test("places are the same in text beyond ASCII", () => {
      expect(
        declOf(
          { "/main.ts": `// ünïcode 🎉\nexport const f = (größe: readonly string[]) => größe.map(String)` },
          "map",
        ),
      ).toEqual({ in: "external", module: "", type: "ReadonlyArray", member: "map" });
    });
  });
});
