import { describe, expect, test } from "vitest";
import { factsOfSource, factsOfSources } from "./facts-of-source.js";
import { printFacts } from "./print-facts.js";
import type { Expr, Ref } from "../types.js";

/** Where a name of `/main.ts` leads: the name of the declared thing and its file, or the package's export. */
function leadsTo(files: Record<string, string>, name: string, main = "/main.ts"): string {
  const source = factsOfSources(files);
  const seen: Ref[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === "object" && value !== null) {
      const expr = value as Expr;
      if (expr.k === "name" && expr.name === name) seen.push(expr.ref);
      Object.values(value).forEach(visit);
    }
  };
  for (const { params, body } of source.file(main)!.functions) visit([params, body]);
  const [ref] = seen;
  if (ref === undefined) throw new Error(`${name} is not used`);
  if (ref.to === "external") return `${ref.module}#${ref.name}`;
  if (ref.to === "namespace") return `* of ${ref.file}`;
  if (ref.to === "global") return `global ${ref.name}`;
  const file = ref.id.slice(0, ref.id.lastIndexOf(":"));
  return `${source.file(file)!.bindings.find(({ id }) => id === ref.id)!.name} in ${file}`;
}

const lib = {
  "/lib.ts": `export const a = 1; export default function main() {} const hidden = 1; export { hidden as shown };`,
};

describe("imports of files", () => {
  test.each([
    ["a named import", `import { a } from "./lib"; a`, "a", "a in /lib.ts"],
    ["a renamed import", `import { a as b } from "./lib"; b`, "b", "a in /lib.ts"],
    ["an import with an extension", `import { a } from "./lib.js"; a`, "a", "a in /lib.ts"],
    ["a renamed export", `import { shown } from "./lib"; shown`, "shown", "hidden in /lib.ts"],
    ["a default import", `import def from "./lib"; def`, "def", "main in /lib.ts"],
    ["a default by name", `import { default as def } from "./lib"; def`, "def", "main in /lib.ts"],
    ["a namespace", `import * as ns from "./lib"; ns.a`, "ns", "* of /lib.ts"],
    ["what the module does not export", `import { none } from "./lib"; none`, "none", "./lib#none"],
    ["a module that is not there", `import { x } from "./gone"; x`, "x", "./gone#x"],
  ])("%s", (_law, text, name, to) => {
    expect(leadsTo({ ...lib, "/main.ts": text }, name)).toBe(to);
  });

  test("re-exports and barrels are followed to what declares the name", () => {
    const files = {
      ...lib,
      "/barrel/index.ts": `export * from "./more"; export { a as x, default } from "../lib"; export * as all from "./more"; import { a } from "../lib"; export { a as again };`,
      "/barrel/more.ts": `export * from "../deep"; export * from "pkg";`,
      "/deep.ts": `export class Deep {}`,
    };
    const at = (name: string): string =>
      leadsTo({ ...files, "/main.ts": `import { ${name} } from "./barrel"; ${name}` }, name);
    expect(at("x")).toBe("a in /lib.ts");
    expect(at("again")).toBe("a in /lib.ts");
    expect(at("Deep")).toBe("Deep in /deep.ts");
    expect(at("all")).toBe("* of /barrel/more.ts");
    expect(at("elsewhere")).toBe("pkg#elsewhere");
    expect(leadsTo({ ...files, "/main.ts": `import d from "./barrel"; d` }, "d")).toBe("main in /lib.ts");
  });

  test("modules that import one another in a circle end", () => {
    const files = {
      "/a.ts": `export * from "./b";`,
      "/b.ts": `export * from "./a"; export { y } from "./a";`,
    };
    expect(leadsTo({ ...files, "/main.ts": `import { x } from "./a"; x` }, "x")).toBe("./a#x");
    expect(leadsTo({ ...files, "/main.ts": `import { y } from "./b"; y` }, "y")).toBe("./a#y");
  });

  test("a default export without a name has a binding", () => {
    expect(leadsTo({ "/d.ts": `export default () => 1;`, "/main.ts": `import d from "./d"; d` }, "d")).toBe(
      "default in /d.ts",
    );
    expect(leadsTo({ "/d.ts": `export default class {}`, "/main.ts": `import d from "./d"; d` }, "d")).toBe(
      "default in /d.ts",
    );
    expect(
      leadsTo({ "/d.ts": `const made = 1; export default made;`, "/main.ts": `import d from "./d"; d` }, "d"),
    ).toBe("made in /d.ts");
  });

  test("JSON is a constant", () => {
    const source = factsOfSources({
      "/data.json": `{"a": [1]}`,
      "/main.ts": `import data from "./data.json"; data.a`,
    });
    expect(printFacts(source.file("/main.ts")!)).toBe("data@/data.json:0.a");
    expect(printFacts(source.file("/data.json")!)).toBe("const default = {a: [1]}");
  });

  test("tsconfig paths lead to files", () => {
    const files = {
      "/tsconfig.json": `{"compilerOptions": {"paths": {"@app/*": ["./src/*"]}}}`,
      "/src/x.ts": `export const x = 1`,
      "/main.ts": `import { x } from "@app/x"; x`,
    };
    expect(leadsTo(files, "x")).toBe("x in /src/x.ts");
  });

  test("a workspace package is read from its sources, also when its exports name built files that don't exist", () => {
    const files = {
      "/packages/lib/package.json": `{"name": "@acme/lib", "types": "./dist/index.d.ts", "main": "./dist/index.js"}`,
      "/packages/lib/tsconfig.json": `{"compilerOptions": {"outDir": "dist", "rootDir": "src"}}`,
      "/packages/lib/dist/index.d.ts": `export declare const helper: () => number;`,
      "/packages/lib/src/index.ts": `export const helper = () => 1;`,
      "/main.ts": `import { helper } from "./packages/lib"; helper`,
    };
    expect(leadsTo(files, "helper")).toBe("helper in /packages/lib/src/index.ts");
  });
});

