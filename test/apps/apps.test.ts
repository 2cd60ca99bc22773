import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { bin, installTools, layOut, run } from "./install.js";
import { TsServer } from "./tsserver.js";

/** Installs some 600 packages and runs every tool: for CI (`STEPPROOF_APPS=all`), too long for every day. */
const all = process.env["STEPPROOF_APPS"] === "all";
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const FINDING = "TS90001: [no-nondeterminism] `Math.random()` runs again on every replay";
const WITHOUT_FAULT = { "src/triage.ts": "export {};\n" };

/** A manifest, as far as it is read here. */
interface Written {
  readonly workflows: Readonly<Record<string, { readonly hash: string }>>;
}

/** Tells what the registry uses, and what the actor's workflow carries. */
const COUNTER = `import { actor, setup } from "rivetkit";
import { workflow } from "rivetkit/workflow";

export const counter = actor({
  state: { total: 0 },
  run: workflow(async (ctx) => {
    const total = await ctx.step("sum", async () => 2 + 3);
    await ctx.step("keep", async (step) => {
      step.state.total = total;
    });
  }),
});

export const registry = setup({ use: { counter } });

interface Carrying {
  readonly [key: symbol]: readonly { readonly manifest: { readonly name: string; readonly hash: string } }[];
}
const carried = (counter.config.run as unknown as Carrying)[Symbol.for("stepproof.manifest")] ?? [];
const carries = carried.map(({ manifest }) => \`\${manifest.name} \${manifest.hash}\`);
console.log(JSON.stringify({ use: Object.keys(registry.config.use), carries }));
`;

