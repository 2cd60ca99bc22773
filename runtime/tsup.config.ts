import { defineConfig } from "tsup";

const shared = { target: "node20", platform: "node", clean: false, sourcemap: false } as const;

/** The doors of the package, as `exports` in package.json names them. */
const doors = {
  index: "src/index.ts",
  "engine/index": "src/engine/index.ts",
  "engine/operate/index": "src/engine/operate/index.ts",
  "store/index": "src/store/index.ts",
  guard: "src/host/guard.ts",
  "manifest/index": "src/manifest/index.ts",
  "client/index": "src/client/index.ts",
  "testing/index": "src/testing/index.ts",
};

export default defineConfig([
  {
    ...shared,
    entry: doors,
    format: "esm",
    splitting: true,
    dts: { entry: doors, compilerOptions: { ignoreDeprecations: "6.0" } },
  },
  // ESLint, Babel and ts-patch load the checker as CommonJS, and with it this.
  { ...shared, entry: { "manifest/index": "src/manifest/index.ts" }, format: "cjs" },
]);
