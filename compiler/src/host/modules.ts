import { builtinModules } from "node:module";
import type ts from "typescript";
import { typescript } from "./typescript.js";
import { folderOf } from "./disk.js";
import type { Files } from "./files.js";
import { packageOf } from "./package-of.js";
import { isInPackage } from "./source-unit.js";

/** What an import specifier leads to. */
export type ModuleTarget =
  /** A source file of the program, or of the package that asks. */
  | { readonly kind: "file"; readonly path: string }
  /** A package, a module of the platform, an asset, or something that is not there; under the name the import uses. */
  | { readonly kind: "external"; readonly module: string };

export interface ModuleResolver {
  /** `how` = which of `import` and `require` asks, since a package may answer them differently. */
  resolve(specifier: string, fromFile: string, how: "import" | "require"): ModuleTarget;
  /** The JavaScript that an installed package runs for a specifier; `null` when there is none. */
  implementation(specifier: string, fromFile: string, how: "import" | "require"): string | null;
}

/** Modules of Node that exist only behind `node:`, so that the bare name is a package of someone else. */
const PREFIX_ONLY = new Set(
  builtinModules.filter((name) => name.startsWith("node:")).map((name) => name.slice(5)),
);
for (const name of ["sea", "sqlite", "test", "test/reporters"]) PREFIX_ONLY.add(name);

/**
 * A module's name as facts and catalogue spell it: without `node:` (`node:fs/promises` is `fs/promises`), except for
 * the modules that exist only behind the prefix (`node:sqlite`, `node:test`), where the bare name means a package.
 */
export function moduleName(specifier: string): string {
  if (!specifier.startsWith("node:")) return specifier;
  const bare = specifier.slice("node:".length);
  return PREFIX_ONLY.has(bare) ? specifier : bare;
}

/** The package itself or a subpath of it. */
function isWithin(specifier: string, module: string): boolean {
  return specifier === module || specifier.startsWith(`${module}/`);
}

/**
 * Resolves imports the way TypeScript does under `options`, with JavaScript allowed everywhere.
 * @param engineModules packages that stay external even when a path alias, a workspace link or a relative path leads
 * to their source: the solver knows them by name, and what an engine does inside is never followed.
 */
export function createModuleResolver(
  files: Files,
  options: ts.CompilerOptions,
  sourceOf: (builtFile: string) => string | null,
  engineModules: readonly string[],
): ModuleResolver {
  const host: ts.ModuleResolutionHost = {
    fileExists: (path) => files.fileExists(path),
    readFile: (path) => files.read(path),
    directoryExists: (path) => files.directoryExists(path),
    realpath: (path) => files.realpath(path),
    getDirectories: (path) => files.directories(path),
    getCurrentDirectory: () => files.cwd,
  };
  const inProgram = resolution(host, files.cwd, { ...options, allowJs: true, resolveJsonModule: true });
  const inPackages = resolution(host, files.cwd, packageOptions());
  const engines = new Map<string, string | null>();

  return {
    resolve: perFolder(find),
    implementation: (specifier, fromFile, how) => inPackages(specifier, fromFile, how).path,
  };

  /** The engine's package that a file is of, told by the nearest package.json; `null` for any other file. */
  function engineOf(path: string): string | null {
    const folder = folderOf(path);
    let engine = engines.get(folder);
    if (engine === undefined) {
      const name = packageOf(path, files)?.name ?? null;
      engine = name !== null && engineModules.includes(name) ? name : null;
      engines.set(folder, engine);
    }
    return engine;
  }

  function find(specifier: string, fromFile: string, how: "import" | "require"): ModuleTarget {
    const external: ModuleTarget = { kind: "external", module: moduleName(specifier) };
    if (specifier.startsWith("node:")) return external;
    if (engineModules.some((module) => module !== "" && isWithin(specifier, module))) return external;
    const within = isInPackage(fromFile);
    if (within && !isRelative(specifier) && !specifier.startsWith("#")) return external;
    const { path, tried } = within
      ? inPackages(specifier, fromFile, how)
      : inProgram(specifier, fromFile, how);
    if (path === null) {
      const source = within ? null : unbuiltSource(tried, files, sourceOf);
      return source === null ? external : { kind: "file", path: source };
    }
    if (isInPackage(path) && !within) return external;
    const engine = within ? null : engineOf(path);
    if (engine !== null && engine !== engineOf(fromFile)) return { kind: "external", module: engine };
    if (!isDeclaration(path)) return SOURCE.test(path) ? { kind: "file", path } : external;
    const source = javascriptBeside(path, files) ?? sourceOf(path);
    return source === null ? external : { kind: "file", path: source };
  }
}

