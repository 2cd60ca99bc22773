import type ts from "typescript";
import { typescript } from "./typescript.js";
import type { Disk } from "./disk.js";
import { openFiles, absolutePath, type Files } from "./files.js";
import { findSources, mentionsAny } from "./find-sources.js";
import type { Host } from "./host.js";
import { createModuleResolver } from "./modules.js";
import { packageOf } from "./package-of.js";
import { ProjectMemory } from "./project-memory.js";
import type { SourceUnit } from "./source-unit.js";
import { nearestConfig, readConfig, type ReadConfig } from "./tsconfig.js";
import { lazyProgram } from "./lazy-program.js";
import { nativeQuestions, type NativeOptions } from "./native/native-questions.js";
import { createSourceFinder } from "./source-of-built.js";
import { isTooLarge, leftOutNote } from "./too-large.js";

export interface OpenProjectOptions {
  /** Absolute; relative paths below are read against it. */
  readonly cwd: string;
  /** Files, folders or globs. Without them and without `tsconfig`: the nearest tsconfig, else the folder itself. */
  readonly paths?: readonly string[];
  /** Path of a tsconfig file or of the folder that holds one; its files are the candidates. */
  readonly tsconfig?: string;
  /** Unsaved text by absolute path; such files need not exist on disk. */
  readonly overlay?: ReadonlyMap<string, string>;
  /** Only files whose text mentions one of these can hold workflows and become roots; others are loaded by import. */
  readonly engineModules: readonly string[];
  /** Where files are read; this machine's when left out. */
  readonly disk?: Disk;
  /** What an earlier look in this process left. */
  readonly memory?: ProjectMemory;
  /** Asks the project's own TypeScript 7 about types, instead of TypeScript 6's checker in this process. */
  readonly native?: NativeOptions;
  /** Told of each file that is left out since it is too large, and of values in the tsconfig that can't be used. */
  readonly onNote?: (message: string) => void;
}

/** How modules are written and found where a tsconfig says neither; one that says the first implies the second. */
const MODULES: ts.CompilerOptions = {
  module: typescript.ModuleKind.ESNext,
  moduleResolution: typescript.ModuleResolutionKind.Bundler,
};

/** Used where no tsconfig says otherwise. */
const DEFAULTS: ts.CompilerOptions = {
  target: typescript.ScriptTarget.ESNext,
  jsx: typescript.JsxEmit.Preserve,
  strict: true,
  esModuleInterop: true,
};

/** What lowering and lazy questions need, whatever the project says: nothing is emitted, no file is checked whole. */
const ALWAYS: ts.CompilerOptions = {
  allowJs: true,
  resolveJsonModule: true,
  noEmit: true,
  skipLibCheck: true,
  skipDefaultLibCheck: true,
  composite: false,
  incremental: false,
  declaration: false,
  declarationMap: false,
  checkJs: false,
};

/**
 * Opens a project from disk. Nothing but the candidates' text is read here; trees, imports and types follow when
 * they are asked for.
 * @throws {ProjectError} when a path is missing or unreadable, a folder holds no source, or a tsconfig is broken.
 */
export function openProject(request: OpenProjectOptions): Host {
  const cwd = absolutePath(request.cwd, "/");
  const files = openFiles(cwd, request.overlay, request.disk);
  const { candidates, config } = candidatesOf(request, files);
  for (const fault of config?.faults ?? []) request.onNote?.(fault);
  const options: ts.CompilerOptions = {
    ...DEFAULTS,
    ...(config?.options.module === undefined ? MODULES : {}),
    ...config?.options,
    ...ALWAYS,
  };
  const texts = new Map<string, string>();
  const told = new Set<string>();
  const tooLarge = (path: string, text: string): boolean => {
    if (!isTooLarge(path, text)) return false;
    const note = told.has(path) ? null : leftOutNote(path, text);
    told.add(path);
    if (note !== null) request.onNote?.(note);
    return true;
  };
  const roots = candidates.filter((path) => {
    const text = files.read(path);
    if (text === undefined || !mentionsAny(text, request.engineModules) || tooLarge(path, text)) return false;
    texts.set(path, text);
    return true;
  });
  return hostOver({
    files,
    options,
    roots: roots.sort(),
    names: candidates,
    references: config?.references ?? [],
    texts,
    engineModules: request.engineModules,
    memory: request.memory ?? new ProjectMemory(),
    native: request.native ?? null,
    tooLarge,
  });
}

function candidatesOf(
  request: OpenProjectOptions,
  files: Files,
): { candidates: readonly string[]; config: ReadConfig | null } {
  if (request.tsconfig !== undefined) {
    const config = readConfig(absolutePath(request.tsconfig, files.cwd), files, true);
    if (request.paths === undefined || request.paths.length === 0)
      return { candidates: config.files, config };
    return { candidates: findSources(request.paths, files), config };
  }
  if (request.paths !== undefined && request.paths.length > 0) {
    const candidates = findSources(request.paths, files);
    const near = nearestConfig(candidates[0] ?? files.cwd, files);
    return { candidates, config: near === null ? null : readConfig(near, files, false) };
  }
  const near = nearestConfig(`${files.cwd}/x.ts`, files, files.cwd);
  if (near !== null) {
    const config = readConfig(near, files, true);
    return { candidates: config.files, config };
  }
  return { candidates: findSources(["."], files), config: null };
}

interface KnownProject {
  readonly files: Files;
  readonly options: ts.CompilerOptions;
  readonly roots: readonly string[];
  readonly names: readonly string[];
  readonly references: readonly ts.ProjectReference[];
  /** Texts that were read already; each is given up when it is parsed. */
  readonly texts: Map<string, string>;
  readonly engineModules: readonly string[];
  readonly memory: ProjectMemory;
  readonly native: NativeOptions | null;
  /** Tells of what it says yes to. */
  readonly tooLarge: (path: string, text: string) => boolean;
}

function hostOver(project: KnownProject): Host {
  const { files, options, roots, names, references, texts, engineModules, memory, native, tooLarge } =
    project;
  memory.begin(options);
  const units = new Map<string, SourceUnit | null>();
  const modules = createModuleResolver(files, options, createSourceFinder(files, references), engineModules);
  const request = { files, options, roots, references, memory };
  const ours = lazyProgram({ ...request, unit: (path) => host.source(path) });
  const host: Host = {
    cwd: files.cwd,
    roots,
    names,
    options,
    modules,
    source(path) {
      let unit = units.get(path);
      if (unit === undefined) {
        const text = texts.get(path) ?? files.read(path);
        texts.delete(path);
        unit = text === undefined || tooLarge(path, text) ? null : memory.parse(path, text);
        units.set(path, unit);
      }
      return unit;
    },
    packageOf: (path) => packageOf(path, files),
    types: native === null ? ours : nativeQuestions(request, ours, native),
  };
  return host;
}
