import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "@babel/core";
import { build } from "esbuild";
import ts from "typescript";
import { createLogger, createServer, type ViteDevServer } from "vite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import babelPlugin from "../../compiler/src/plugin/babel.js";
import esbuildPlugin from "../../compiler/src/plugin/esbuild.js";
import languageServicePlugin from "../../compiler/src/plugin/language-service.js";
import transformProgram from "../../compiler/src/plugin/transformer.js";
import vitePlugin, { type BundlerOptions } from "../../compiler/src/plugin/vite.js";

const FLOW = `import { workflow } from "@stepproof/runtime";
import { pick } from "./pick";
export const triage = workflow({ run: async (ctx) => { const who = pick(); await ctx.step("a", async () => who); } });
`;
const PURE = "export const pick = () => 1;\n";
const RANDOM = "export const pick = () => Math.random();\n";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "stepproof-plugins-")));
  put("tsconfig.json", JSON.stringify({ compilerOptions: { types: [] } }));
  put("flow.ts", FLOW);
  put("pick.ts", PURE);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function put(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe("in Vite's development server", () => {
  let server: ViteDevServer;
  let warnings: string[] = [];
  const serve = async (...options: BundlerOptions[]): Promise<void> => {
    warnings = [];
    server = await createServer({
      root: folder,
      configFile: false,
      appType: "custom",
      server: { middlewareMode: true, ws: false, watch: { usePolling: true, interval: 20 } },
      ssr: { external: ["@stepproof/runtime"] },
      optimizeDeps: { noDiscovery: true },
      customLogger: { ...createLogger("silent"), warn: (text) => void warnings.push(text) },
      plugins: options.map((one) => vitePlugin(one)),
    });
  };
  const flow = async (): Promise<string> =>
    (await server.environments.ssr.transformRequest(join(folder, "flow.ts")))?.code ?? "";
  const changed = async (name: string, text: string): Promise<void> => {
    const seen = new Promise<void>((resolve) => {
      server.watcher.on("change", (path) => {
        if (path.endsWith(name)) resolve();
      });
    });
    put(name, text);
    await seen;
  };
  afterEach(async () => {
    await server.close();
  });

  test("a change in a helper fails the workflow that it makes wrong, and mends it again", async () => {
    await serve({});
    expect(await flow()).toContain("__stepproofCarry");
    await changed("pick.ts", RANDOM);
    await vi.waitFor(() =>
      expect(flow()).rejects.toThrow(
        "flow.ts(3,68): error TS90001: [no-nondeterminism] `Math.random()` runs again on every replay: workflow `triage` reaches it through `pick`",
      ),
    );
    await changed("pick.ts", PURE);
    await vi.waitFor(async () => expect(await flow()).toContain("__stepproofCarry"));
  });

  test("a helper that is deleted takes its finding along, and the server goes on", async () => {
    const helper = put("pick.ts", RANDOM);
    await serve({ failOn: "warning" });
    await expect(flow()).rejects.toThrow("no-nondeterminism");
    rmSync(helper);
    await vi.waitFor(async () => expect(await flow()).toContain("__stepproofCarry"), 10_000);
    put("pick.ts", RANDOM);
    await vi.waitFor(async () => expect(flow()).rejects.toThrow("no-nondeterminism"), 10_000);
  });

  test("listed twice, the plugin works once", async () => {
    put("pick.ts", RANDOM);
    await serve({ failOn: "never" }, { failOn: "never" });
    expect((await flow()).match(/function __stepproofCarry/g)).toHaveLength(1);
    expect(warnings.filter((text) => text.includes("TS90001"))).toHaveLength(1);
  });

  test("a broken config and an unknown option are told once, and the server goes on", async () => {
    put("stepproof.config.json", '{ "rulez": {} }');
    await serve({ failon: "never" } as BundlerOptions);
    expect(await flow()).toContain("__stepproofCarry");
    put("other.ts", FLOW);
    await server.environments.ssr.transformRequest(join(folder, "other.ts"));
    expect(warnings.filter((text) => text.includes('no key "rulez"; did you mean "rules"?'))).toHaveLength(1);
    expect(warnings.filter((text) => text.includes('no option "failon"'))).toHaveLength(1);
  });
});

describe("in Babel", () => {
  const run = (plugins: unknown[]): string =>
    transformSync(FLOW, {
      filename: join(folder, "flow.ts"),
      cwd: folder,
      configFile: false,
      babelrc: false,
      parserOpts: { plugins: ["typescript"] },
      plugins: plugins as [],
    })?.code ?? "";

  test("listed twice, the plugin works once", () => {
    const code = run([
      [babelPlugin, {}, "one"],
      [babelPlugin, { emit: true }, "two"],
    ]);
    expect(code.match(/__stepproofCarry\(/g)).toHaveLength(2);
  });

  test("`emit: false` leaves the code as it is; options that can't be are left out", () => {
    expect(run([[babelPlugin, { emit: false, nonsense: 1 }]])).not.toContain("__stepproofCarry");
  });
});

test("esbuild's builds in a row see what changed between them", async () => {
  const look = async (): Promise<number> => {
    const result = await build({
      absWorkingDir: folder,
      entryPoints: ["flow.ts"],
      bundle: true,
      write: false,
      external: ["@stepproof/runtime"],
      logLevel: "silent",
      plugins: [plugin],
    });
    return result.warnings.length;
  };
  const plugin = esbuildPlugin({ failOn: "never" });
  expect(await look()).toBe(0);
  put("pick.ts", RANDOM);
  expect(await look()).toBe(1);
  put("pick.ts", PURE);
  expect(await look()).toBe(0);
});

describe("a TypeScript that can't be worked with", () => {
  const seven = { ...ts, version: "7.0.2" };

  test("is told by the tsc plugin, which leaves the program as it is", () => {
    const written: string[] = [];
    const sys = { ...ts.sys, write: (text: string) => void written.push(text) };
    const program = ts.createProgram([join(folder, "flow.ts")], { types: [] });
    const before = program.getGlobalDiagnostics;
    const after = transformProgram(program, undefined, {}, { ts: { ...seven, sys } });
    expect(after.getGlobalDiagnostics).toBe(before);
    expect(written.join("")).toContain("TypeScript 7.0.2 can't be worked with here (5.0 to 6.x can)");
  });

  test("is told by the editor's plugin, which leaves the service as it is", () => {
    const logged: string[] = [];
    const languageService = {} as ts.LanguageService;
    const created = languageServicePlugin({ typescript: seven }).create({
      languageService,
      languageServiceHost: { getCurrentDirectory: () => folder },
      project: {
        getProjectName: () => join(folder, "tsconfig.json"),
        projectService: { logger: { info: (text) => void logged.push(text) } },
      },
      config: { name: "stepproof/language-service" },
    });
    expect(created).toBe(languageService);
    expect(logged.join("")).toContain("can't be worked with here");
  });
});
