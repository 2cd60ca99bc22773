/** A database could not be opened. `code` never changes. */
export class StoreOpenError extends Error {
  constructor(
    readonly code: "sqlite_missing" | "store_locked" | "store_format" | "store_foreign" | "store_unusable",
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = "StoreOpenError";
  }
}
