/** A value that SQLite can store or give back. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** One result row: column name to value. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/**
 * The instance's own SQLite tables. Writes commit together with the step, action or hook that made them.
 */
export interface InstanceDatabase {
  /**
   * Runs one statement and gives its rows (none for a write). `?` placeholders take `args` in order.
   * @throws the database's own error when the statement is wrong or breaks a constraint.
   */
  execute<Row extends SqlRow = SqlRow>(sql: string, ...args: readonly SqlValue[]): Promise<Row[]>;
}

/**
 * Durable values by text key, private to the instance. Writes commit together with the step, action or
 * hook that made them.
 */
export interface InstanceKv {
  /** The value under `key`, or `null`. */
  get(key: string): Promise<string | null>;
  put(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** All pairs whose key starts with `prefix`, in key order. */
  list(prefix: string): Promise<[key: string, value: string][]>;
}
