import { cpSync, rmSync } from "node:fs";
import { defineConfig } from "tsup";

/** The docs travel with the package: `stepproof explain` prints them, and their address leads there. */
function copyDocs(): void {
  rmSync("docs", { recursive: true, force: true });
  cpSync("../docs/rules", "docs/rules", {
    recursive: true,
    filter: (path) => !path.endsWith("_template.md"),
  });
}

const shared = { target: "node20", platform: "node", clean: false, sourcemap: false } as const;

export default defineConfig([
  {
    ...shared,
    entry: { index: "src/index.ts", "cli/main": "src/cli/main.ts" },
    format: "esm",
    // One chunk per command: a command loads only what it needs.
    splitting: true,
    dts: { entry: { index: "src/index.ts" }, compilerOptions: { ignoreDeprecations: "6.0" } },
    onSuccess: () => Promise.resolve(copyDocs()),
  },
  { ...shared, entry: { index: "src/index.ts" }, format: "cjs", shims: true },
]);
