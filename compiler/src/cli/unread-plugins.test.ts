import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { unreadPlugins } from "./unread-plugins.js";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "stepproof-plugins-")));
  put("base.json", '{ "compilerOptions": { "plugins": [{ "transform": "stepproof/transformer" }] } }');
  put("tsconfig.json", '{ "extends": "./base" }');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function put(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const install = (version: string): void => {
  put("node_modules/typescript/package.json", JSON.stringify({ name: "typescript", version }));
};

test("a tsconfig that names our plugin is told when the project's TypeScript is 7", () => {
  install("7.0.2");
  expect(unreadPlugins(folder, undefined)).toMatch(
    /tsconfig\.json names stepproof\/transformer, but the project's TypeScript is 7\.0\.2, which runs no plugins/,
  );
  expect(unreadPlugins(dirname(folder), folder)).toContain("7.0.2");
});

test.each([
  ["TypeScript 6", () => install("6.0.3")],
  ["no TypeScript", () => undefined],
  ["no plugin", () => (install("7.0.2"), put("base.json", "{}"))],
  ["no tsconfig", () => (install("7.0.2"), rmSync(join(folder, "tsconfig.json")))],
  ["a base that is missing", () => (install("7.0.2"), rmSync(join(folder, "base.json")))],
])("with %s nothing is said", (_what, lay) => {
  put(".git/HEAD", "");
  lay();
  expect(unreadPlugins(folder, undefined)).toBeNull();
});
