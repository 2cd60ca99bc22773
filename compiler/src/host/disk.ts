import { readFileSync, readdirSync, realpathSync, statSync } from "node:fs";

/**
 * All that is ever asked of a disk, so that someone can note down every answer (`cache/observe.ts`).
 * Paths are absolute with `/`. Nothing here throws: what can't be read is not there.
 */
export interface Disk {
  /** Text without a byte-order mark; `undefined` when there is no such file or it can't be read. */
  read(path: string): string | undefined;
  kind(path: string): "file" | "folder" | null;
  /** The path with its links followed; the path itself when there is nothing. */
  realpath(path: string): string;
  /**
   * Names in a folder, of files only those with one of these ends; links count as what they lead to. What tools keep in
   * `node_modules` under names with a dot is left out.
   */
  list(folder: string, ends: readonly string[]): Listing;
}

/** Sorted by code unit. */
export interface Listing {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** The disk of this machine, by Node. */
export const NODE_DISK: Disk = {
  read(path) {
    let bytes: Buffer;
    try {
      bytes = readFileSync(path);
    } catch {
      return undefined;
    }
    return decode(bytes);
  },
  kind(path) {
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.isFile() === true ? "file" : found?.isDirectory() === true ? "folder" : null;
    } catch {
      // No right to look, or a link that leads in a circle.
      return null;
    }
  },
  realpath(path) {
    try {
      return realpathSync.native(path).replaceAll("\\", "/");
    } catch {
      return path;
    }
  },
  list(folder, ends) {
    const files: string[] = [];
    const folders: string[] = [];
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      return { files, folders };
    }
    const isModules = folder.endsWith("/node_modules");
    for (const entry of entries) {
      // What tools keep there (`.bin`, `.cache`, also our own results) is no package.
      if (isModules && entry.name.startsWith(".")) continue;
      const kind = entry.isSymbolicLink()
        ? NODE_DISK.kind(`${folder}/${entry.name}`)
        : entry.isFile()
          ? "file"
          : entry.isDirectory()
            ? "folder"
            : null;
      if (kind === "folder") folders.push(entry.name);
      if (kind === "file" && ends.some((end) => entry.name.endsWith(end))) files.push(entry.name);
    }
    return { files: files.sort(), folders: folders.sort() };
  },
};

/** UTF-8, or UTF-16 where a byte-order mark says so: what TypeScript reads. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    const even = Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)));
    return even.swap16().toString("utf16le");
  }
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString("utf16le", 2);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString("utf8", 3);
  return bytes.toString("utf8");
}

/** The folder of a path with `/`; empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
