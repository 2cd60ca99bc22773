import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import type { Parser } from "../../compiler/src/host/typescript.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const parser = createRequire(import.meta.url)(join(ROOT, "compiler/dist/typescript/parser.cjs")) as Parser;

const files = ["fixtures", "compiler/src/host", "runtime/src/engine"].flatMap((folder) =>
  ts.sys.readDirectory(
    join(ROOT, folder),
    [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json"],
    ["**/node_modules"],
  ),
);

/** Constructs that no fixture may hold, and texts that do not parse. */
const MORE: Readonly<Record<string, string>> = {
  "decorated.ts":
    "@a() export abstract class C<in out T> extends (B as any)<T> { @b accessor x?: 1; static { } declare y; }",
  "types.ts":
    "type A = { readonly [K in keyof B as `x${K}`]-?: B[K] extends infer U extends string ? U : asserts x is 1 }; let a = <const T,>(x: T) => x satisfies T;",
  "enums.ts":
    "declare module 'x' { const enum E { A = 1 << 2, B = `b` } export = E } declare global { var g: unique symbol }",
  "regexp.js": "const r = /(?<year>\\d{4})[\\p{L}--q]/dv; label: for await (const x of y) { continue label }",
  "view.tsx": "const v = <A.B {...p} x:y='1'>{/* c */}{...q}text &amp; <></></A.B>;",
  "jsdoc.js":
    "/** @template T @param {T[]} [a=1] - x @returns {Promise<T>} @type {import('x').Y} */ export async function* f(a) { using x = await a; }",
  "broken.ts": "function f( { class { get } if ( => 1 + ; `${ } <<<<<<< HEAD\n x y z",
  "broken.tsx": "<a><b></a>; const x = <T>(y) => ",
  "hash.ts":
    "#!/usr/bin/env node\n/// <reference types='node' />\nimport type { A } from './a' with { type: 'json' }; export * as b from 'b'; import c = require('c'); export = c;",
};

const HOW = [
  { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
  { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeInfo },
];

/** Where two values differ, by all that they hold themselves; trees name their parents, so each node is entered once. */
function difference(a: unknown, b: unknown, at: string, seen = new Set<unknown>()): string | null {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null)
    return Object.is(a, b) || (typeof a === "function" && typeof b === "function")
      ? null
      : `${at}: ${String(a)} and ${String(b)}`;
  if (seen.has(a)) return null;
  seen.add(a);
  if (a instanceof Map && b instanceof Map) return difference([...a], [...b], at, seen);
  if (a instanceof Set && b instanceof Set) return difference([...a], [...b], at, seen);
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  if (keys.join() !== others.join()) return `${at}: has ${keys.join()} and ${others.join()}`;
  for (const key of keys) {
    const found = difference(a[key as keyof object], b[key as keyof object], `${at}.${key}`, seen);
    if (found !== null) return found;
  }
  return null;
}

function starts(tree: ts.SourceFile): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    found.push(`${node.getStart(tree)} ${node.getStart(tree, true)} ${node.getText(tree)}`);
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}

test("the package holds the parser, of the TypeScript that it depends on, and its licence", () => {
  const listed = execFileSync("npm", ["pack", "--dry-run", "--json"], {
    cwd: join(ROOT, "compiler"),
    encoding: "utf8",
  });
  const [packed] = JSON.parse(listed) as [{ files: { path: string }[] }];
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(["dist/typescript/parser.cjs", "dist/typescript/LICENSE.txt"]),
  );
  expect(parser.version).toBe(ts.version);
});

describe("the parser that the build cuts out of TypeScript makes the trees of the whole", () => {
  const texts = new Map<string, string>(Object.entries(MORE));
  beforeAll(() => {
    for (const file of files) texts.set(file, readFileSync(file, "utf8"));
  });

  test("of all fixtures, and of texts with every kind of construct, some of them broken", () => {
    expect(files.length).toBeGreaterThan(500);
    let broken = 0;
    for (const [file, text] of texts)
      for (const how of HOW) {
        const ours = parser.createSourceFile(file, text, how, true);
        const theirs = ts.createSourceFile(file, text, how, true);
        expect(difference(ours, theirs, file)).toBeNull();
        broken += (ours as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics.length;
      }
    expect(broken).toBeGreaterThan(10);
  });

  test("whose nodes have the methods of TypeScript's own", () => {
    for (const [file, text] of Object.entries(MORE)) {
      const [how] = HOW;
      const ours = parser.createSourceFile(file, text, how!, true);
      expect(starts(ours)).toEqual(starts(ts.createSourceFile(file, text, how!, true)));
      expect(ours.getLineStarts()).toEqual(ts.createSourceFile(file, text, how!).getLineStarts());
    }
  });
});

describe("the parser that the build cuts out of TypeScript answers as the whole does", () => {
  test("which modules a text imports", () => {
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      expect(parser.preProcessFile(text, true, true)).toEqual(ts.preProcessFile(text, true, true));
    }
  });

  test("what a tsconfig says, its errors included", () => {
    const configs = [
      '{ "extends": "./tsconfig.base.json", "include": ["compiler/src/host"], "compilerOptions": { "paths": { "a/*": ["./b/*"] }, "jsx": "react-jsx", "lib": ["ES2023", "DOM"] } }',
      '{ "compilerOptions": { "target": "es1", "unknown": true, "strict": "yes", "lib": [1] }, "files": [] }',
      '{ "compilerOptions": { // a comment\n "module": "nodenext", }, "exclude": ["**/*.test.ts"], "references": [{ "path": "./runtime" }] }',
      "{ broken",
    ];
    for (const text of configs) {
      const read = (from: Parser): unknown => {
        const source = from.readJsonConfigFile(join(ROOT, "tsconfig.json"), () => text);
        const parsed = from.parseJsonSourceFileConfigFileContent(source, ts.sys, ROOT, { allowJs: true });
        const { options, fileNames, projectReferences, errors, wildcardDirectories } = parsed;
        return {
          ...{ ...options, configFile: undefined },
          ...{ fileNames, projectReferences, wildcardDirectories },
          errors: errors.map(({ code, messageText }) => [code, messageText]),
        };
      };
      expect(read(parser)).toEqual(read(ts as unknown as Parser));
    }
  });

  test("where a module lies", () => {
    const asked = [
      "typescript",
      "vitest",
      "./typescript.js",
      "../types.js",
      "./nothing",
      "node:fs",
      "@babel/core/x",
    ];
    for (const moduleResolution of [ts.ModuleResolutionKind.Bundler, ts.ModuleResolutionKind.NodeNext])
      for (const specifier of asked) {
        const from = join(ROOT, "compiler/src/host/files.ts");
        const options = { module: ts.ModuleKind.NodeNext, moduleResolution, allowJs: true };
        expect(parser.resolveModuleName(specifier, from, options, ts.sys)).toEqual(
          ts.resolveModuleName(specifier, from, options, ts.sys),
        );
      }
  });
});