describe.runIf(all)("example projects, installed from the packed packages", () => {
  let tools = "";
  /** As the command prints it: `order <hash>`. */
  let manifest = "";
  /** Where the source is written that `main` prints a place of. */
  let written = "";

  beforeAll(() => {
    tools = installTools();
    const folder = layOut(tools, "tsserver", WITHOUT_FAULT);
    const made = run(folder, bin(tools, "stepproof"), "manifest", "-o", "-");
    const { order } = (JSON.parse(made.output) as { workflows: Record<string, { hash: string }> }).workflows;
    manifest = `order ${order?.hash ?? "missing"}`;
    const lines = readFileSync(join(folder, "src/order.ts"), "utf8").split("\n");
    const line = lines.findIndex((text) => text.includes("ran.push"));
    written = `order.ts:${line + 1}:${(lines[line] ?? "").indexOf("placeOfCaller") + 1}`;
  });

  const expectBuilt = (folder: string, main: string, place = written): void => {
    const { code, output } = run(folder, process.execPath, "--enable-source-maps", main);
    expect(code, output).toBe(0);
    const told = JSON.parse(output) as { ran: string[]; carries: string[] };
    expect(told.carries).toEqual([manifest]);
    expect(told.ran[0]).toContain(`charged 5 at ${place}`);
  };

  describe.each([
    { tool: "tsc", build: ["tspc", "-p", "."], asset: false },
    {
      tool: "babel",
      build: ["babel", "src", "--extensions", ".ts", "--out-dir", "out", "--source-maps"],
      asset: false,
    },
    { tool: "vite", build: ["vite", "build"], asset: true },
    { tool: "rollup", build: ["rollup", "-c"], asset: true },
    { tool: "rolldown", build: ["rolldown", "-c"], asset: true },
    { tool: "webpack", build: ["webpack", "build"], asset: true },
    { tool: "rspack", build: ["rspack", "build"], asset: true },
    { tool: "esbuild", build: ["node", "build.js"], asset: true },
    { tool: "farm", build: ["farm", "build"], asset: true },
  ])("$tool", ({ tool, build, asset }) => {
    const [program = "", ...args] = build;
    const start = (folder: string) =>
      run(folder, program === "node" ? process.execPath : bin(tools, program), ...args);

    test("fails with the finding and the way to it", () => {
      const { code, output } = start(layOut(tools, tool));
      expect(code, output).not.toBe(0);
      // Rolldown takes backticks off messages.
      expect(output.replaceAll("`", "")).toContain(FINDING.replaceAll("`", ""));
      expect(output).toContain("src/triage.ts");
      expect(output).toContain("[no-console]");
      if (tool !== "tsc") expect(output).toContain("calls chooseReviewer() (src/triage.ts:6:22)");
    });

    test("emits code that runs as before, maps to what is written, and carries the command's manifest", () => {
      const folder = layOut(tools, tool, WITHOUT_FAULT);
      const { code, output } = start(folder);
      expect(code, output).toBe(0);
      // Farm maps lines, not columns.
      expectBuilt(folder, "out/main.js", tool === "farm" ? written.replace(/\d+$/, "") : written);
      if (!asset) return;
      const emitted = JSON.parse(readFileSync(join(folder, "out/stepproof.manifest.json"), "utf8")) as {
        workflows: Record<string, { hash: string }>;
      };
      expect(`order ${emitted.workflows["order"]?.hash ?? ""}`).toBe(manifest);
    });
  });

  describe.each([
    ["5.9", undefined],
    ["6.0", "typescript-6"],
  ] as const)("tsc %s", (_version, typescript) => {
    const name = `tsc@${typescript ?? "5"}`;
    const config = readFileSync(
      new URL("../../fixtures/apps/with-tsc/tsconfig.json", import.meta.url),
      "utf8",
    );

    test("shows the way as related information, and writes what is no error beside it", () => {
      const { code, output } = run(
        layOut(tools, name, {}, typescript),
        bin(tools, "tspc"),
        "--noEmit",
        "--pretty",
      );
      expect(code).toBe(2);
      expect(output).toMatch(/src\/reviewers\.ts:2:27\n.*Math\.random\(\)/s);
      const only = run(
        layOut(
          tools,
          name,
          { "src/reviewers.ts": "export const chooseReviewer = (names: string[]) => names[0];\n" },
          typescript,
        ),
        bin(tools, "tspc"),
        "--noEmit",
      );
      expect(only.output).toContain("warning TS90006: [no-console]");
      expect(only.code, only.output).toBe(0);
    });

    test("leaves declarations as they are, and emits as before with `emit: false`", () => {
      const folder = layOut(tools, name, WITHOUT_FAULT, typescript);
      run(folder, bin(tools, "tspc"), "-p", ".");
      expect(readFileSync(join(folder, "out/order.d.ts"), "utf8")).not.toContain("stepproofCarry");
      expect(readFileSync(join(folder, "out/order.js"), "utf8")).toContain("stepproofCarry");
      const off = layOut(
        tools,
        name,
        {
          ...WITHOUT_FAULT,
          "tsconfig.json": config.replace('"transformProgram": true', '$&, "emit": false'),
        },
        typescript,
      );
      run(off, bin(tools, "tspc"), "-p", ".");
      expect(readFileSync(join(off, "out/order.js"), "utf8")).not.toContain("stepproofCarry");
    });

    test("sees a helper's body change under incremental and -b, with what was built before", () => {
      const clean =
        "export function chooseReviewer(names: readonly string[]): string {\n  return names[0] ?? '';\n}\n";
      const incremental = config.replace('"compilerOptions": {', '$& "composite": true,');
      const folder = layOut(
        tools,
        name,
        { "tsconfig.json": incremental, "src/reviewers.ts": clean },
        typescript,
      );
      const build = () => run(folder, bin(tools, "tspc"), "-b");
      expect(build().code).toBe(0);
      const faulty = readFileSync(
        new URL("../../fixtures/apps/common/src/reviewers.ts", import.meta.url),
        "utf8",
      );
      writeInto(folder, "src/reviewers.ts", faulty);
      const second = build();
      expect(second.output).toContain(FINDING);
      expect(second.code).toBe(1);
      expect(build().output).toContain(FINDING);
      writeInto(folder, "src/reviewers.ts", clean);
      expect(build().code).toBe(0);
    });

    test("reads the sources of a referenced project", () => {
      const folder = layOut(
        tools,
        name,
        {
          "tsconfig.json": config.replace('"include": ["src"]', '$&, "references": [{ "path": "lib" }]'),
          "src/reviewers.ts": 'export { chooseReviewer } from "../lib/out/choose.js";\n',
          "lib/tsconfig.json": JSON.stringify({
            compilerOptions: { ...baseOf(config), plugins: [], rootDir: ".", outDir: "out", composite: true },
            include: ["*.ts"],
          }),
          "lib/choose.ts":
            "export const chooseReviewer = (names: readonly string[]): string => String(Math.random()) + names[0];\n",
        },
        typescript,
      );
      const { code, output } = run(folder, bin(tools, "tspc"), "-b");
      expect(output).toContain(FINDING);
      expect(code).not.toBe(0);
    });

    test("says once what is wrong with its options or its config, and builds on", () => {
      const twice = config.replace(/"plugins": \[(.*)\]/, '"plugins": [$1, $1]');
      const folder = layOut(
        tools,
        name,
        {
          ...WITHOUT_FAULT,
          "tsconfig.json": twice.replace('"transformProgram": true', '$&, "failon": "error"'),
          "stepproof.config.json": '{ "rulez": {} }',
        },
        typescript,
      );
      const { code, output } = run(folder, bin(tools, "tspc"), "-p", ".");
      expect(code, output).toBe(0);
      expect(output.match(/listed twice/g)).toHaveLength(1);
      expect(output.match(/there is no option "failon"/g)).toHaveLength(1);
      expect(output.match(/there is no key "rulez"; did you mean "rules"/g)).toHaveLength(1);
    });

    test("an editor's session shows findings, follows unsaved text and offers fixes", async () => {
      const folder = layOut(tools, "tsserver");
      const file = join(folder, "src/triage.ts");
      const server = new TsServer(join(tools, "node_modules", typescript ?? "typescript"), folder);
      try {
        server.open(file);
        const first = await server.diagnostics(file);
        expect(first.map((one) => `${one.start.line}:${one.start.offset} ${one.code}`)).toEqual([
          "6:22 90001",
          "8:5 90006",
        ]);
        expect(first[0]?.relatedInformation?.map((one) => one.message)).toEqual([
          'workflow "triage"',
          "calls chooseReviewer()",
          "Math.random()",
        ]);
        const text = readFileSync(file, "utf8").replace("await ctx.step", "ctx.step");
        server.open(file, text);
        const found = (await server.diagnostics(file)).find((one) => one.code === 90103);
        const fixes = await server.ask<readonly { readonly description: string }[]>("getCodeFixes", {
          file,
          startLine: found?.start.line,
          startOffset: found?.start.offset,
          endLine: found?.end.line,
          endOffset: found?.end.offset,
          errorCodes: [90103],
        });
        expect(fixes.map((one) => one.description)).toEqual(["Add `await`"]);
      } finally {
        server.stop();
      }
    });
  });

  test("beside tsc 7 the command finds the same with its checker as without, and says so where it can't ask it", () => {
    const folder = layOut(tools, "typescript-7", {}, "typescript-7");
    const check = (...args: string[]) =>
      run(folder, bin(tools, "stepproof"), "check", "--no-cache", "--format", "json", ...args);
    const found = (output: string): unknown => {
      const report = JSON.parse(output) as { diagnostics: unknown; notes: unknown };
      return [report.diagnostics, report.notes];
    };
    const native = check("--native");
    expect(native.code, native.output).toBe(1);
    expect(native.output).toContain("Math.random()");
    expect(found(native.output)).toEqual(found(check().output));
    // The other TypeScripts are no 7.
    const other = run(
      layOut(tools, "typescript-7"),
      bin(tools, "stepproof"),
      "check",
      "--no-cache",
      "--native",
    );
    expect(other.output.match(/TypeScript 7's own checker was asked for/g)).toHaveLength(1);
    expect(other.code).toBe(1);
  });

  test("vitest runs the transformed code, and fails a suite with the finding", () => {
    const { code, output } = run(layOut(tools, "vitest"), bin(tools, "vitest"), "run");
    expect(code).toBe(1);
    expect(output).toContain(FINDING);
    expect(output).toContain("2 passed");
  });

  test("Node's loader, with tsx, runs the transformed code, and refuses a module with the finding", () => {
    const folder = layOut(tools, "node-loader");
    const node = (file: string) =>
      run(folder, process.execPath, "--import", "stepproof/register", "--import", "tsx", file);
    const good = node("src/main.ts");
    expect(good.code, good.output).toBe(0);
    expect(good.output).toContain(`"carries":["${manifest}"]`);
    expect(good.output).toContain(written);
    const bad = node("src/triage.ts");
    expect(bad.code).not.toBe(0);
    expect(bad.output).toContain(FINDING);
  });

  test("code for the published rivetkit runs transformed: its workflow carries the command's manifest", () => {
    const folder = layOut(tools, "node-loader", { "src/counter.ts": COUNTER });
    const { code, output } = run(
      folder,
      process.execPath,
      "--import",
      "stepproof/register",
      "--import",
      "tsx",
      "src/counter.ts",
    );
    expect(code, output).toBe(0);
    const made = run(folder, bin(tools, "stepproof"), "manifest", "-o", "-", "src/counter.ts");
    const { hash } = (JSON.parse(made.output) as Written).workflows["counter"] ?? {};
    expect(output).toContain(JSON.stringify({ use: ["counter"], carries: [`counter ${hash ?? ""}`] }));
  });

  test.runIf(Number(process.versions.node.split(".")[0]) >= 22)(
    "Node's loader, with native stripping",
    () => {
      const folder = layOut(tools, "node-loader");
      for (const name of ["main", "triage"]) {
        const text = readFileSync(join(folder, `src/${name}.ts`), "utf8");
        writeInto(folder, `src/${name}.ts`, text.replaceAll(/(from "\.\/\w+)\.js"/g, '$1.ts"'));
      }
      const good = run(folder, process.execPath, "--import", "stepproof/register", "src/main.ts");
      expect(good.output).toContain(`"carries":["${manifest}"]`);
      expect(good.output).toContain(written);
      const bad = run(folder, process.execPath, "--import", "stepproof/register", "src/triage.ts");
      expect(bad.output).toContain(FINDING);
    },
  );

  test("oxlint runs the same plugin", () => {
    const { code, output } = run(layOut(tools, "oxlint"), bin(tools, "oxlint"), "src");
    expect(code, output).toBe(1);
    expect(output).toContain("stepproof(no-nondeterminism)");
    expect(output).toContain("calls chooseReviewer() (src/triage.ts:6)");
    expect(output).toContain("stepproof(no-console)");
  });

  test.each(["eslint", "eslint-9"])("%s reports through its plugin", (eslint) => {
    const folder = layOut(tools, "eslint");
    const program = join(tools, "node_modules", eslint, "bin/eslint.js");
    const { code, output } = run(folder, process.execPath, program, "src");
    expect(code, output).toBe(1);
    expect(output).toContain("stepproof/no-nondeterminism");
    expect(output).toContain("stepproof/no-console");
  });
});

function writeInto(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

function baseOf(config: string): Readonly<Record<string, unknown>> {
  return (JSON.parse(config) as { compilerOptions: Record<string, unknown> }).compilerOptions;
}
