import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { ESLint } from "eslint";
import tseslint from "typescript-eslint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { check, RULES } from "stepproof";
import plugin from "./index.js";

const HELPER = "export const pick = (n: number): number => Math.floor(Math.random() * n);\n";
const WORKFLOW = `import { workflow } from "@rivet-dev/workflows";
import { pick } from "./pick";

export const triage = workflow({
  run: async (ctx) => {
    const reviewer = pick(3);
    ctx.step("ask", async () => reviewer);
    await ctx.sleep("window", 60_000);
  },
});
`;

let folder = "";
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "stepproof-lint-")));
  writeFileSync(join(folder, "pick.ts"), HELPER);
  writeFileSync(join(folder, "triage.ts"), WORKFLOW);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { strict: true } }));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function eslint(typed: boolean): ESLint {
  return new ESLint({
    cwd: folder,
    overrideConfigFile: true,
    overrideConfig: [
      {
        files: ["**/*.ts"],
        languageOptions: {
          // The parser's own types are of another release of ESLint's.
          parser: tseslint.parser as never,
          parserOptions: typed ? { projectService: true, tsconfigRootDir: folder } : {},
        },
      },
      plugin.configs.recommended,
    ],
  });
}

async function findings(typed: boolean, text = WORKFLOW): Promise<string[]> {
  const [result] = await eslint(typed).lintText(text, { filePath: join(folder, "triage.ts") });
  return (result?.messages ?? []).map((one) => `${one.line} ${one.ruleId} ${one.message.split("\n")[0]}`);
}

describe("the ESLint plugin", () => {
  it("has one rule per row of the rule table, with its docs", () => {
    expect(Object.keys(plugin.rules)).toEqual(RULES.map((row) => row.slug));
    for (const rule of Object.values(plugin.rules)) expect(rule.meta?.docs?.url).toMatch(/^https:/);
  });

  it.each([true, false])(
    "reports what the command reports, helpers in other files included (typed: %s)",
    async (typed) => {
      const command = check({ cwd: folder, paths: ["triage.ts"] }).reported.map(
        ({ diagnostic }) => `${diagnostic.line} stepproof/${diagnostic.rule} ${diagnostic.message}`,
      );
      expect(command).toHaveLength(2);
      expect(await findings(typed)).toEqual(command);
    },
  );

  it.each([true, false])("judges unsaved text, not what is on disk (typed: %s)", async (typed) => {
    const mended = WORKFLOW.replace("ctx.step(", "await ctx.step(").replace("pick(3)", "3");
    expect(await findings(typed, mended)).toEqual([]);
  });

  it("follows the config in settings", async () => {
    const linter = new ESLint({
      cwd: folder,
      overrideConfigFile: true,
      overrideConfig: [
        // As above.
        { files: ["**/*.ts"], languageOptions: { parser: tseslint.parser as never } },
        { settings: { stepproof: { pure: ["./pick.ts#pick"] } } },
        plugin.configs.recommended,
      ],
    });
    const [result] = await linter.lintText(WORKFLOW, { filePath: join(folder, "triage.ts") });
    expect(result?.messages.map((one) => one.ruleId)).toContain("stepproof/await-entries");
  });

  it("follows a helper into another package of a monorepo, each with its own tsconfig", async () => {
    const put = (name: string, text: string): void => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    };
    const tsconfig = JSON.stringify({ compilerOptions: { strict: true, types: [], noEmit: true } });
    put("packages/lib/tsconfig.json", tsconfig);
    put("packages/lib/src/pick.ts", HELPER);
    put("packages/lib/package.json", JSON.stringify({ name: "lib", exports: "./src/pick.ts" }));
    put("packages/app/tsconfig.json", tsconfig);
    put("packages/app/src/triage.ts", WORKFLOW.replace("./pick", "../../lib/src/pick"));
    put("packages/app/src/linked.ts", WORKFLOW.replace("./pick", "lib"));
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    symlinkSync(join(folder, "packages/lib"), join(folder, "node_modules/lib"));
    const results = await eslint(true).lintFiles(["packages/**/*.ts"]);
    const told = results.flatMap(({ filePath, messages }) =>
      messages.map((one) => `${basename(filePath)}:${one.line} ${one.ruleId}`),
    );
    expect(told.sort()).toEqual([
      "linked.ts:6 stepproof/no-nondeterminism",
      "linked.ts:7 stepproof/await-entries",
      "triage.ts:6 stepproof/no-nondeterminism",
      "triage.ts:7 stepproof/await-entries",
    ]);
  });

  it("says once that it works without types, and what is wrong with its settings, and goes on", async () => {
    const warnings: string[] = [];
    const listen = (warning: Error): void => {
      if (warning.name === "Stepproof") warnings.push(warning.message);
    };
    process.on("warning", listen);
    const linter = new ESLint({
      cwd: folder,
      overrideConfigFile: true,
      overrideConfig: [
        {
          files: ["**/*.ts"],
          // A parser of its own: what was told is kept by it.
          languageOptions: { parser: { ...tseslint.parser } as never },
          settings: { stepproof: { rulez: {} } },
        },
        plugin.configs.recommended,
      ],
    });
    for (const name of ["a.ts", "b.ts"]) {
      const [result] = await linter.lintText(WORKFLOW, { filePath: join(folder, name) });
      expect(result?.messages.map((one) => one.ruleId)).toContain("stepproof/no-nondeterminism");
    }
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", listen);
    expect(warnings).toEqual([
      expect.stringContaining('there is no key "rulez"; did you mean "rules"?'),
      expect.stringContaining("no type information"),
    ]);
  });
});
