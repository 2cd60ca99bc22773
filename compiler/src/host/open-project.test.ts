import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fromProgram, openProject, ProjectError, type ProjectErrorCode } from "./index.js";

const engineModules = ["the-engine"];
const WORKFLOW = `import { workflow } from "the-engine"; export const w = workflow({});`;

let folder = "";
const at = (path: string): string => `${folder}/${path}`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stepproof-host-")).replaceAll("\\", "/");
  const files: Record<string, string> = {
    "tsconfig.json": `{ // a comment
      "extends": "./base.json", "include": ["src"] }`,
    "base.json": `{"compilerOptions": {"strict": false, "paths": {"~/*": ["./src/*"]}}}`,
    "src/flow.ts": WORKFLOW,
    "src/helper.ts": `export const helper = 1;`,
    "src/types.d.ts": `declare module "the-engine";`,
    "scripts/job.mjs": WORKFLOW,
    "scripts/old.cjs": `const { workflow } = require("the-engine");`,
    "scripts/node_modules/the-engine/index.js": "",
    "scripts/dist/built.js": WORKFLOW,
    "solution/tsconfig.json": `{"files": [], "references": [{"path": "./one"}, {"path": "./two"}]}`,
    "solution/one/tsconfig.json": `{"compilerOptions": {"composite": true, "outDir": "out", "rootDir": "src"}, "include": ["src"]}`,
    "solution/one/src/lib.ts": `export const now = () => Date.now();`,
    "solution/two/tsconfig.json": `{"compilerOptions": {"composite": true}, "references": [{"path": "../one"}]}`,
    "solution/two/flow.ts": WORKFLOW,
    "broken/tsconfig.json": `{ "compilerOptions": `,
    "broken-extends/tsconfig.json": `{"extends": "./none.json"}`,
    "broken-extends/a.ts": "",
    "empty/readme.md": "",
    "workspace/packages/lib/package.json": `{"name": "@acme/lib", "exports": {".": "./dist/index.js", "./clock": {"types": "./dist/clock.d.ts", "import": "./dist/clock.js"}}}`,
    "workspace/packages/lib/tsconfig.json": `{"compilerOptions": {"outDir": "dist", "rootDir": "src"}}`,
    "workspace/packages/lib/src/index.ts": `export * from "./clock.js";`,
    "workspace/packages/lib/src/clock.ts": `export const now = () => Date.now();`,
    "workspace/app/flow.ts": `import { now } from "@acme/lib/clock"; ${WORKFLOW}`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
  mkdirSync(at("workspace/node_modules/@acme"), { recursive: true });
  symlinkSync(at("workspace/packages/lib"), at("workspace/node_modules/@acme/lib"), "dir");
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const roots = (
  request: Omit<Parameters<typeof openProject>[0], "cwd" | "engineModules">,
  cwd = folder,
): string[] =>
  openProject({ cwd, engineModules, ...request }).roots.map((path) => path.slice(folder.length + 1));

describe("which files are looked at", () => {
  test("those of a tsconfig that mention the engine", () => {
    expect(roots({ tsconfig: "tsconfig.json" })).toEqual(["src/flow.ts"]);
    expect(roots({ tsconfig: "." })).toEqual(["src/flow.ts"]);
  });

  test("those of the projects that a solution refers to", () => {
    expect(roots({ tsconfig: "solution" })).toEqual(["solution/two/flow.ts"]);
  });

  test("a folder, without packages, build output and declarations", () => {
    expect(roots({ paths: ["scripts"] })).toEqual(["scripts/job.mjs", "scripts/old.cjs"]);
    expect(roots({ paths: ["./src/", "scripts/job.mjs"] })).toEqual(["scripts/job.mjs", "src/flow.ts"]);
  });

  test("globs", () => {
    expect(roots({ paths: ["s*/**/*.ts"] })).toEqual(["solution/two/flow.ts", "src/flow.ts"]);
    expect(roots({ paths: ["scripts/*.cjs"] })).toEqual(["scripts/old.cjs"]);
  });

  test("without paths: the tsconfig of the folder, else the folder", () => {
    expect(roots({})).toEqual(["src/flow.ts"]);
    expect(roots({}, at("scripts"))).toEqual(["scripts/job.mjs", "scripts/old.cjs"]);
  });

  test("unsaved text counts, on disk or not", () => {
    const overlay = new Map([
      [at("src/helper.ts"), WORKFLOW],
      [at("src/new.ts"), WORKFLOW],
      [at("src/flow.ts"), ""],
    ]);
    expect(roots({ tsconfig: "tsconfig.json", overlay })).toEqual(["src/helper.ts", "src/new.ts"]);
    expect(roots({ paths: ["src"], overlay })).toEqual(["src/helper.ts", "src/new.ts"]);
  });
});

describe("options", () => {
  test("bare paths take the nearest tsconfig's", () => {
    const { options } = openProject({ cwd: folder, paths: ["src/flow.ts"], engineModules });
    expect(options.strict).toBe(false);
    expect(options.paths).toEqual({ "~/*": ["./src/*"] });
  });

  test("without one the defaults are modern", () => {
    const { options } = openProject({
      cwd: "/",
      paths: ["/virtual/a.ts"],
      overlay: new Map([["/virtual/a.ts", ""]]),
      engineModules,
    });
    expect(options).toMatchObject({
      strict: true,
      allowJs: true,
      skipLibCheck: true,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    });
  });
});

describe("modules", () => {
  test("a workspace package that is not built is read from its sources", () => {
    const host = openProject({ cwd: at("workspace"), paths: ["app"], engineModules });
    const resolve = (specifier: string): unknown =>
      host.modules.resolve(specifier, at("workspace/app/flow.ts"), "import");
    expect(resolve("@acme/lib/clock")).toEqual({
      kind: "file",
      path: at("workspace/packages/lib/src/clock.ts"),
    });
    expect(resolve("@acme/lib")).toEqual({ kind: "file", path: at("workspace/packages/lib/src/index.ts") });
    expect(resolve("@acme/none")).toEqual({ kind: "external", module: "@acme/none" });
  });

  test("the package of a file has a name and a version", () => {
    const host = openProject({ cwd: at("workspace"), paths: ["app"], engineModules });
    expect(host.packageOf(at("workspace/packages/lib/src/clock.ts"))).toEqual({
      name: "@acme/lib",
      version: null,
    });
  });
});

describe("what can't be opened is told by code, path and message", () => {
  const failure = (
    request: Omit<Parameters<typeof openProject>[0], "cwd" | "engineModules">,
  ): [ProjectErrorCode, string, string] => {
    try {
      openProject({ cwd: folder, engineModules, ...request });
    } catch (error) {
      if (error instanceof ProjectError)
        return [error.code, error.path.slice(folder.length + 1), error.message];
      throw error;
    }
    throw new Error("opened");
  };

  test.each([
    [
      "a missing path",
      { paths: ["src/none.ts"] },
      "path-not-found",
      "src/none.ts",
      "There is no file or folder src/none.ts in",
    ],
    [
      "no source file",
      { paths: ["base.json"] },
      "not-a-source-file",
      "base.json",
      "base.json is neither TypeScript nor JavaScript",
    ],
    [
      "a folder without sources",
      { paths: ["empty"] },
      "no-source-files",
      "empty",
      "No TypeScript or JavaScript file below empty",
    ],
    [
      "a glob without matches",
      { paths: ["empty/*.ts"] },
      "no-source-files",
      "empty/*.ts",
      "No TypeScript or JavaScript file matches empty/*.ts",
    ],
    ["a missing tsconfig", { tsconfig: "none.json" }, "tsconfig-not-found", "none.json", "There is no "],
    [
      "a tsconfig that is no JSON",
      { tsconfig: "broken" },
      "tsconfig-broken",
      "broken/tsconfig.json",
      "can't be used",
    ],
    [
      "a missing extends",
      { tsconfig: "broken-extends" },
      "tsconfig-broken",
      "broken-extends/tsconfig.json",
      "none.json",
    ],
  ] as const)("%s", (_what, request, code, path, message) => {
    const [gotCode, gotPath, gotMessage] = failure(request);
    expect([gotCode, gotPath]).toEqual([code, path]);
    expect(gotMessage).toContain(message);
  });
});

test("values in a tsconfig that can't be used are told, and the project is opened without them", () => {
  const told: string[] = [];
  const tsconfig = JSON.stringify({
    compilerOptions: { target: "es1999", strict: "yes", lib: ["es2099"], unheardOf: 1 },
  });
  const overlay = new Map([
    ["/p/tsconfig.json", tsconfig],
    ["/p/flow.ts", 'import "engine";'],
  ]);
  const { roots } = openProject({
    cwd: "/p",
    tsconfig: "tsconfig.json",
    overlay,
    engineModules: ["engine"],
    onNote: (message) => told.push(message),
  });
  expect(roots).toEqual(["/p/flow.ts"]);
  expect(told.sort()).toEqual([
    expect.stringMatching(/^\/p\/tsconfig\.json: Argument for '--lib' option must be: /),
    expect.stringMatching(/^\/p\/tsconfig\.json: Argument for '--target' option must be: /),
    expect.stringMatching(/^\/p\/tsconfig\.json: Compiler option 'strict' requires a value of type boolean/),
  ]);
});

describe("a program that someone else holds", () => {
  const program = (): ts.Program =>
    ts.createProgram({ rootNames: [at("src/flow.ts"), at("src/helper.ts")], options: { noLib: true } });

  test("has the same roots, limited to some if asked", () => {
    expect(fromProgram(program(), { engineModules }).roots).toEqual([at("src/flow.ts")]);
    expect(fromProgram(program(), { engineModules, only: [] }).roots).toEqual([]);
  });

  test("gives its texts and answers for its types", () => {
    const held = program();
    const host = fromProgram(held, { engineModules });
    const unit = host.source(at("src/helper.ts"))!;
    expect(unit.text).toBe(held.getSourceFile(at("src/helper.ts"))!.text);
    expect(host.source(at("src/helper.ts"))).toBe(unit);
    expect(fromProgram(held, { engineModules }).source(at("src/helper.ts"))).toBe(unit);
  });
});

test("a huge source file is left out, as a root and as an import, and told once", () => {
  const flow = `import { workflow } from "@rivet-dev/workflows"; import "./huge.js";`;
  const told: string[] = [];
  const host = openProject({
    cwd: "/p",
    paths: ["/p/flow.ts", "/p/huge.ts"],
    overlay: new Map([
      ["/p/flow.ts", flow],
      ["/p/huge.ts", `${flow}\n//${"x".repeat(2_000_000)}`],
    ]),
    engineModules: ["@rivet-dev/workflows"],
    onNote: (message) => told.push(message),
  });
  expect(host.roots).toEqual(["/p/flow.ts"]);
  expect(host.source("/p/huge.ts")).toBeNull();
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/^\/p\/huge\.ts is left out: /);
});
