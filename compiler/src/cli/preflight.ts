import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { PREFLIGHT_FORMATS, type PreflightFormat, type PreflightReport } from "../report/preflight/index.js";
import { EXIT, UsageError, type ExitCode } from "./exit.js";
import { openConfig, type SourceArguments } from "./open-check.js";
import { openManifest, sourcesOfTree, type ManifestSource } from "./open-manifest.js";
import { printResult, progress, renderOptions, workingDirectory } from "./terminal.js";

export interface PreflightArguments extends SourceArguments {
  readonly db: string;
  /** A manifest, `git:REF` or an address; absent = the sources as they are. */
  readonly manifest?: string;
  readonly format: PreflightFormat;
}

/**
 * `stepproof preflight`: which instances of a database would not go on under a manifest, and why. Reads
 * the file only; a server may run from it meanwhile.
 * @returns 1 when there are such instances.
 * @throws {UsageError | StoreOpenError} when the database can't be read.
 */
export async function preflightCommand(args: PreflightArguments): Promise<ExitCode> {
  if (!existsSync(args.db))
    throw new UsageError(`There is no database ${args.db}. Name the file of the runtime with --db.`);
  if (!statSync(args.db).isFile())
    throw new UsageError(`${args.db} is no file. Name the database file of the runtime with --db.`);
  progress("reading the manifest …");
  const source = await openNew(args);
  progress("reading the database …");
  const report = await preflightOf(args.db, source);
  progress(null);
  await printResult(PREFLIGHT_FORMATS[args.format](report, renderOptions()));
  return report.refused.length === 0 ? EXIT.clean : EXIT.findings;
}

/**
 * Asks of every instance of a database whether it would go on.
 * @param db as it was given, relative to the working directory.
 * @throws {StoreOpenError} when it can't be read.
 */
export async function preflightOf(
  db: string,
  { manifest, label }: Pick<ManifestSource, "manifest" | "label">,
): Promise<PreflightReport> {
  // Loaded here only: nothing else of the command needs a database.
  const [{ readSqliteFile }, { findSqliteDriver }, { preflight }] = await Promise.all([
    import("../../../runtime/src/store/sqlite-reader.js"),
    import("../../../runtime/src/store/driver.js"),
    import("../../../runtime/src/host/preflight.js"),
  ]);
  const reader = withoutWarnings(() => readSqliteFile(resolve(db), findSqliteDriver(driverPlaces())));
  try {
    return { version: 1, database: db, manifest: label, ...preflight(reader, manifest) };
  } finally {
    reader.close();
  }
}

async function openNew(args: PreflightArguments): Promise<ManifestSource> {
  const config = await openConfig(args);
  return args.manifest === undefined
    ? sourcesOfTree(args, config)
    : openManifest(args.manifest, args, config);
}

/** `better-sqlite3` is the runtime's: beside this package, in the project, or below the installed runtime. */
function driverPlaces(): string[] {
  const project = join(workingDirectory(), "package.json");
  const places = [import.meta.url, project];
  for (const from of [import.meta.url, project]) {
    try {
      places.push(createRequire(from).resolve("@stepproof/runtime/package.json"));
    } catch {
      // Not installed from there; the other places are tried.
    }
  }
  return places;
}

/** Loading `node:sqlite` prints that it is experimental, which tells the reader of a result nothing. */
function withoutWarnings<T>(run: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return run();
  } finally {
    process.emitWarning = emitWarning;
  }
}
