import type {
  Change,
  ChangeId,
  DiffResult,
  Level,
  WorkflowDiff,
} from "../../../../runtime/src/manifest/diff-types.js";
import type { EngineName } from "../../../../runtime/src/manifest/format.js";
import type { WitnessReplay } from "../../../../runtime/src/testing/replay-witness.js";
import type { WorkflowGraph } from "../graph/index.js";

/** A change as it is shown: with the token that `--accept` takes, and where it is in the source. */
export interface ShownChange extends Change {
  /** Short name of `id`, for the command line. */
  readonly token: string;
  /** The reason for which it was accepted; `null` = it counts. */
  readonly accepted: string | null;
  /** With `--replay`: what the runtime did with the witness; `null` = there is none that can be run. */
  readonly replay?: ShownReplay | null;
  /** Where the author has to look, relative to the working directory; line from 1, `null` when unknown. */
  readonly place: { readonly file: string; readonly line: number | null };
}

/** What the runtime did with a witness, and by whose rules the diff had judged. */
export interface ShownReplay extends WitnessReplay {
  readonly judgedBy: EngineName;
}

/** What `stepproof diff --format json` prints: a stable, documented shape (docs/cli.md). */
export interface DiffReport {
  readonly version: 1;
  /** What the change as a whole is, accepted or not. */
  readonly verdict: DiffResult["verdict"];
  /** The worst level among the changes that were not accepted: what `--fail-on` looks at. */
  readonly open: DiffResult["verdict"];
  readonly workflows: readonly (Omit<WorkflowDiff, "changes"> & {
    readonly changes: readonly ShownChange[];
  })[];
  /** Entries of `stepproof.accepted.json` that match no change any more. */
  readonly unusedAcceptances: readonly ChangeId[];
  /** Pairs of scopes that had too many combinations to try; each is listed as a risky change too. */
  readonly tooLarge: number;
}

/** A report with what only some formats show. */
export interface DiffView {
  readonly report: DiffReport;
  /** Pictures of the workflows that changed, old and new in one. */
  readonly graphs: readonly WorkflowGraph[];
}

/** Words of the levels, worst first. */
export const LEVELS: readonly Level[] = ["breaking", "risky", "safe"];

/** `3 changes (1 breaking, 2 safe)`. */
export function countChanges(changes: readonly { readonly level: Level }[]): string {
  const parts = LEVELS.map((level) => ({
    level,
    count: changes.filter((change) => change.level === level).length,
  }));
  const shown = parts.filter(({ count }) => count > 0).map(({ level, count }) => `${count} ${level}`);
  return `${changes.length} ${changes.length === 1 ? "change" : "changes"} (${shown.join(", ")})`;
}
