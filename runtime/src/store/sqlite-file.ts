import { findSqliteDriver, type SqliteDatabase, type SqliteDriver } from "./driver.js";
import { StoreOpenError } from "./errors.js";

export interface SqliteStoreOptions {
  /** The file, made if need be. `:memory:` keeps nothing. */
  readonly path: string;
  /**
   * `FULL` (default): a commit survives a power cut. `NORMAL`: it survives the end of the process, but a
   * power cut may take the last ones.
   */
  readonly synchronous?: "FULL" | "NORMAL";
  /** How long a commit waits for another program that writes to the file, in ms. Default 2,000. */
  readonly busyTimeout?: number;
  /** Default: `node:sqlite`, else `better-sqlite3`. */
  readonly driver?: SqliteDriver;
}

/** `PRAGMA application_id` of our files: "stpr". */
const APPLICATION_ID = 0x73747072;
/** The layout of the tables that this code reads and writes; `PRAGMA user_version`. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
  CREATE TABLE instance (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, due INTEGER);
  CREATE INDEX instance_due ON instance (due, name) WHERE due IS NOT NULL;
  CREATE TABLE record (instance INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (instance, key)) WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** A file that this process holds. `lock` is held for as long as it is open. */
export interface OpenFile {
  readonly database: SqliteDatabase;
  readonly lock: SqliteDatabase | undefined;
}

/**
 * Opens the file (WAL), makes its tables if need be, and takes it for this process.
 * @throws StoreOpenError `store_locked` when another process has it, `store_format` when a newer version
 * wrote it, `store_foreign` when it is no database of ours, `store_unusable` for anything else.
 */
export function openFile(options: SqliteStoreOptions): OpenFile {
  const open = options.driver ?? findSqliteDriver();
  const lock = options.path === ":memory:" ? undefined : takeLock(open, options.path);
  let database: SqliteDatabase | undefined;
  try {
    database = open(options.path);
    database.exec(`PRAGMA busy_timeout = ${options.busyTimeout ?? 2000}`);
    prepareFile(database, options);
    return { database, lock };
  } catch (error) {
    database?.close();
    lock?.close();
    if (error instanceof StoreOpenError) throw error;
    throw new StoreOpenError(
      "store_unusable",
      `The database "${options.path}" can't be used: ${messageOf(error)}`,
      error,
    );
  }
}

/**
 * A database of its own beside the file, held in an exclusive transaction: the system frees it when the
 * process ends, however it ends, and readers of the file itself are not disturbed.
 */
function takeLock(open: SqliteDriver, path: string): SqliteDatabase {
  let lock: SqliteDatabase | undefined;
  try {
    lock = open(`${path}-lock`);
    lock.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    if (/locked|busy/i.test(messageOf(error))) {
      throw new StoreOpenError(
        "store_locked",
        `The database "${path}" is in use by another process. Only one process at a time can run instances from it; stop the other one first.`,
        error,
      );
    }
    throw new StoreOpenError(
      "store_unusable",
      `The database "${path}" can't be used: ${messageOf(error)}. Check that its directory exists and can be written.`,
      error,
    );
  }
}

function prepareFile(database: SqliteDatabase, { path, synchronous = "FULL" }: SqliteStoreOptions): void {
  const tables = checkLayout(database, path);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
  if (tables === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
  else database.exec("BEGIN IMMEDIATE; COMMIT"); // fails here, with a clear error, if the file can't be written
}

/**
 * Makes sure that an open file is one of ours; gives the number of its tables, 0 for a new one.
 * @throws StoreOpenError `store_foreign`, `store_format`
 */
export function checkLayout(database: SqliteDatabase, path: string): number {
  const number = (pragma: string): number =>
    Object.values(database.prepare(`PRAGMA ${pragma}`).get() as Record<string, number>)[0] ?? 0;
  const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_master").get() as {
    tables: number;
  };
  const version = number("user_version");
  if (tables > 0 && number("application_id") !== APPLICATION_ID) {
    throw new StoreOpenError(
      "store_foreign",
      `"${path}" is an SQLite database of another program. Choose another file.`,
    );
  }
  if (version > SCHEMA_VERSION) {
    throw new StoreOpenError(
      "store_format",
      `"${path}" was written by a newer version (layout ${version}, this one knows up to ${SCHEMA_VERSION}). Update @stepproof/runtime.`,
    );
  }
  return tables;
}

/** What an error says; drivers may throw anything. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
