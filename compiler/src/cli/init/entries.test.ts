import { describe, expect, it } from "vitest";
import { withEslintEntry } from "./eslint-entry.js";
import { dependsOn, withScripts, withTsPlugin } from "./json-entries.js";

const ENTRY = "stepproof.configs.recommended";
const IMPORT = `import stepproof from "eslint-plugin-stepproof";`;

describe("the ESLint entry", () => {
  it("goes behind the last element, on a line of its own where that has one", () => {
    const before = `import js from "@eslint/js";\n\nexport default [\n  js.configs.recommended,\n  { rules: {} }, // ours\n];\n`;
    expect(withEslintEntry(before, "eslint.config.js")).toBe(
      `import js from "@eslint/js";\n${IMPORT}\n\nexport default [\n  js.configs.recommended,\n  { rules: {} }, // ours\n  ${ENTRY},\n];\n`,
    );
  });

  it.each([
    ["one line", `export default [a, b];\n`, `export default [a, b, ${ENTRY}];\n`],
    ["an empty list", `export default [];\n`, `export default [${ENTRY}];\n`],
    [
      "a call with a list",
      `export default defineConfig([\n\ta\n]);\n`,
      `export default defineConfig([\n\ta,\n\t${ENTRY},\n]);\n`,
    ],
    [
      "a call with arguments",
      `export default tseslint.config(\n  a,\n  ...b,\n);\n`,
      `export default tseslint.config(\n  a,\n  ...b,\n  ${ENTRY},\n);\n`,
    ],
    [
      "a variable with a type",
      `const config = [a] satisfies Config;\nexport default config;\n`,
      `const config = [a, ${ENTRY}] satisfies Config;\nexport default config;\n`,
    ],
  ])("knows %s", (_name, before, after) => {
    expect(withEslintEntry(before, "eslint.config.ts")).toBe(`${IMPORT}\n\n${after}`);
  });

  it("is required in CommonJS, below the other requires", () => {
    const before = `// @ts-check\nconst a = require("a");\n\nmodule.exports = [a];\n`;
    expect(withEslintEntry(before, "eslint.config.cjs")).toBe(
      `// @ts-check\nconst a = require("a");\nconst stepproof = require("eslint-plugin-stepproof");\n\nmodule.exports = [a, ${ENTRY}];\n`,
    );
  });

  it("keeps CRLF", () => {
    const after = withEslintEntry(
      `import a from "a";\r\nexport default [\r\n  a,\r\n];\r\n`,
      "eslint.config.js",
    );
    expect(after).toContain(`  a,\r\n  ${ENTRY},\r\n];`);
    expect(after?.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it.each([
    "export default async () => [];",
    "export default { rules: {} };",
    "export default [",
    "export const a = [];",
    "export default other;",
  ])("is not written into what can't be understood: %s", (text) => {
    expect(withEslintEntry(text, "eslint.config.js")).toBeNull();
  });
});

describe("the tsconfig entry", () => {
  const PLUGIN = `"name": "stepproof/language-service"`;

  it("keeps comments, trailing commas, tabs and CRLF", () => {
    const before = `{\r\n\t// strict\r\n\t"compilerOptions": {\r\n\t\t"strict": true, // yes\r\n\t},\r\n}\r\n`;
    const edit = withTsPlugin(before);
    const text = edit?.state === "change" ? edit.text : "";
    expect(text).toContain("// strict\r\n");
    expect(text).toContain(`"strict": true`);
    expect(text).toContain("// yes");
    expect(text).toContain(PLUGIN);
    expect(text).toContain(`\r\n\t\t"plugins": [`);
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    expect(withTsPlugin(text)).toEqual({ state: "there" });
  });

  it("goes beside other plugins, and into a tsconfig without options", () => {
    const beside = withTsPlugin(`{ "compilerOptions": { "plugins": [{ "name": "next" }] } }`);
    expect(beside?.state === "change" && beside.text).toMatch(/"name": "next"[\s\S]*"stepproof\//);
    const alone = withTsPlugin(`{ "extends": "./base.json" }`);
    expect(alone?.state === "change" && alone.text).toContain(PLUGIN);
  });

  it.each(["", "[]", "{ oops", `"text"`])("is not written into what is no JSON object: %j", (text) => {
    expect(withTsPlugin(text)).toBeNull();
  });
});

describe("the scripts of package.json", () => {
  it("are added, and those that are there stay", () => {
    const edit = withScripts(
      `{\n    "name": "app",\n    "files": ["a", "b"],\n    "scripts": { "manifest": "mine" }\n}`,
    );
    const text = edit?.state === "change" ? edit.text : "";
    expect(JSON.parse(text)).toEqual({
      name: "app",
      files: ["a", "b"],
      scripts: { manifest: "mine", "check:workflows": "stepproof check" },
    });
    expect(text).toContain(`"files": ["a", "b"]`);
    expect(withScripts(text)).toEqual({ state: "there" });
  });

  it("tell of dependencies of any kind", () => {
    expect(dependsOn(`{ "devDependencies": { "eslint": "^10" } }`, "eslint")).toBe(true);
    expect(dependsOn(`{ "dependencies": {} }`, "eslint")).toBe(false);
  });
});
