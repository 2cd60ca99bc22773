import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commitOf, storeContract } from "./contract.js";
import { findSqliteDriver } from "./driver.js";
import { StoreOpenError } from "./errors.js";
import { openSqliteStore } from "./sqlite.js";

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "stepproof-store-"));
  file = join(directory, "test.db");
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

storeContract("SQLite", () => {
  const store = openSqliteStore({ path: file });
  return Promise.resolve({ store, end: () => store.close() });
});

function openError(path: string): StoreOpenError {
  try {
    void openSqliteStore({ path }).close();
  } catch (error) {
    expect(error).toBeInstanceOf(StoreOpenError);
    return error as StoreOpenError;
  }
  throw new Error("the store opened");
}

describe("the SQLite store", () => {
  test("keeps what was committed when it is opened again", async () => {
    const first = openSqliteStore({ path: file });
    await first.commit(commitOf("i", { puts: { k: "v" }, due: 7 }));
    await first.close();
    const second = openSqliteStore({ path: file });
    expect(await second.read("i")).toEqual({ records: [{ key: "k", value: "v" }], due: 7 });
    await second.close();
  });

  test("puts all commits of one turn into one transaction", async () => {
    const driver = findSqliteDriver();
    let transactions = 0;
    const store = openSqliteStore({
      path: file,
      driver: (path) => {
        const database = driver(path);
        return {
          exec: (sql) => database.exec(sql),
          close: () => {
            database.close();
          },
          prepare: (sql) => {
            const statement = database.prepare(sql);
            if (sql !== "COMMIT") return statement;
            return {
              ...statement,
              run: () => {
                transactions++;
                return statement.run();
              },
            };
          },
        };
      },
    });
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => store.commit(commitOf(`i${i}`, { puts: { k: "v" } }))),
    );
    expect(transactions).toBe(1);
    await store.close();
  });

  test("a second process on the same file is refused, and let in when the first was killed", async () => {
    const code = `
      const lock = require("better-sqlite3");
      const open = () => { try { return new (require("node:sqlite").DatabaseSync)(process.argv[1]); } catch { return new lock(process.argv[1]); } };
      open().exec("BEGIN EXCLUSIVE"); console.log("held"); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["-e", code, `${file}-lock`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    const error = openError(file);
    expect(error.code).toBe("store_locked");
    expect(error.message).toContain("in use by another process");
    child.kill("SIGKILL");
    await once(child, "exit");
    await openSqliteStore({ path: file }).close();
  });

  test("looking for SQLite silences no warning but its own", () => {
    const { emitWarning } = process;
    findSqliteDriver();
    expect(process.emitWarning).toBe(emitWarning);
  });

  test("the same process can't open the file twice either", async () => {
    const store = openSqliteStore({ path: file });
    expect(openError(file).code).toBe("store_locked");
    await store.close();
  });

  test("another program may read the file meanwhile", async () => {
    const store = openSqliteStore({ path: file });
    await store.commit(commitOf("i", { puts: { k: "v" } }));
    const reader = findSqliteDriver()(file);
    expect({ ...(reader.prepare("SELECT value FROM record").get() as object) }).toEqual({ value: "v" });
    reader.close();
    await store.close();
  });

  test("a full disk rejects the commit, keeps what was there, and goes on when there is room", async () => {
    const driver = findSqliteDriver();
    let database: ReturnType<typeof driver> | undefined;
    const store = openSqliteStore({
      path: file,
      driver: (path) => {
        const opened = driver(path);
        if (path === file) database = opened;
        return opened;
      },
    });
    await store.commit(commitOf("i", { puts: { small: "x" } }));
    const limit = (pages: number): unknown => database?.prepare(`PRAGMA max_page_count = ${pages}`).get();
    limit(20);
    await expect(store.commit(commitOf("i", { puts: { big: "x".repeat(500_000) }, due: 1 }))).rejects.toThrow(
      /full/,
    );
    expect(await store.read("i")).toEqual({ records: [{ key: "small", value: "x" }], due: null });
    limit(1_000_000);
    await store.commit(commitOf("i", { puts: { big: "y" } }));
    expect((await store.read("i")).records).toHaveLength(2);
    await store.close();
  });

  test("one commit that can't be kept does not take down the others of its turn", async () => {
    const driver = findSqliteDriver();
    let database: ReturnType<typeof driver> | undefined;
    const store = openSqliteStore({
      path: file,
      driver: (path) => {
        const opened = driver(path);
        if (path === file) database = opened;
        return opened;
      },
    });
    database?.prepare("PRAGMA max_page_count = 20").get();
    const results = await Promise.allSettled([
      store.commit(commitOf("a", { puts: { k: "1" } })),
      store.commit(commitOf("b", { puts: { k: "x".repeat(500_000) } })),
      store.commit(commitOf("c", { puts: { k: "3" } })),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((await store.read("c")).records).toEqual([{ key: "k", value: "3" }]);
    await store.close();
  });

  test("a file locked by another program rejects the commit after the busy timeout", async () => {
    const store = openSqliteStore({ path: file, busyTimeout: 50 });
    await store.commit(commitOf("i", { puts: { k: "1" } }));
    const other = findSqliteDriver()(file);
    other.exec("BEGIN IMMEDIATE");
    await expect(store.commit(commitOf("i", { puts: { k: "2" } }))).rejects.toThrow(/locked/);
    other.exec("COMMIT");
    other.close();
    await store.commit(commitOf("i", { puts: { k: "3" } }));
    expect((await store.read("i")).records).toEqual([{ key: "k", value: "3" }]);
    await store.close();
  });

  test("a file that can't be written is refused when it is opened", () => {
    const driver = findSqliteDriver();
    expect(() =>
      openSqliteStore({
        path: file,
        driver: (path) => {
          const opened = driver(path);
          if (path === file) opened.exec("PRAGMA query_only = ON");
          return opened;
        },
      }),
    ).toThrow(/readonly/);
  });

  test("a file of a newer version is refused", async () => {
    await openSqliteStore({ path: file }).close();
    const database = findSqliteDriver()(file);
    database.exec("PRAGMA user_version = 99");
    database.close();
    const error = openError(file);
    expect(error.code).toBe("store_format");
    expect(error.message).toContain("newer version");
  });

  test("a database of another program is refused and left as it is", () => {
    const database = findSqliteDriver()(file);
    database.exec("CREATE TABLE theirs (a)");
    database.close();
    expect(openError(file).code).toBe("store_foreign");
  });

  test("a file that is no database is refused", () => {
    writeFileSync(file, "hello, this is plain text and no database at all ".repeat(40));
    expect(openError(file).code).toBe("store_unusable");
  });

  test("a directory that does not exist is named", () => {
    expect(openError(join(directory, "none", "test.db")).message).toContain(
      "Check that its directory exists",
    );
  });
});
