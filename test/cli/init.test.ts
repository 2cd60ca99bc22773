import { appendFileSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { GOOD, project, ROOT, stepproof } from "./command.js";

const FILES = {
  "package.json": `{\n  "name": "app",\n  "devDependencies": { "eslint": "^10", "stepproof": "0.1.0" }\n}\n`,
  "tsconfig.json": `{\n  // strict\n  "compilerOptions": { "strict": true }\n}\n`,
  "eslint.config.js": `export default [\n  { rules: {} },\n];\n`,
  "order.ts": GOOD,
};

it("init --yes sets a project up, says what it did, and touches nothing the second time", () => {
  const folder = project(FILES);
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const first = stepproof(folder, "init", "--yes");
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout.match(/^(written|changed) +\S+/gm)?.map((line) => line.replace(/ +/, " "))).toEqual([
    "written stepproof.config.ts:",
    "changed package.json:",
    "changed tsconfig.json:",
    "changed eslint.config.js:",
    "written .github/workflows/stepproof.yml:",
  ]);
  expect(first.stdout).toContain("npm install --save-dev eslint-plugin-stepproof");
  expect(read("tsconfig.json")).toMatch(/\/\/ strict[\s\S]*stepproof\/transformer/);
  expect(read("eslint.config.js")).toContain("stepproof.configs.recommended");
  expect(stepproof(folder, "check").code).toBe(0);

  const before = Object.keys(FILES).map(read);
  const second = stepproof(folder, "init", "--yes", "--ci", "shell");
  expect(second.stdout.match(/^kept/gm)).toHaveLength(4);
  expect(second.stdout).toContain("written  scripts/stepproof-ci.sh");
  expect(Object.keys(FILES).map(read)).toEqual(before);
});

it("a new ESLint config asks the project's types; what was changed since is no matter, but for the CI files", () => {
  const folder = project({ "package.json": `{ "name": "app", "devDependencies": { "eslint": "^10" } }\n` });
  stepproof(folder, "init", "--yes");
  expect(readFileSync(join(folder, "eslint.config.mjs"), "utf8")).toContain("projectService: true");
  for (const name of ["stepproof.config.ts", ".github/workflows/stepproof.yml"])
    appendFileSync(join(folder, name), name.endsWith(".yml") ? "# ours\n" : "// ours\n");
  const { stdout } = stepproof(folder, "init", "--yes");
  expect(stdout).toContain("kept     stepproof.config.ts: it is there already\n");
  expect(stdout).toMatch(/kept +\.github\/workflows\/stepproof\.yml: [^\n]*docs\/ci\.md/);
});

it("init says what it can't edit, and how it is done by hand", () => {
  const folder = project({
    "tsconfig.json": "{ oops",
    "eslint.config.js": "export default makeConfig;\n",
    ".gitlab-ci.yml": "test:\n  script: [true]\n",
  });
  const { code, stdout } = stepproof(folder, "init", "--yes");
  expect(code).toBe(0);
  expect(stdout).toMatch(/left +tsconfig\.json: it can't be edited safely[^]*"plugins": \[/);
  expect(stdout).toMatch(/left +eslint\.config\.js: [^]*import stepproof from "eslint-plugin-stepproof";/);
  expect(stdout).toContain("written  .gitlab/stepproof.yml");
  expect(readFileSync(join(folder, "tsconfig.json"), "utf8")).toBe("{ oops");
});
