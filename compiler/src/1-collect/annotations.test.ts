import { expect, test } from "vitest";
import type { TypeRef } from "../types.js";
import { factsOfSource } from "./facts-of-source.js";

const types = {
  "/types.ts": `import type { WorkflowContextOf } from "rivetkit/workflow"; export class Repo {} interface Base { db: { pool: Repo } } export interface Deps extends Base { ctx: WorkflowContextOf<any>; n: number }`,
};

/** The annotation of `p` in `function f(p: <type>)`. */
function annotated(type: string, before = ""): TypeRef | null {
  const facts = factsOfSource(
    `import type { WorkflowContextOf, LoopContext as LC } from "rivetkit/workflow"; import * as rk from "rivetkit"; import { Repo, type Deps } from "./types";
     type Ctx = WorkflowContextOf<typeof wf>; interface Local { ctx: Ctx } ${before} function f<C extends Ctx>(p: ${type}) {}`,
    "/main.ts",
    types,
  );
  return facts.functions.find(({ name }) => name === "f")!.params[0]!.annotation;
}

test.each([
  ["an imported type", "WorkflowContextOf<typeof wf>", "rivetkit/workflow#WorkflowContextOf"],
  ["a renamed import", "LC", "rivetkit/workflow#LoopContext"],
  ["a member of a namespace", "rk.ActorContext<X>", "rivetkit#ActorContext"],
  ["an alias is followed", "Ctx", "rivetkit/workflow#WorkflowContextOf"],
  ["a type parameter by its constraint", "C", "rivetkit/workflow#WorkflowContextOf"],
  ["null and undefined are taken off", "LC | null | undefined", "rivetkit/workflow#LoopContext"],
  ["the first named part of an intersection", "{ x: 1 } & LC", "null#"],
  ["an import type", `import("pg").Pool`, "pg#Pool"],
  ["a class of the program", "Repo", "/types.ts#Repo"],
  ["an interface of the program", "Deps", "/types.ts#Deps"],
  ["readonly arrays", "readonly Ctx[]", "null#Array"],
  ["a global", "Promise<Ctx>", "null#Promise"],
])("%s", (_law, type, expected) => {
  const ref = annotated(type);
  expect(`${ref?.module ?? "null"}#${ref?.name ?? ""}`).toBe(expected);
});

test("type arguments are named one level deep", () => {
  expect(annotated("Promise<Ctx>")?.args).toEqual(["WorkflowContextOf"]);
  expect(annotated("Ctx[]")?.args).toEqual(["WorkflowContextOf"]);
});

test("classes have their id", () => {
  expect(annotated("Repo")?.classId).toBe(
    `/types.ts:${types["/types.ts"].indexOf("export class").toString()}`,
  );
});

test("function types and keywords say nothing", () => {
  expect(annotated("() => void")).toBeNull();
  expect(annotated("string")).toBeNull();
  expect(annotated("any")).toBeNull();
});

test("object types tell of their members, inherited ones too", () => {
  expect(annotated("{ c: Ctx; n: number }")?.members).toMatchObject({ c: { name: "WorkflowContextOf" } });
  expect(annotated("Deps")?.members?.["ctx"]?.name).toBe("WorkflowContextOf");
  expect(annotated("Deps")?.members?.["db"]?.members?.["pool"]?.name).toBe("Repo");
});

test("a destructured parameter's names have the members' types", () => {
  const facts = factsOfSource(
    `import type { Deps } from "./types"; function f({ ctx, db: { pool } }: Deps) {}`,
    "/main.ts",
    types,
  );
  const type = (name: string): string | undefined =>
    facts.bindings.find((binding) => binding.name === name)!.annotation?.name;
  expect(type("ctx")).toBe("WorkflowContextOf");
  expect(type("pool")).toBe("Repo");
});

test("JSDoc says the types of JavaScript", () => {
  const facts = factsOfSource(
    `/** @typedef {import("rivetkit/workflow").WorkflowContextOf<any>} Ctx */
/** @import { Pool } from "pg" */
/**
 * @param {Ctx} ctx
 * @param {Pool} pool
 * @returns {Promise<Pool>}
 */
export async function f(ctx, pool) { return /** @type {Pool} */ (x) }
/** @type {Pool} */
const p = 1;`,
    "/main.js",
  );
  const fn = facts.functions.find(({ name }) => name === "f")!;
  expect(fn.params.map(({ annotation }) => `${annotation?.module}#${annotation?.name}`)).toEqual([
    "rivetkit/workflow#WorkflowContextOf",
    "pg#Pool",
  ]);
  expect(fn.returnAnnotation).toMatchObject({ module: "pg", name: "Pool" });
  expect(facts.bindings.find(({ name }) => name === "p")!.annotation).toMatchObject({
    module: "pg",
    name: "Pool",
  });
  expect(fn.body[0]).toMatchObject({
    s: "return",
    value: { k: "cast", type: { module: "pg", name: "Pool" } },
  });
});

test("a written return type loses its Promise", () => {
  const facts = factsOfSource(`import { Pool } from "pg"; async function f(): Promise<Pool> {}`);
  expect(facts.functions[1]!.returnAnnotation).toMatchObject({ module: "pg", name: "Pool" });
});

test("types of types are followed to what they are made of, or asked of the checker", () => {
  expect(annotated("Readonly<Ctx>")?.name).toBe("WorkflowContextOf");
  expect(annotated("Omit<LC, 'x'> | null")?.name).toBe("LoopContext");
  const before = "declare function run(repo: Repo, deps: Deps): void; ";
  expect(annotated("Parameters<typeof run>[0]", before)).toMatchObject({ name: "Repo", module: "/types.ts" });
  expect(annotated("Parameters<typeof run>[0]", before)?.classId).toBe(annotated("Repo")?.classId);
  expect(annotated('Deps["db"]')).toBeNull();
});

test("a function that is typed by its place takes its parameters' types from there", () => {
  const first = (text: string, others: Record<string, string> = {}): string | undefined => {
    const facts = factsOfSource(text, "/main.ts", others);
    return facts.functions.find(({ name }) => name === "f")!.params[0]!.annotation?.name;
  };
  const handlers = {
    "/handlers.ts": `import type { WorkflowContextOf } from "rivetkit/workflow";
      export type Handler = (ctx: WorkflowContextOf<any>) => Promise<void>; export interface Called { (ctx: WorkflowContextOf<any>): void }`,
  };
  const imports = `import type { Handler, Called } from "./handlers"; `;
  expect(first(`${imports} const f: Handler = async (ctx) => {};`, handlers)).toBe("WorkflowContextOf");
  expect(first(`${imports} const f: Called = (ctx) => {};`, handlers)).toBe("WorkflowContextOf");
  expect(first(`${imports} const f = (async (ctx) => {}) satisfies Handler;`, handlers)).toBe(
    "WorkflowContextOf",
  );
  const installed = {
    "/node_modules/engine/package.json": `{"name":"engine","types":"index.d.ts"}`,
    "/node_modules/engine/index.d.ts": `export interface StepContext { now(): number } export type Body = (step: StepContext) => void;`,
  };
  expect(first(`import type { Body } from "engine"; const f: Body = (step) => {};`, installed)).toBe(
    "StepContext",
  );
});
