import type { Diagnostic } from "../types.js";

/** What `stepproof check --format json` prints: a stable, documented shape (docs/cli.md). */
export interface CheckReport {
  readonly version: 1;
  readonly diagnostics: readonly Diagnostic[];
  readonly workflows: readonly {
    readonly name: string;
    /** Relative to the working directory, with `/`. */
    readonly file: string;
    /** From 1. */
    readonly line: number;
    /** Statements that record an entry. */
    readonly entries: number;
  }[];
  /** What was left out because the program is too big to be followed whole; almost always empty. */
  readonly notes: readonly string[];
  readonly summary: {
    readonly errors: number;
    readonly warnings: number;
    /** Source files that were checked, packages not counted. */
    readonly files: number;
    readonly durationMs: number;
  };
}

/** What a reporter may know of the place where its text is shown. */
export interface RenderOptions {
  /** ANSI colours. */
  readonly color: boolean;
  /** Columns of the terminal; text is wrapped to it. */
  readonly width: number;
  /** Text of a file named in the report (path as in the report), or `null` when it can't be read. */
  readonly source: (file: string) => string | null;
  /**
   * What leads from the root of the repository to the working directory, `""` or ending in `/`: GitHub
   * and SARIF name files from the root.
   */
  readonly pathPrefix: string;
  /** Version of the tool, for SARIF. */
  readonly toolVersion: string;
}

/** How many of each severity. */
export function countSeverities(diagnostics: readonly Diagnostic[]): { errors: number; warnings: number } {
  const errors = diagnostics.filter((one) => one.severity === "error").length;
  return { errors, warnings: diagnostics.length - errors };
}
