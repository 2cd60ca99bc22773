import { readFileSync, writeFileSync } from "node:fs";
import { UsageError } from "./exit.js";

/**
 * The text of a file that the user or a config names.
 * @param shown as they named it, for messages.
 * @throws {UsageError} when it can't be read: a folder, no permission.
 */
export function readText(path: string, shown: string = path): string {
  return attempt(() => readFileSync(path, "utf8"), shown, "read");
}

/**
 * Writes a file that the user named.
 * @throws {UsageError} when it can't be written: a folder, a folder that is not there, no permission, no room.
 */
export function writeText(path: string, text: string, shown: string = path): void {
  attempt(
    () => {
      writeFileSync(path, text);
    },
    shown,
    "write",
  );
}

function attempt<T>(act: () => T, shown: string, how: "read" | "write"): T {
  try {
    return act();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!(error instanceof Error) || !/^E[A-Z]+$/.test(code)) throw error;
    throw new UsageError(reason(code, shown, how) ?? `${shown} can't be ${PAST[how]}: ${error.message}.`);
  }
}

const PAST = { read: "read", write: "written" } as const;

function reason(code: string, shown: string, how: "read" | "write"): string | null {
  switch (code) {
    case "EISDIR":
      return `${shown} is a folder; name a file.`;
    case "ENOENT":
      return how === "read"
        ? `There is no file ${shown}.`
        : `${shown} can't be written: its folder does not exist.`;
    case "ENOTDIR":
      return `${shown} can't be ${PAST[how]}: a part of its path is a file, not a folder.`;
    case "EACCES":
    case "EPERM":
      return `${shown} can't be ${PAST[how]}: no permission.`;
    case "EROFS":
      return `${shown} can't be written: the file system is read-only.`;
    case "ENOSPC":
      return `${shown} can't be written: the disk is full.`;
    default:
      return null;
  }
}
