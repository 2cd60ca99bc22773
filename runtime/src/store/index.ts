export { StoreOpenError } from "./errors.js";
export { MemoryStore } from "./memory.js";
export { openSqliteStore, type SqliteStoreOptions } from "./sqlite.js";
export type { SqliteDatabase, SqliteDriver, SqliteStatement } from "./driver.js";