describe("imports of packages", () => {
  test.each([
    ["by name, installed or not", `import { v4 as id } from "uuid"; id`, "id", "uuid#v4"],
    ["the default", `import dayjs from "dayjs"; dayjs`, "dayjs", "dayjs#default"],
    ["the namespace", `import * as pg from "pg"; pg`, "pg", "pg#*"],
    [
      "a subpath",
      `import { workflow } from "rivetkit/workflow"; workflow`,
      "workflow",
      "rivetkit/workflow#workflow",
    ],
    [
      "node: is taken off",
      `import { randomUUID } from "node:crypto"; randomUUID`,
      "randomUUID",
      "crypto#randomUUID",
    ],
    [
      "node: stays where the bare name is someone else's",
      `import { test } from "node:test"; test`,
      "test",
      "node:test#test",
    ],
    ["import = require", `import pg = require("pg"); pg`, "pg", "pg#*"],
    ["a re-export", `export { v4 } from "uuid"; import { v4 } from "/main.ts"; v4`, "v4", "uuid#v4"],
  ])("%s", (_law, text, name, to) => {
    expect(leadsTo({ "/main.ts": text }, name)).toBe(to);
  });
});

describe("CommonJS", () => {
  const uses = (text: string, name: string, files: Record<string, string>): string =>
    leadsTo({ ...files, "/main.js": text }, name, "/main.js");

  test("require gives imports, whole, destructured or by member", () => {
    expect(uses(`const pg = require("pg"); pg`, "pg", {})).toBe("pg#*");
    expect(uses(`const { v4: id } = require("uuid"); id`, "id", {})).toBe("uuid#v4");
    expect(uses(`const v4 = require("uuid").v4; v4`, "v4", {})).toBe("uuid#v4");
    expect(uses(`const fs = __importStar(require("node:fs")); fs`, "fs", {})).toBe("fs#*");
    expect(printFacts(factsOfSource(`require("uuid").v4()`, "/main.js"))).toBe(`require("uuid")@uuid#*.v4()`);
  });

  test("a require of one's own is none, unless createRequire made it", () => {
    expect(
      printFacts(factsOfSource(`function require(x) {} const a = require("uuid");`, "/main.js")),
    ).toContain(`a = require("uuid")`);
    const made = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url); const pg = require("pg"); pg`;
    expect(leadsTo({ "/main.ts": made }, "pg")).toBe("pg#*");
  });

  test("module.exports of an object is a namespace", () => {
    const files = {
      "/lib.js": `function helper() {} module.exports = { helper, run: async () => 1, other() {} };`,
    };
    expect(uses(`const lib = require("./lib"); lib`, "lib", files)).toBe("* of /lib.js");
    expect(uses(`const { helper } = require("./lib"); helper`, "helper", files)).toBe("helper in /lib.js");
    expect(uses(`const { run } = require("./lib"); run`, "run", files)).toBe("run in /lib.js");
    expect(uses(`const { other } = require("./lib"); other`, "other", files)).toBe("other in /lib.js");
    expect(leadsTo({ ...files, "/main.ts": `import { run } from "./lib"; run` }, "run")).toBe(
      "run in /lib.js",
    );
  });

  test("module.exports of anything else is that thing", () => {
    const files = {
      "/lib.js": `module.exports = class Foo {}; module.exports.extra = 1;`,
      "/fn.js": `function fn() {} module.exports = fn;`,
    };
    expect(uses(`const Foo = require("./lib"); Foo`, "Foo", files)).toBe("module.exports in /lib.js");
    expect(uses(`const { extra } = require("./lib"); extra`, "extra", files)).toBe("extra in /lib.js");
    expect(uses(`const fn = require("./fn"); fn`, "fn", files)).toBe("fn in /fn.js");
    expect(leadsTo({ ...files, "/main.ts": `import fn from "./fn"; fn` }, "fn")).toBe("fn in /fn.js");
  });

  test("what compilers emit for export is understood", () => {
    const files = {
      "/ts.js": `"use strict"; exports.a = exports.b = void 0; const x_1 = require("./x"); exports.a = () => 1; function b() {} exports.b = b;
        Object.defineProperty(exports, "c", { enumerable: true, get: function () { return x_1.c; } }); __exportStar(require("./x"), exports);`,
      "/x.js": `exports.c = 1; exports.star = 2;`,
      "/esbuild.js": `var lib_exports = {}; __export(lib_exports, { now: () => now, default: () => d }); module.exports = __toCommonJS(lib_exports); function now() {} var d = 1;`,
    };
    const of = (name: string, module: string): string =>
      uses(`const { ${name} } = require("${module}"); ${name}`, name, files);
    expect(of("a", "./ts")).toBe("a in /ts.js");
    expect(of("b", "./ts")).toBe("b in /ts.js");
    expect(of("c", "./ts")).toBe("c in /x.js");
    expect(of("star", "./ts")).toBe("star in /x.js");
    expect(of("now", "./esbuild")).toBe("now in /esbuild.js");
    expect(leadsTo({ ...files, "/main.ts": `import d from "./esbuild"; d` }, "d")).toBe("d in /esbuild.js");
  });
});
