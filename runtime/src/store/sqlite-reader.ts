import type { KeyRange, StoredRecord } from "../engine/ports.js";
import { findSqliteDriver, type SqliteDatabase, type SqliteDriver } from "./driver.js";
import { StoreOpenError } from "./errors.js";
import { checkLayout, messageOf } from "./sqlite-file.js";

/** The instances of a database file as they were at one moment. */
export interface InstanceReader {
  /** Names of the stored instances, in order. */
  instances(): IterableIterator<string>;
  /** Records of one instance with keys in the range, ordered by key. */
  records(instance: string, range: KeyRange): readonly StoredRecord[];
  /** One record's text; `undefined` when there is none. */
  record(instance: string, key: string): string | undefined;
  close(): void;
}

/** Names that are read at a time, so that a million instances need no memory. */
const PAGE = 1000;

/**
 * Opens a database file to look at it. Nothing is written and no lock is taken, so that a process may run
 * instances from it at the same time; all reads see the file as it was when it was opened.
 * @throws StoreOpenError `store_unusable` when it can't be opened or is no database; `store_foreign`,
 * `store_format`, `sqlite_missing` as `openSqliteStore`.
 */
export function readSqliteFile(path: string, driver: SqliteDriver = findSqliteDriver()): InstanceReader {
  let database: SqliteDatabase | undefined;
  try {
    database = driver(path, true);
    database.exec("PRAGMA busy_timeout = 2000; BEGIN");
    // The first read fixes the moment.
    if (checkLayout(database, path) === 0)
      throw new StoreOpenError("store_foreign", `"${path}" is an empty database; nothing ran from it yet.`);
    return readerOf(database);
  } catch (error) {
    database?.close();
    if (error instanceof StoreOpenError) throw error;
    throw new StoreOpenError(
      "store_unusable",
      `The database "${path}" can't be read: ${messageOf(error)}.`,
      error,
    );
  }
}

function readerOf(database: SqliteDatabase): InstanceReader {
  const names = database.prepare(`SELECT name FROM instance WHERE name > ? ORDER BY name LIMIT ${PAGE}`);
  const range = database.prepare(
    "SELECT key, value FROM record WHERE instance = (SELECT id FROM instance WHERE name = ?) AND key >= ? AND key < ? ORDER BY key",
  );
  const one = database.prepare(
    "SELECT value FROM record WHERE instance = (SELECT id FROM instance WHERE name = ?) AND key = ?",
  );
  return {
    *instances() {
      let page = names.all("") as readonly { readonly name: string }[];
      while (page.length > 0) {
        for (const { name } of page) yield name;
        page = names.all(page.at(-1)?.name ?? "") as typeof page;
      }
    },
    records: (instance, { from, to }) => range.all(instance, from, to) as StoredRecord[],
    record: (instance, key) => (one.get(instance, key) as { readonly value: string } | undefined)?.value,
    close: () => {
      database.close();
    },
  };
}
