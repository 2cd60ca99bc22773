/** What is wrong with a config file; every one of them ends the command with exit code 2. */
export type ConfigErrorCode = "config-not-found" | "config-unreadable" | "config-invalid";

/** The config can't be used. The message names the file, the key and the remedy. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(
    readonly code: ConfigErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
