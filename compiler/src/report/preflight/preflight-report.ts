import type { Preflight } from "../../../../runtime/src/host/preflight.js";

/** What `stepproof preflight --format json` prints: a stable, documented shape (docs/cli.md). */
export interface PreflightReport extends Preflight {
  readonly version: 1;
  /** As it was given. */
  readonly database: string;
  /** Where the manifest comes from: a file, `git:REF`, an address, `the working tree`. */
  readonly manifest: string;
}