const SOURCE = /\.(?:[cm]?[jt]sx?|json)$/;

function isRelative(specifier: string): boolean {
  return /^\.{0,2}\//.test(specifier) || specifier === "." || specifier === "..";
}

/** True for `.d.ts`, `.d.mts`, `.d.cts` and `.d.css.ts`-like names. */
export function isDeclaration(path: string): boolean {
  return /\.d\.(?:[^./]+\.)?[cm]?ts$/.test(path);
}

/** The JavaScript that a declaration file of the program describes, when both lie side by side. */
function javascriptBeside(declaration: string, files: Files): string | null {
  const stem = declaration.replace(/\.d\.([cm]?)ts$/, "");
  const letter = /\.d\.([cm]?)ts$/.exec(declaration)?.[1] ?? "";
  const found = [`${stem}.${letter}js`, `${stem}.jsx`].find((path) => files.fileExists(path));
  return found ?? null;
}

type Ask<T> = (specifier: string, fromFile: string, how: "import" | "require") => T;

/** The answers, which are the same for all files of a folder, each worked out once. */
function perFolder<T>(ask: Ask<T>): Ask<T> {
  const known = new Map<string, T>();
  return (specifier, fromFile, how) => {
    const key = `${how} ${specifier} ${folderOf(fromFile)}`;
    let answer = known.get(key);
    if (answer === undefined) known.set(key, (answer = ask(specifier, fromFile, how)));
    return answer;
  };
}

/** `tried` = the paths that were looked at in vain. */
type Resolve = Ask<{ readonly path: string | null; readonly tried: readonly string[] }>;

function resolution(host: ts.ModuleResolutionHost, cwd: string, options: ts.CompilerOptions): Resolve {
  const cache = typescript.createModuleResolutionCache(cwd, (name) => name, options);
  const asks = { import: typescript.ModuleKind.ESNext, require: typescript.ModuleKind.CommonJS } as const;
  const ask = (
    specifier: string,
    fromFile: string,
    how: "import" | "require",
    remembered: ts.ModuleResolutionCache | undefined,
  ): ts.ResolvedModuleWithFailedLookupLocations =>
    typescript.resolveModuleName(specifier, fromFile, options, host, remembered, undefined, asks[how]);
  return perFolder((specifier, fromFile, how) => {
    let found = ask(specifier, fromFile, how, cache);
    // TypeScript looks for types in all folders above before it looks for JavaScript in the nearest, and takes it for
    // the answer when it remembers of one of them that a neighbour has found nothing there.
    if (found.resolvedModule === undefined) found = ask(specifier, fromFile, how, undefined);
    // Not in the public types; an older or newer TypeScript without it only loses sources of unbuilt packages.
    const { failedLookupLocations = [] } = found as { failedLookupLocations?: readonly string[] };
    return { path: found.resolvedModule?.resolvedFileName ?? null, tried: failedLookupLocations };
  });
}

/**
 * The source of a workspace package that is linked into `node_modules` but not built: the first path that was
 * tried there, followed through the link and from the build's folder to the sources'.
 */
function unbuiltSource(
  tried: readonly string[],
  files: Files,
  sourceOf: (builtFile: string) => string | null,
): string | null {
  for (const path of tried) {
    const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
    if (folder === undefined || !files.directoryExists(folder)) continue;
    const real = files.realpath(folder);
    if (isInPackage(`${real}/`)) continue;
    const source = sourceOf(real + path.slice(folder.length));
    if (source !== null) return source;
  }
  return null;
}

/** Packages are read as Node and bundlers run them: their JavaScript, never their types. */
function packageOptions(): ts.CompilerOptions {
  return {
    allowJs: true,
    resolveJsonModule: true,
    module: typescript.ModuleKind.ESNext,
    moduleResolution: typescript.ModuleResolutionKind.Bundler,
    customConditions: ["node"],
    // Not in the public types: "Go to source definition" is built on it.
    noDtsResolution: true,
  };
}
