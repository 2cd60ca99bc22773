import { describe, expect, test } from "vitest";
import type { Host } from "../host/host.js";
import { openProject } from "../host/open-project.js";
import type { FactsSource } from "../types.js";
import { factsOfSources } from "./facts-of-source.js";
import { createFactsSource } from "./facts-source.js";
import { printFacts } from "./print-facts.js";

const pkg = (name: string, fields: object, files: Record<string, string>): Record<string, string> => ({
  [`/node_modules/${name}/package.json`]: JSON.stringify({ name, version: "1.2.3", ...fields }),
  ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`/node_modules/${name}/${path}`, text])),
});

describe("packages", () => {
  const files = {
    "/main.ts": `import { now } from "esm"; now();`,
    ...pkg(
      "esm",
      {
        type: "module",
        types: "./index.d.ts",
        exports: {
          ".": { types: "./index.d.ts", import: "./lib/index.js", require: "./lib/index.cjs" },
          "./sub": "./lib/sub.js",
        },
      },
      {
        "index.d.ts": "export declare function now(): number;",
        "lib/index.js": `import { clock } from "./clock.js"; import { other } from "cjs"; export const now = () => clock() + other();`,
        "lib/clock.js": "export function clock() { return Date.now() }",
        "lib/clock.d.ts": "export declare function clock(): number;",
        "lib/index.cjs": "",
        "lib/sub.js": "export const sub = 1;",
      },
    ),
    ...pkg(
      "cjs",
      { main: "main" },
      {
        "main.js": `const { helper } = require("./helper"); exports.other = () => helper();`,
        "helper/index.js": "exports.helper = () => Math.random();",
      },
    ),
    ...pkg("@types/cjs", {}, { "index.d.ts": "export declare function other(): number;" }),
    ...pkg("types-only", { types: "index.d.ts" }, { "index.d.ts": "export {}" }),
  };
  const source = factsOfSources(files);

  test("an import of a package is external, whatever is installed", () => {
    expect(printFacts(source.file("/main.ts")!)).toBe("now@esm#now()");
  });

  test("the entry is the JavaScript that runs, through exports, never the types", () => {
    expect(source.packageFile("esm", "/main.ts")).toEqual({
      file: "/node_modules/esm/lib/index.js",
      name: "esm",
      version: "1.2.3",
    });
    expect(source.packageFile("esm/sub", "/main.ts")?.file).toBe("/node_modules/esm/lib/sub.js");
    expect(source.packageFile("cjs", "/main.ts")?.file).toBe("/node_modules/cjs/main.js");
  });

  test("a package that is not installed or has only types has no entry", () => {
    expect(source.packageFile("gone", "/main.ts")).toBeNull();
    expect(source.packageFile("types-only", "/main.ts")).toBeNull();
    expect(source.packageFile("@types/cjs", "/main.ts")).toBeNull();
  });

  test("a file that requires reads what a package keeps for `require`", () => {
    const both = factsOfSources({
      "/main.cjs": 'const { a } = require("both"); a();',
      "/main.ts": 'import { a } from "both"; a();',
      "/node_modules/both/package.json":
        '{"name":"both","version":"1.0.0","exports":{".":{"import":"./i.mjs","require":"./r.cjs"},"./only":{"require":"./r.cjs"}}}',
      "/node_modules/both/i.mjs": "export const a = () => 1;",
      "/node_modules/both/r.cjs": "exports.a = () => Date.now();",
    });
    expect(both.packageFile("both", "/main.cjs")?.file).toBe("/node_modules/both/r.cjs");
    expect(both.packageFile("both", "/main.ts")?.file).toBe("/node_modules/both/i.mjs");
    expect(both.packageFile("both/only", "/main.ts")?.file).toBe("/node_modules/both/r.cjs");
  });

  test("a huge bundle is left unread, so that what it does is unknown", () => {
    const path = "/node_modules/huge/index.js";
    const huge = factsOfSources({ "/main.ts": "", [path]: `export const x = "${"x".repeat(2_000_000)}";` });
    expect(huge.file(path)).toBeNull();
  });

  test("inside a package imports of its own files are followed, imports of others are external", () => {
    const entry = source.file("/node_modules/esm/lib/index.js")!;
    expect(printFacts(entry)).toBe(
      "const now = now() => { return (clock@/node_modules/esm/lib/clock.js:16() + other@cjs#other()) }",
    );
    const cjs = source.file("/node_modules/cjs/main.js")!;
    expect(printFacts(cjs)).toMatch(
      /^other = other\(\) => \{ return helper@\/node_modules\/cjs\/helper\/index\.js:\d+\(\) \}$/,
    );
    expect(Object.keys(cjs.exports)).toEqual(["other"]);
  });
});

