import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeRecord, encodeRecord } from "../engine/codec.js";
import { orderedNumber } from "../engine/names.js";
import type { Journal } from "../engine/journal.js";
import { findSqliteDriver, type SqliteDatabase, type SqliteStatement } from "../store/driver.js";
import type { SqlRow, SqlValue } from "../types/index.js";

/** Records of the pages: `p/<number>`, base64. */
export const PAGE_PREFIX = "p/";
const PAGE_SIZE = 4096;
/** Where SQLite counts the transactions that changed the file: bytes 24–27 of its header. */
const CHANGE_COUNTER = 24;

interface Open {
  readonly database: SqliteDatabase;
  readonly folder: string;
  readonly file: string;
}

/**
 * The SQLite database of one instance. It lives in a scratch file while the instance is warm; what lasts are
 * its pages, as records of the instance: so they commit together with the step that changed them. Made on
 * first use; a commit costs one read of the file and the pages that changed.
 *
 * Like the state it is one for all: steps at the same time see each other's writes, and a failed attempt's
 * writes stay.
 */
export class PagedDatabase {
  private open: Open | null = null;
  /** The pages as last put, by number. */
  private readonly pages: Buffer[];
  private counter: number | null = null;

  /** @param records the page records of the instance, by key. */
  constructor(
    private readonly journal: Journal,
    records: ReadonlyMap<string, string>,
  ) {
    this.pages = [...records]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, text]) =>
        Buffer.from(decodeRecord("host", text, journal.instance, key)[0] as string, "base64"),
      );
  }

  /**
   * Runs one statement and gives its rows; without arguments also several, separated by `;`, without rows.
   * @throws SQLite's own error.
   */
  execute(sql: string, args: readonly SqlValue[]): SqlRow[] {
    const { database } = (this.open ??= this.openScratch());
    if (args.length === 0 && /;\s*\S/.test(sql)) {
      database.exec(sql);
      return [];
    }
    const statement = database.prepare(sql) as SqliteStatement & { readonly reader?: boolean };
    const values = args as never[]; // the port of the store names fewer kinds of values than SQLite takes
    if (statement.reader === false) {
      statement.run(...values);
      return [];
    }
    return statement.all(...values).map((row) => ({ ...(row as SqlRow) }));
  }

  /** Puts the pages that changed into the journal. True when there were any. */
  put(): boolean {
    if (this.open === null) return false;
    const { file } = this.open;
    const counter = readCounter(file);
    if (counter === this.counter) return false;
    this.counter = counter;
    const content = readFileSync(file);
    const count = content.length / PAGE_SIZE;
    let changed = false;
    for (let number = 0; number < count; number++) {
      const page = content.subarray(number * PAGE_SIZE, (number + 1) * PAGE_SIZE);
      if (this.pages[number]?.equals(page) === true) continue;
      changed = true;
      this.pages[number] = Buffer.from(page);
      this.journal.put(pageKey(number), encodeRecord("host", [page.toString("base64")]));
    }
    for (let number = this.pages.length - 1; number >= count; number--) {
      changed = true;
      this.pages.pop();
      this.journal.delete(pageKey(number));
    }
    return changed;
  }

  /** Lets the scratch file go. */
  close(): void {
    if (this.open === null) return;
    this.open.database.close();
    rmSync(this.open.folder, { recursive: true, force: true });
    this.open = null;
  }

  private openScratch(): Open {
    const folder = mkdtempSync(join(tmpdir(), "stepproof-db-"));
    const file = join(folder, "instance.sqlite");
    if (this.pages.length > 0) writeFileSync(file, Buffer.concat(this.pages));
    const database = findSqliteDriver()(file);
    database.exec(
      `PRAGMA page_size = ${String(PAGE_SIZE)}; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON;`,
    );
    this.counter = this.pages.length > 0 ? readCounter(file) : 0;
    return { database, folder, file };
  }
}

function pageKey(number: number): string {
  return PAGE_PREFIX + orderedNumber(number);
}

/** How often the file was changed; 0 for one without content. */
function readCounter(file: string): number {
  const bytes = Buffer.alloc(4);
  const handle = openSync(file, "r");
  try {
    const read = readSync(handle, bytes, 0, 4, CHANGE_COUNTER);
    return read < 4 ? 0 : bytes.readUInt32BE(0);
  } finally {
    closeSync(handle);
  }
}
