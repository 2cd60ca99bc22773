import type { Log } from "../types/index.js";

/** A log that can carry fields along. pino's logger is one. */
export interface HostLog extends Log {
  child(fields: Readonly<Record<string, unknown>>): HostLog;
}

/** Says nothing: for tests and for those who bring no log. */
export const silentLog: HostLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
