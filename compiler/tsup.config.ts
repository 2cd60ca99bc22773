import { cpSync, rmSync } from "node:fs";
import { defineConfig } from "tsup";
import { requiredPackages } from "./build/required-packages.js";
import { writeParser } from "./build/write-parser.js";

/** The docs travel with the package: `stepproof explain` prints them, and their address leads there. */
function copyDocs(): void {
  rmSync("docs", { recursive: true, force: true });
  cpSync("../docs/rules", "docs/rules", {
    recursive: true,
    filter: (path) => !path.endsWith("_template.md"),
  });
}

// Once, before the three builds that write here side by side: chunks of earlier builds would be packed as well.
rmSync("dist", { recursive: true, force: true });
await writeParser("dist/typescript");

const shared = {
  target: "node20",
  platform: "node",
  clean: false,
  sourcemap: false,
  define: { PARSER_FILE: JSON.stringify("./typescript/parser.cjs") },
} as const;

const named = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `src/plugin/${name}.ts`]));

/** Bundlers import or require their plugins. */
const BUNDLERS = ["vite", "rollup", "rolldown", "webpack", "rspack", "esbuild", "farm", "vitest"];
/** These hosts require their plugins, whatever the project is. */
const REQUIRED = ["transformer", "language-service", "babel"];
/** Node loads these with `--import`. */
const LOADED = ["register", "register-thread"];

const COMMONJS = ["commander", "picocolors", "picomatch", "@babel/code-frame", "fastest-levenshtein"];

const typed = { index: "src/index.ts", ...named([...BUNDLERS, ...REQUIRED]) };

export default defineConfig([
  {
    ...shared,
    entry: {
      index: "src/index.ts",
      "cli/main": "src/cli/main.ts",
      "cli/dev/serve": "src/cli/dev/serve.ts",
      ...named([...BUNDLERS, ...LOADED]),
    },
    format: "esm",
    // Left to the plugin, which leaves them outside in its own way.
    noExternal: COMMONJS,
    esbuildPlugins: [requiredPackages(COMMONJS)],
    // One chunk per command: a command loads only what it needs.
    splitting: true,
    dts: { entry: typed, compilerOptions: { ignoreDeprecations: "6.0" } },
    onSuccess: () => Promise.resolve(copyDocs()),
  },
  { ...shared, entry: { index: "src/index.ts" }, format: "cjs", shims: true },
  {
    ...shared,
    entry: named([...BUNDLERS, ...REQUIRED]),
    format: "cjs",
    // `module.exports` is the plugin, as hosts that require it expect; `.default` for those that know ES modules.
    footer: {
      js: "module.exports = Object.assign(module.exports.default, { default: module.exports.default });",
    },
    esbuildPlugins: [
      {
        name: "one copy of the checker",
        setup(build) {
          build.onResolve({ filter: /^(?:\.\.\/)+index\.js$/ }, () => ({
            path: "./index.cjs",
            external: true,
          }));
        },
      },
    ],
  },
]);