describe("a source of facts", () => {
  test("gives one object per file, however often it is asked", () => {
    const source = factsOfSources({ "/main.ts": "f()" });
    expect(source.file("/main.ts")).toBe(source.file("/main.ts"));
  });

  test("knows nothing of files that are not there", () => {
    expect(factsOfSources({ "/main.ts": "" }).file("/none.ts")).toBeNull();
  });

  test("ids name their file and are unique in it", () => {
    const facts = factsOfSources({
      "/main.ts": "function f() { return () => (x) => x } class A { m() {} static {} } f(function () {})",
    }).file("/main.ts")!;
    const ids = facts.functions.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => id.startsWith("/main.ts:"))).toBe(true);
  });

  test("facts are plain data: what JSON keeps is what was read", () => {
    const facts = factsOfSources({ "/main.ts": "export const f = (x) => x.y(1);" }).file("/main.ts")!;
    const plain = JSON.parse(JSON.stringify(facts)) as typeof facts;
    expect(plain.functions.map(({ name }) => name)).toEqual(["(module)", "f"]);
    expect(plain.functions[1]!.body).toMatchObject([
      { s: "return", value: { k: "call", callee: { k: "member", property: "y" } } },
    ]);
  });

  describe("lowers a function when its body is read", () => {
    const files = {
      "/main.ts": `import { used } from "./used"; import { unused } from "./unused";
export function first() { return used(() => 1); }
export function second() { class Inner { m() { return unused(); } } return new Inner(); }`,
      "/used.ts": "export const used = (f) => f();",
      "/unused.ts": "export const unused = () => 2;",
    };
    const open = (): { source: FactsSource; read: Set<string> } => {
      const paths = Object.keys(files);
      const host = openProject({
        cwd: "/",
        paths,
        overlay: new Map(Object.entries(files)),
        engineModules: [""],
      });
      const read = new Set<string>();
      const noting: Host = {
        ...host,
        source: (path) => {
          read.add(path);
          return host.source(path);
        },
      };
      return { source: createFactsSource(noting), read };
    };

    test("what only an unread body names is not opened", () => {
      const { source, read } = open();
      const [, first] = source.file("/main.ts")!.outermost;
      expect(read).toEqual(new Set(["/main.ts"]));
      expect(first!.withInner.map(({ name }) => name)).toEqual(["(anonymous)", "first"]);
      expect(read).toEqual(new Set(["/main.ts", "/used.ts"]));
    });

    test("an id leads into a body that was not read", () => {
      const all = open().source.file("/main.ts")!;
      const { source } = open();
      const facts = source.file("/main.ts")!;
      const method = all.functions.find(({ name }) => name === "Inner.m")!;
      expect(facts.function(method.id)).toMatchObject({ name: "Inner.m", span: method.span });
      expect(facts.class(method.classId!)?.name).toBe("Inner");
    });

    test("classes are found wherever they stand, without reading the rest", () => {
      const { source, read } = open();
      expect(source.file("/main.ts")!.classes.map(({ name }) => name)).toEqual(["Inner"]);
      expect(read.has("/used.ts")).toBe(false);
    });
  });
});
