import { createRequire } from "node:module";
import { StoreOpenError } from "./errors.js";

/** What a value of a row can be here. */
type Value = string | number | null;

/** A prepared statement; positional parameters. */
export interface SqliteStatement {
  run(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
  get(...values: Value[]): unknown;
}

/** The part that `node:sqlite` and `better-sqlite3` have in common. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** Opens a database file; `readOnly`: one that is there, and never writes to it. */
export type SqliteDriver = (path: string, readOnly?: boolean) => SqliteDatabase;

interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly: boolean }) => SqliteDatabase;
}
type NativeSqlite = new (path: string, options: { readonly readonly: boolean }) => SqliteDatabase;

/**
 * `node:sqlite` where this Node has it, else `better-sqlite3`. Nothing is loaded before this is called.
 * @param from paths or addresses of files from which `better-sqlite3` is looked for, in this order.
 * @throws StoreOpenError `sqlite_missing` when there is neither.
 */
export function findSqliteDriver(from: readonly string[] = [import.meta.url]): SqliteDriver {
  const builtin = attempt(() =>
    withoutSqliteWarning(() => createRequire(import.meta.url)("node:sqlite") as NodeSqlite),
  );
  if (builtin.found) return (path, readOnly = false) => new builtin.module.DatabaseSync(path, { readOnly });
  let error: unknown;
  for (const file of from) {
    const native = attempt(() => createRequire(file)("better-sqlite3") as NativeSqlite);
    if (native.found) return (path, readOnly = false) => new native.module(path, { readonly: readOnly });
    error = native.error;
  }
  throw new StoreOpenError(
    "sqlite_missing",
    "No SQLite was found: this Node has no node:sqlite (from Node 22.13 on), and better-sqlite3 can't be loaded. Run `npm install better-sqlite3@12`.",
    error,
  );
}

/**
 * Node 22 warns that its SQLite is experimental, in every program of a user who never asked for it. The engine
 * holds to the part that has not changed since, and its suites run on that Node: this one warning is left out.
 */
function withoutSqliteWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (String(warning).startsWith("SQLite is an experimental feature")) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function attempt<T>(
  load: () => T,
): { readonly found: true; readonly module: T } | { readonly found: false; readonly error: unknown } {
  try {
    return { found: true, module: load() };
  } catch (error) {
    return { found: false, error };
  }
}
