/** What can be wrong with the project that was asked for; each becomes a usage error (exit code 2) of the command. */
export type ProjectErrorCode =
  /** A file or folder that was named does not exist. */
  | "path-not-found"
  /** A path exists, but the system refuses to read it. */
  | "path-unreadable"
  /** A folder or glob holds no TypeScript or JavaScript file. */
  | "no-source-files"
  /** A file was named that is neither TypeScript nor JavaScript. */
  | "not-a-source-file"
  /** The tsconfig that was named does not exist. */
  | "tsconfig-not-found"
  /** The tsconfig can't be parsed or extends something that is missing. */
  | "tsconfig-broken";

/** The project can't be opened. `message` says what and what to do; `path` is the path that is wrong. */
export class ProjectError extends Error {
  override readonly name = "ProjectError";
  constructor(
    readonly code: ProjectErrorCode,
    readonly path: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
