import { dirname } from "node:path";
import picomatch from "picomatch";
import type ts from "typescript";
import { createFactsSource } from "./1-collect/facts-source.js";
import { registeredNames, solve, type SolveOptions } from "./2-solve/solve.js";
import type { Analysis } from "./2-solve/types.js";
import { BUILT_IN_ROWS, createCatalogue } from "./catalogue/index.js";
import { NO_CONFIG, type Config } from "./config.js";
import { ENGINES, engineOfModule } from "./engines/index.js";
import type { Disk } from "./host/disk.js";
import { fromProgram } from "./host/from-program.js";
import { ownReferences } from "./own-references.js";
import { ProjectError } from "./host/project-error.js";
import { openProject } from "./host/open-project.js";
import type { Host } from "./host/host.js";
import type { ProjectMemory } from "./host/project-memory.js";

/** What to analyse. Paths are absolute or relative to `cwd`. */
export interface AnalyzeRequest {
  /** Absolute, with `/`. */
  readonly cwd: string;
  /** Files, folders or globs; without them the config's `include`, else the tsconfig's files, else the folder. */
  readonly paths?: readonly string[];
  readonly tsconfig?: string;
  /** Unsaved text by absolute path. */
  readonly overlay?: ReadonlyMap<string, string>;
  readonly config?: Config;
  /** Where files are read; this machine's when left out. */
  readonly disk?: Disk;
  /** What an earlier look in this process left; it only saves time. */
  readonly memory?: ProjectMemory;
  /** Told that a file is left out since it is too large, or that TypeScript 7 was to be asked and can't be. */
  readonly onNote?: (message: string) => void;
}

/**
 * Source → facts → analysis: the first half of every command.
 * @throws {ProjectError} when a path is missing, a folder holds no source or a tsconfig is broken.
 * @throws {CatalogueDeclarationError} when the config declares a function in a form that can't be read.
 */
export function analyze(request: AnalyzeRequest): Analysis {
  return analyzeHost(hostOfRequest(request), request.config ?? NO_CONFIG);
}

/**
 * The project of a request, without the files that the config excludes.
 * @throws {ProjectError} as `analyze`.
 */
export function hostOfRequest(request: AnalyzeRequest): Host {
  const config = request.config ?? NO_CONFIG;
  return withoutExcluded(open(request, config), config);
}

/** A program that someone else holds: ESLint, `tspc`, an editor. */
export interface AnalyzeProgramRequest {
  readonly program: ts.Program;
  /** The TypeScript that made it, when it may be another copy than ours. */
  readonly typescript?: typeof ts;
  readonly config?: Config;
  /** Told that a file is left out since it is too large. */
  readonly onNote?: (message: string) => void;
}

/**
 * The same over a program at hand: its texts (unsaved ones too) and its types.
 * @throws {CatalogueDeclarationError} as `analyze`.
 */
export function analyzeProgram(request: AnalyzeProgramRequest): Analysis {
  return analyzeHost(hostOfProgram(request), request.config ?? NO_CONFIG);
}

/** A host over a program at hand, without the files that the config excludes. */
export function hostOfProgram(request: AnalyzeProgramRequest): Host {
  const config = request.config ?? NO_CONFIG;
  const { program, typescript, onNote } = request;
  const host = fromProgram(program, {
    engineModules: modulesToLookFor(config),
    ...(typescript === undefined ? {} : { typescript }),
    ...(onNote === undefined ? {} : { onNote }),
  });
  return withoutExcluded(host, config);
}

/** What is known of names that the files at hand do not give; see {@link SolveOptions}. */
export type KnownNames = Pick<SolveOptions, "registered">;

/** The analysis of what a host holds: of its roots, as they are. */
export function analyzeHost(host: Host, config: Config, names: KnownNames = {}): Analysis {
  return solve(createFactsSource(host), { ...solveOptions(config), ...names });
}

/** The names that files which only list workflows give them, by the id of the workflow's root scope. */
export function namesFrom(registries: Host, config: Config): ReadonlyMap<string, string> {
  return registeredNames(createFactsSource(registries), solveOptions(config));
}

function solveOptions(config: Config): SolveOptions {
  const own = ownReferences(config);
  return {
    catalogue: createCatalogue(BUILT_IN_ROWS, { pure: own.pure, effectful: own.effectful }),
    engineOfModule,
    engine: config.engine === null ? null : ENGINES[config.engine],
    factories: own.factories,
    contextTypes: own.contextTypes,
    defaultEngine: ENGINES.stepproof,
  };
}

/** @throws {ProjectError} also names the config when its `include` is what can't be opened. */
function open(request: AnalyzeRequest, config: Config): Host {
  try {
    return openProject(projectOf(request, config));
  } catch (error) {
    const including = configThatIncludes(request, config);
    if (including === null || !(error instanceof ProjectError)) throw error;
    throw new ProjectError(error.code, error.path, `"include" in ${including}: ${error.message}`, {
      cause: error,
    });
  }
}

/** The path of the config whose `include` says what to analyse; `null` when something else does. */
function configThatIncludes({ paths = [], tsconfig }: AnalyzeRequest, config: Config): string | null {
  return paths.length === 0 && tsconfig === undefined && config.include.length > 0 ? config.path : null;
}

function projectOf(request: AnalyzeRequest, config: Config): Parameters<typeof openProject>[0] {
  const { cwd, paths = [], tsconfig, overlay, disk, memory, onNote } = request;
  const including = configThatIncludes(request, config);
  return {
    cwd: including === null ? cwd : dirname(including),
    paths: including === null ? paths : config.include,
    ...(tsconfig === undefined ? {} : { tsconfig }),
    ...(overlay === undefined ? {} : { overlay }),
    ...(disk === undefined ? {} : { disk }),
    ...(memory === undefined ? {} : { memory }),
    ...(onNote === undefined ? {} : { onNote }),
    ...(config.native ? { native: { onFallback: onNote ?? (() => undefined) } } : {}),
    engineModules: modulesToLookFor(config),
  };
}

/** False for a text that can't hold a workflow: it names no engine and no package of own factories. */
export function mentionsEngine(text: string, config: Config): boolean {
  return modulesToLookFor(config).some((module) => text.includes(module));
}

/** Text that a file with workflows must mention: an engine's package, or a package of the user's own factories. */
function modulesToLookFor(config: Config): string[] {
  const engines = Object.values(ENGINES).flatMap((engine) => engine.modules);
  const own = [...Object.keys(config.factories), ...Object.keys(config.contextTypes)];
  return [...new Set([...engines, ...own.map(lastPartOfModule)])];
}

/** `@acme/flows#durable` → `@acme/flows`; of a file of the user's own, the name as an import would end. */
function lastPartOfModule(reference: string): string {
  const module = reference.split("#")[0] ?? "";
  if (!/^[./]/.test(module)) return module;
  return (module.split("/").at(-1) ?? module).replace(/\.[cm]?[jt]sx?$/, "");
}

function withoutExcluded(host: Host, config: Config): Host {
  if (config.exclude.length === 0 || config.path === null) return host;
  const folder = dirname(config.path);
  const excluded = picomatch(
    config.exclude.map((glob) => (glob.startsWith("/") ? glob : `${folder}/${glob.replace(/^\.\//, "")}`)),
  );
  return { ...host, roots: host.roots.filter((file) => !excluded(file)) };
}
