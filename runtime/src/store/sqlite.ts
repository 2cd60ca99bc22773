import type {
  DueInstance,
  InstanceCommit,
  KeyRange,
  RecordSpan,
  Store,
  StoredInstance,
  StoredRecord,
} from "../engine/ports.js";
import type { SqliteDatabase, SqliteStatement } from "./driver.js";
import { messageOf, openFile, type OpenFile, type SqliteStoreOptions } from "./sqlite-file.js";

export type { SqliteStoreOptions } from "./sqlite-file.js";

/** As many as are warm by default. */
const CACHED_IDS = 10_000;

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
  return new SqliteStore(openFile(options));
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

  constructor(private readonly file: OpenFile) {
    this.sql = prepareStatements(file.database);
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

  read(instance: string, range = EVERYTHING, limit = Infinity): Promise<StoredInstance> {
    return this.reading(() => {
      const row = this.sql.find.get(instance) as { id: number; due: number | null } | undefined;
      if (row === undefined) return { records: [], due: null };
      const most = Number.isFinite(limit) ? limit : -1; // no limit
      const records = this.sql.read.all(row.id, range.from, range.to, most) as StoredRecord[];
      return { records, due: row.due };
    });
  }

  span(instance: string, range: KeyRange): Promise<RecordSpan> {
    return this.reading(() => {
      const bounds = [this.idOf(instance) ?? -1, range.from, range.to] as const;
      const { count } = this.sql.count.get(...bounds) as { count: number };
      return { count, last: this.sql.last.get(...bounds) as StoredRecord | undefined };
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
    this.file.database.close();
    this.file.lock?.close();
    return Promise.resolve();
  }
}

/** No key begins with the last code point there is. */
const EVERYTHING: KeyRange = { from: "", to: "\u{10FFFF}" };

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
    read: prepare(
      "SELECT key, value FROM record WHERE instance = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?",
    ),
    count: prepare("SELECT count(*) AS count FROM record WHERE instance = ? AND key >= ? AND key < ?"),
    last: prepare(
      "SELECT key, value FROM record WHERE instance = ? AND key >= ? AND key < ? ORDER BY key DESC LIMIT 1",
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
