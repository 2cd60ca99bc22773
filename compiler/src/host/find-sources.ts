import { absolutePath, type Files } from "./files.js";
import { isDeclaration } from "./modules.js";
import { ProjectError } from "./project-error.js";

const EXTENSIONS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"] as const;
const SKIPPED = ["**/node_modules", "**/dist", "**/build", "**/coverage", "**/.*"];

/** True when one of the module names stands in the text, so that the file may import it. */
export function mentionsAny(text: string, modules: readonly string[]): boolean {
  return modules.some((module) => text.includes(module));
}

/**
 * Source files for what was written on the command line: files, folders (searched below, without packages, build
 * output and declarations) and globs (`*`, `**`, `?`). Absolute, sorted, each once.
 * @throws {ProjectError} for a path that is not there, that is no source file, or a folder without one.
 */
export function findSources(paths: readonly string[], files: Files): string[] {
  const found = new Set<string>();
  for (const written of paths) for (const path of sourcesAt(written, files)) found.add(path);
  return [...found].sort();
}

function sourcesAt(written: string, files: Files): readonly string[] {
  const path = absolutePath(written, files.cwd);
  if (files.fileExists(path)) {
    if (EXTENSIONS.some((extension) => path.endsWith(extension))) {
      if (files.read(path) === undefined)
        throw new ProjectError("path-unreadable", path, `Can't read ${written}.`);
      return [path];
    }
    throw new ProjectError(
      "not-a-source-file",
      path,
      `${written} is neither TypeScript nor JavaScript. Name a source file, a folder or a glob (a tsconfig goes after -p).`,
    );
  }
  if (files.directoryExists(path)) {
    const found = files.below(path, EXTENSIONS, SKIPPED, undefined).filter(isSource);
    if (found.length > 0) return found;
    const folder = path === files.cwd ? path : written;
    throw new ProjectError("no-source-files", path, `No TypeScript or JavaScript file below ${folder}.`);
  }
  if (/[*?]/.test(written)) {
    const found = files.below(files.cwd, EXTENSIONS, SKIPPED, [path]).filter(isSource);
    if (found.length > 0) return found;
    throw new ProjectError("no-source-files", path, `No TypeScript or JavaScript file matches ${written}.`);
  }
  throw new ProjectError("path-not-found", path, `There is no file or folder ${written} in ${files.cwd}.`);
}

function isSource(path: string): boolean {
  return !isDeclaration(path);
}
