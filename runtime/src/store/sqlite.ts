import type {
  DueInstance,
  InstanceCommit,
  KeyRange,
  Store,
  StoredInstance,
  StoredRecord,
} from "../engine/ports.js";
import { findSqliteDriver, type SqliteDatabase, type SqliteDriver, type SqliteStatement } from "./driver.js";
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
const CACHED_IDS = 50_000;

const SCHEMA = `
  CREATE TABLE instance (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, due INTEGER);
  CREATE INDEX instance_due ON instance (due, name) WHERE due IS NOT NULL;
  CREATE TABLE record (instance INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (instance, key)) WITHOUT ROWID;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

interface Pending {
  readonly commit: InstanceCommit;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens a store in one SQLite file (WAL). The file belongs to one process at a time; others may read it.
 * @throws StoreOpenError `store_locked` when another process has it, `store_format` when a newer version
 * wrote it, `store_foreign` when it is no database of ours, `store_unusable` for anything else.
 */
export function openSqliteStore(options: SqliteStoreOptions): Store {
  const open = options.driver ?? findSqliteDriver();
  const lock = options.path === ":memory:" ? undefined : takeLock(open, options.path);
  let database: SqliteDatabase | undefined;
  try {
    database = open(options.path);
    database.exec(`PRAGMA busy_timeout = ${options.busyTimeout ?? 2000}`);
    prepareFile(database, options);
    return new SqliteStore(database, lock);
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
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`);
  if (tables === 0) database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
  else database.exec("BEGIN IMMEDIATE; COMMIT"); // fails here, with a clear error, if the file can't be written
}

/**
 * 1. Commits wait for the end of the turn of the event loop and then share one transaction.
 * 2. If that transaction fails, each commit is tried on its own, so that one can't take others down.
 */
class SqliteStore implements Store {
  private pending: Pending[] = [];
  private scheduled = false;
  private closed = false;
  private readonly ids = new Map<string, number>();
  private readonly sql: Statements;

  constructor(
    private readonly database: SqliteDatabase,
    private readonly lock: SqliteDatabase | undefined,
  ) {
    this.sql = prepareStatements(database);
  }

  commit(commit: InstanceCommit): Promise<void> {
    if (this.closed) return Promise.reject(new Error("the store is closed"));
    return new Promise((resolve, reject) => {
      this.pending.push({ commit, resolve, reject });
      if (this.scheduled) return;
      this.scheduled = true;
      setImmediate(() => {
        this.scheduled = false;
        this.flush();
      });
    });
  }

  private flush(): void {
    const group = this.pending;
    if (group.length === 0) return;
    this.pending = [];
    try {
      this.transaction(group);
    } catch (error) {
      this.ids.clear();
      if (group.length === 1) group[0]?.reject(error);
      else this.flushOneByOne(group);
      return;
    }
    for (const { resolve } of group) resolve();
  }

  private flushOneByOne(group: readonly Pending[]): void {
    for (const item of group) {
      try {
        this.transaction([item]);
        item.resolve();
      } catch (error) {
        this.ids.clear();
        item.reject(error);
      }
    }
  }

  private transaction(group: readonly Pending[]): void {
    this.sql.begin.run();
    try {
      for (const { commit } of group) this.apply(commit);
      this.sql.commit.run();
    } catch (error) {
      this.undo();
      throw error;
    }
  }

  /** Some errors (a full disk) have ended the transaction already. */
  private undo(): void {
    try {
      this.sql.rollback.run();
    } catch (error) {
      if (!/no transaction/i.test(messageOf(error))) throw error;
    }
  }

  private apply({ instance, puts, deletes, deleteRanges, due, removeInstance }: InstanceCommit): void {
    if (removeInstance) this.remove(instance);
    if (removeInstance && puts.size === 0 && (due === undefined || due === null)) return;
    const id = this.idOf(instance) ?? this.insert(instance);
    for (const { from, to } of deleteRanges) this.sql.deleteRange.run(id, from, to);
    for (const key of deletes) this.sql.delete.run(id, key);
    for (const [key, value] of puts) this.sql.put.run(id, key, value);
    if (due !== undefined) this.sql.setDue.run(due, id);
  }

