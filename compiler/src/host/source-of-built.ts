import type ts from "typescript";
import { typescript } from "./typescript.js";
import { folderOf } from "./disk.js";
import type { Files } from "./files.js";
import { nearestConfig, readConfig } from "./tsconfig.js";

/**
 * Finds the source that a built file of the program stands for, so that helpers in referenced projects and workspace
 * packages are read as they are written: `packages/lib/dist/x.d.ts` → `packages/lib/src/x.ts`, by the `outDir` and
 * `rootDir` of the tsconfig next to it. The built file need not exist. The answer is `null` where there is no source.
 */
export function createSourceFinder(
  files: Files,
  references: readonly ts.ProjectReference[],
): (builtFile: string) => string | null {
  const configs = new Map<string, ReturnType<typeof readConfig> | null>();
  const referenced = references.map((reference) => typescript.resolveProjectReferencePath(reference));
  return (built) => {
    const near = nearestConfig(built, files);
    for (const path of [...referenced, ...(near === null ? [] : [near])]) {
      const source = sourceUnder(configOf(path), built, files);
      if (source !== null) return source;
    }
    return null;
  };

  function configOf(path: string): ReturnType<typeof readConfig> | null {
    let config = configs.get(path);
    if (config === undefined) {
      try {
        config = readConfig(path, files, false);
      } catch (error) {
        // A broken config of someone else's package only means that what it has built stays what it is.
        if (!(error instanceof Error) || error.name !== "ProjectError") throw error;
        config = null;
      }
      configs.set(path, config);
    }
    return config;
  }
}

function sourceUnder(
  config: ReturnType<typeof readConfig> | null,
  built: string,
  files: Files,
): string | null {
  if (config === null) return null;
  const folder = folderOf(config.path);
  const out = config.options.declarationDir ?? config.options.outDir;
  if (out === undefined || !built.startsWith(`${out}/`)) return null;
  const stem = built.slice(out.length + 1).replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "");
  const from = config.options.rootDir === undefined ? [`${folder}/src`, folder] : [config.options.rootDir];
  const candidates = from.flatMap((root) =>
    [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx"].map((end) => `${root}/${stem}${end}`),
  );
  return candidates.find((path) => files.fileExists(path)) ?? null;
}
