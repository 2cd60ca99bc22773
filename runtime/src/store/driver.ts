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

/** Opens a database file. */
export type SqliteDriver = (path: string) => SqliteDatabase;

interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => SqliteDatabase;
}

/**
 * `node:sqlite` where this Node has it, else `better-sqlite3`.
 * @throws StoreOpenError `sqlite_missing` when there is neither.
 */
export function findSqliteDriver(): SqliteDriver {
  const require = createRequire(import.meta.url);
  const builtin = attempt(() => require("node:sqlite") as NodeSqlite);
  if (builtin.found) return (path) => new builtin.module.DatabaseSync(path);
  const native = attempt(() => require("better-sqlite3") as new (path: string) => SqliteDatabase);
  if (native.found) return (path) => new native.module(path);
  throw new StoreOpenError(
    "sqlite_missing",
    "No SQLite was found: this Node has no node:sqlite (from Node 22.13 on), and better-sqlite3 can't be loaded. Run `npm install better-sqlite3@12`.",
    native.error,
  );
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