  private idOf(instance: string): number | undefined {
    const cached = this.ids.get(instance);
    if (cached !== undefined) return cached;
    const row = this.sql.find.get(instance) as { id: number } | undefined;
    return row === undefined ? undefined : this.remember(instance, row.id);
  }

  private insert(instance: string): number {
    const row = this.sql.insert.get(instance) as { id: number };
    return this.remember(instance, row.id);
  }

  private remember(instance: string, id: number): number {
    if (this.ids.size >= CACHED_IDS) this.ids.clear();
    this.ids.set(instance, id);
    return id;
  }

  private remove(instance: string): void {
    const id = this.idOf(instance);
    if (id === undefined) return;
    this.sql.deleteRecords.run(id);
    this.sql.deleteInstance.run(id);
    this.ids.delete(instance);
  }

  // Reading. What is pending is written first, so that a read sees it.

  read(instance: string, range?: KeyRange): Promise<StoredInstance> {
    return this.reading(() => {
      const row = this.sql.find.get(instance) as { id: number; due: number | null } | undefined;
      if (row === undefined) return { records: [], due: null };
      const records =
        range === undefined
          ? this.sql.readAll.all(row.id)
          : this.sql.readRange.all(row.id, range.from, range.to);
      return { records: records as StoredRecord[], due: row.due };
    });
  }

  due({
    after,
    afterInstance,
    upTo,
    limit,
  }: {
    after: number;
    afterInstance?: string;
    upTo: number;
    limit: number;
  }): Promise<DueInstance[]> {
    return this.reading(() =>
      afterInstance === undefined
        ? (this.sql.due.all(after, upTo, limit) as DueInstance[])
        : (this.sql.dueAfter.all(after, afterInstance, upTo, limit) as DueInstance[]),
    );
  }

  instances({
    prefix = "",
    after,
    limit,
  }: {
    prefix?: string;
    after?: string;
    limit: number;
  }): Promise<{ instance: string; due: number | null }[]> {
    return this.reading(
      () =>
        this.sql.instances.all(prefix, `${prefix}\u{10FFFF}`, after ?? "", limit) as {
          instance: string;
          due: number | null;
        }[],
    );
  }

  private reading<T>(read: () => T): Promise<T> {
    if (this.closed) return Promise.reject(new Error("the store is closed"));
    try {
      this.flush();
      return Promise.resolve(read());
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  close(): Promise<void> {
    if (this.closed) return Promise.resolve();
    this.flush();
    this.closed = true;
    this.database.close();
    this.lock?.close();
    return Promise.resolve();
  }
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(database: SqliteDatabase) {
  const prepare = (sql: string): SqliteStatement => database.prepare(sql);
  return {
    begin: prepare("BEGIN IMMEDIATE"),
    commit: prepare("COMMIT"),
    rollback: prepare("ROLLBACK"),
    find: prepare("SELECT id, due FROM instance WHERE name = ?"),
    insert: prepare("INSERT INTO instance (name, due) VALUES (?, NULL) RETURNING id"),
    setDue: prepare("UPDATE instance SET due = ? WHERE id = ?"),
    deleteInstance: prepare("DELETE FROM instance WHERE id = ?"),
    deleteRecords: prepare("DELETE FROM record WHERE instance = ?"),
    deleteRange: prepare("DELETE FROM record WHERE instance = ? AND key >= ? AND key < ?"),
    delete: prepare("DELETE FROM record WHERE instance = ? AND key = ?"),
    put: prepare("INSERT OR REPLACE INTO record (instance, key, value) VALUES (?, ?, ?)"),
    readAll: prepare("SELECT key, value FROM record WHERE instance = ? ORDER BY key"),
    readRange: prepare(
      "SELECT key, value FROM record WHERE instance = ? AND key >= ? AND key < ? ORDER BY key",
    ),
    due: prepare(
      "SELECT name AS instance, due FROM instance WHERE due > ? AND due <= ? ORDER BY due, name LIMIT ?",
    ),
    dueAfter: prepare(
      "SELECT name AS instance, due FROM instance WHERE (due, name) > (?, ?) AND due <= ? ORDER BY due, name LIMIT ?",
    ),
    instances: prepare(
      "SELECT name AS instance, due FROM instance WHERE name >= ? AND name < ? AND name > ? ORDER BY name LIMIT ?",
    ),
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
