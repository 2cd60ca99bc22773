import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { check } from "stepproof";
import { beforeAll, describe, expect, test } from "vitest";
import { layOutFixtures } from "../plugins/lay-out-fixtures.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BUILT = join(ROOT, "compiler/dist/index.cjs");

test("the built checker, which parses with a part of TypeScript, reports of all fixtures what the sources do", () => {
  const { folder, files } = layOutFixtures("parser-alone");
  const request = { cwd: folder, paths: files, tsconfig: join(folder, "tsconfig.json") };
  // In a process of its own: here the whole is loaded, so that it would be used.
  const code = `
    const { check } = require(${JSON.stringify(BUILT)});
    const { reported } = check(${JSON.stringify(request)});
    console.log(JSON.stringify(reported.map(({ diagnostic }) => diagnostic)));`;
  const found = JSON.parse(
    execFileSync(process.execPath, ["-e", code], { encoding: "utf8", maxBuffer: 1 << 28 }),
  ) as unknown[];
  expect(found.length).toBeGreaterThan(200);
  expect(found).toEqual(check(request).reported.map(({ diagnostic }) => diagnostic));
});

interface Looked {
  readonly rules: readonly string[];
  readonly whole: boolean;
  readonly parser: boolean;
}

describe("the whole of TypeScript", () => {
  const folder = join(ROOT, ".tmp/check/whole-or-not");
  const workflow = (body: string): string =>
    `import { actor } from "rivetkit"; import { workflow, type WorkflowContextOf } from "rivetkit/workflow";\n${body}`;
  const files = {
    "plain.ts": workflow(
      "export const a = actor({ run: workflow(async (ctx) => { await ctx.step('s', async () => 1); Date.now(); }) });",
    ),
    // What an imported function without a written type returns is a question for the checker.
    "asks.ts": workflow(
      "import { made } from './made.js'; export const a = actor({ run: workflow(async (ctx) => { await ctx.step('s', async () => made()); Date.now(); }) });",
    ),
    "made.ts":
      "const all = { a: () => ({ f: () => 1 }) }; export const made = () => all['a' as keyof typeof all]();",
  };
  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  });

  /** What a process of its own finds in a file, and whether it has loaded the whole, and the parser alone. */
  function look(file: string, dist = BUILT, before = ""): Looked {
    const code = `${before}
      const { check } = require(${JSON.stringify(dist)});
      const { reported } = check({ cwd: ${JSON.stringify(folder)}, paths: [${JSON.stringify(file)}] });
      const whole = Object.keys(require.cache).some((path) => path.endsWith("/typescript.js"));
      const parser = Object.keys(require.cache).some((path) => path.endsWith("/parser.cjs"));
      console.log(JSON.stringify({ rules: reported.map((one) => one.diagnostic.rule), whole, parser }));`;
    return JSON.parse(
      execFileSync(process.execPath, ["-e", code], { cwd: ROOT, encoding: "utf8" }),
    ) as Looked;
  }

  test("is not loaded where no question goes to the type checker", () => {
    expect(look("plain.ts")).toEqual({ rules: ["no-nondeterminism"], whole: false, parser: true });
  });

  test("is used for all where the process has loaded it before", () => {
    expect(look("plain.ts", BUILT, 'require("typescript");')).toEqual({
      rules: ["no-nondeterminism"],
      whole: true,
      parser: false,
    });
  });

  test("is loaded where one does, and takes the trees that are there", () => {
    expect(look("asks.ts")).toEqual({
      rules: ["serializable-values", "no-nondeterminism"],
      whole: true,
      parser: true,
    });
  });

  test("is loaded where another version stands in the place of the one that the parser was cut from", () => {
    const typescript = createRequire(import.meta.url).resolve("typescript");
    const other = join(folder, "other/node_modules/typescript");
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, "package.json"), JSON.stringify({ version: "6.0.99", main: "main.js" }));
    writeFileSync(join(other, "main.js"), `module.exports = require(${JSON.stringify(typescript)});`);
    cpSync(join(ROOT, "compiler/dist"), join(folder, "other/dist"), { recursive: true });
    writeFileSync(join(folder, "other/package.json"), readFileSync(join(ROOT, "compiler/package.json")));
    expect(look("plain.ts", join(folder, "other/dist/index.cjs"))).toEqual({
      rules: ["no-nondeterminism"],
      whole: true,
      parser: true,
    });
  });
});
