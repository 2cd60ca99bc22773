import { folderOf, NODE_DISK, type Disk, type Listing } from "./disk.js";
import { typescript } from "./typescript.js";

/** Reading, as the host needs it; absolute paths with `/`. */
export interface Files {
  readonly cwd: string;
  /** `undefined` when there is no such file or it can't be read. */
  read(path: string): string | undefined;
  fileExists(path: string): boolean;
  directoryExists(path: string): boolean;
  /** The path with its links followed. */
  realpath(path: string): string;
  directories(path: string): string[];
  /** Files below `root` with these extensions (with dot), matched against tsconfig globs. */
  below(
    root: string,
    extensions: readonly string[],
    exclude: readonly string[] | undefined,
    include: readonly string[] | undefined,
    depth?: number,
  ): string[];
}

/** Makes a path absolute against `cwd`, with `/` and without `.` and `..`. */
export function absolutePath(path: string, cwd: string): string {
  return typescript.normalizePath(typescript.combinePaths(slashed(cwd), slashed(path)));
}

/**
 * The disk with `overlay` in front: unsaved text, or a whole project that is not on disk at all.
 * `overlay` maps absolute paths to text.
 */
export function openFiles(
  cwd: string,
  overlay: ReadonlyMap<string, string> = new Map(),
  disk: Disk = NODE_DISK,
): Files {
  const at = slashed(cwd);
  const texts = new Map([...overlay].map(([path, text]) => [absolutePath(path, at), text]));
  const folders = new Set([...texts.keys()].flatMap(parents));
  return {
    cwd: at,
    read: (path) => texts.get(path) ?? disk.read(path),
    fileExists: (path) => texts.has(path) || disk.kind(path) === "file",
    directoryExists: (path) => folders.has(path) || disk.kind(path) === "folder",
    realpath: (path) => (texts.has(path) ? path : disk.realpath(path)),
    directories: (path) => [...list(path, []).folders],
    below: (root, extensions, exclude, include, depth) =>
      typescript.matchFiles(
        root,
        extensions,
        exclude,
        include,
        typescript.sys.useCaseSensitiveFileNames,
        at,
        depth,
        (folder) => {
          const { files, folders: directories } = list(folder, extensions);
          return { files, directories };
        },
        (path) => (folders.has(path) ? path : disk.realpath(path)),
      ),
  };

  function list(folder: string, ends: readonly string[]): Listing {
    const onDisk = disk.list(folder, ends);
    if (texts.size === 0) return onDisk;
    const inside = (paths: Iterable<string>): string[] =>
      [...paths]
        .filter((path) => path !== folder && folderOf(path) === folder)
        .map((path) => path.slice(folder.length + 1));
    return {
      files: [
        ...new Set([
          ...onDisk.files,
          ...inside(texts.keys()).filter((name) => ends.some((end) => name.endsWith(end))),
        ]),
      ].sort(),
      folders: [...new Set([...onDisk.folders, ...inside(folders)])].sort(),
    };
  }
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

function parents(path: string): string[] {
  const found: string[] = [];
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) found.push(folder);
  return found;
}
