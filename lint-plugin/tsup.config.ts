import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts" },
  format: ["esm", "cjs"],
  target: "node20",
  platform: "node",
  clean: false,
  dts: { compilerOptions: { ignoreDeprecations: "6.0", resolveJsonModule: true } },
  cjsInterop: true,
});
