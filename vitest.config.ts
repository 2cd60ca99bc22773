import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^@stepproof\/runtime\/(engine|engine\/operate|store|manifest|client|testing)$/,
        replacement: source("./runtime/src/$1/index.ts"),
      },
      { find: /^@stepproof\/runtime\/guard$/, replacement: source("./runtime/src/host/guard.ts") },
      { find: /^@stepproof\/runtime$/, replacement: source("./runtime/src/index.ts") },
      { find: /^@rivet-dev\/workflows$/, replacement: source("./runtime/src/index.ts") },
      { find: /^stepproof$/, replacement: source("./compiler/src/index.ts") },
      { find: /^eslint-plugin-stepproof$/, replacement: source("./lint-plugin/src/index.ts") },
    ],
  },
  test: {
    include: ["{runtime,compiler,lint-plugin}/src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ["default"],
  },
});
