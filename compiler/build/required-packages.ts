import { createRequire } from "node:module";
import type { Plugin } from "esbuild";

/**
 * Has packages that are CommonJS required where they are imported: before it runs what is imported, Node scans it for
 * the names that it exports.
 */
export function requiredPackages(names: readonly string[]): Plugin {
  const load = createRequire(import.meta.url);
  return {
    name: "required packages",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
        kind === "import-statement" && names.includes(path) ? { path, namespace: "required" } : undefined,
      );
      build.onLoad({ filter: /./, namespace: "required" }, ({ path }) => ({
        contents: `import { createRequire } from "node:module";
const all = createRequire(import.meta.url)(${JSON.stringify(path)});
export default all;
export const { ${Object.keys(load(path) as object)
          .filter((name) => /^[A-Za-z]\w*$/.test(name) && name !== "default")
          .join(", ")} } = all;`,
      }));
    },
  };
}
