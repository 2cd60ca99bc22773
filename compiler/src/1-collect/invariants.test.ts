import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openProject } from "../host/open-project.js";
import type { FileFacts } from "../types.js";
import { createFactsSource } from "./facts-source.js";
import { factsOfSource } from "./facts-of-source.js";

const here = fileURLToPath(new URL("..", import.meta.url))
  .replaceAll("\\", "/")
  .replace(/\/$/, "");

/** What is wrong with the facts of a file: ids that are not unique or lead nowhere, spans outside what holds them. */
function faults(facts: FileFacts): string[] {
  const found: string[] = [];
  const functions = new Set(facts.functions.map(({ id }) => id));
  const classes = new Set(facts.classes.map(({ id }) => id));
  const bindings = new Set(facts.bindings.map(({ id }) => id));
  if (functions.size !== facts.functions.length) found.push("functions share an id");
  if (classes.size !== facts.classes.length) found.push("classes share an id");
  if (bindings.size !== facts.bindings.length) found.push("bindings share an id");
  const own = (id: string): boolean => id.startsWith(`${facts.path}:`);
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    const node = value as Record<string, unknown> & {
      span?: [number, number];
      id?: string;
      ref?: { to: string; id?: string };
    };
    if (node["k"] === "function" && !functions.has(node.id!)) found.push(`no function ${node.id!}`);
    if (node["k"] === "class" && !classes.has(node.id!)) found.push(`no class ${node.id!}`);
    if (node["p"] === "binding" && own(node.id!) && !bindings.has(node.id!))
      found.push(`no binding ${node.id!}`);
    if (
      node["k"] === "name" &&
      node.ref?.to === "binding" &&
      own(node.ref.id!) &&
      !bindings.has(node.ref.id!)
    ) {
      found.push(`no binding ${node.ref.id!} for ${String(node["name"])}`);
    }
    if (node.span !== undefined && (node.span[0] > node.span[1] || node.span[0] < 0))
      found.push(`span ${node.span.join()}`);
    Object.values(node).forEach(visit);
  };
  visit(facts.functions);
  for (const { params, body } of facts.functions) visit([params, body]);
  visit(facts.classes);
  return found;
}

test("in the facts of real code every id is unique and leads somewhere", () => {
  const source = createFactsSource(
    openProject({ cwd: here, paths: ["host", "1-collect"], engineModules: [""] }),
  );
  expect(source.roots.length).toBeGreaterThan(50);
  for (const path of source.roots) {
    const facts = source.file(path)!;
    expect(facts.syntaxErrors, path).toEqual([]);
    expect(faults(facts), path).toEqual([]);
  }
});

test("the same holds for JavaScript of packages", () => {
  const source = createFactsSource(openProject({ cwd: here, paths: ["types.ts"], engineModules: [""] }));
  const packages = ["commander", "picocolors", "magic-string", "ajv", "ws", "fast-check"];
  const entries = packages
    .map((name) => source.packageFile(name, `${here}/types.ts`))
    .filter((entry) => entry !== null);
  expect(entries.length).toBeGreaterThan(3);
  for (const { file } of entries) {
    const folder = file.slice(0, file.lastIndexOf("/"));
    for (const name of readdirSync(folder).filter((one) => /\.[cm]?js$/.test(one))) {
      expect(faults(source.file(`${folder}/${name}`)!), `${folder}/${name}`).toEqual([]);
    }
  }
});

test("facts grow with the text, not faster", () => {
  const size = (copies: number): number => {
    const part = (at: number): string =>
      `export async function f${at.toString()}(a, { b, c: [d] }) { for (const x of a) { if (x.y > ${at.toString()}) await b.step("n", async (s) => s.z(d, () => x)); } }`;
    const text = Array.from({ length: copies }, (_, at) => part(at)).join("\n");
    return JSON.stringify(factsOfSource(text)).length / text.length;
  };
  expect(size(500)).toBeLessThan(size(50) * 1.1);
});
