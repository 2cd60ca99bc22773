import type { Remedy } from "./diff-types.js";
import { editedWorkflow } from "./edited-workflow.js";
import type { WorkflowManifest } from "./format.js";
import type { Judged } from "./judge-workflow.js";
import { lastResort, remediesFor } from "./remedy.js";

/** Remedies of one workflow that are tried out; past that only advice is given. */
const MOST_TRIED = 200;

/**
 * Remedies that are proven to help: the new code with the edits in it is judged again. A remedy is given with edits
 * only when its change is gone then, and none is there that was not there before.
 */
export class ProvenRemedies {
  private tried = 0;
  /** What was written differently before: of that, more can come to light when a refusal in front of it is mended. */
  private readonly known: ReadonlySet<string>;

  /** @param judge what changed between the old version and a mended new one. */
  constructor(
    judged: readonly Judged[],
    private readonly judge: (mended: WorkflowManifest) => readonly Judged[],
    private readonly after: WorkflowManifest,
  ) {
    this.known = new Set(judged.map(keyOf));
  }

  /** `null` when there is nothing to say. */
  of(change: Judged): Remedy | null {
    const candidates = remediesFor(change.difference, change.finding);
    const seen = new Set<string>();
    for (const candidate of candidates) {
      const key = JSON.stringify(candidate.edits);
      if (candidate.edits.length === 0 || seen.has(key)) continue;
      seen.add(key);
      if (this.helps(candidate, change)) return candidate;
    }
    const advice = candidates.find(({ edits }) => edits.length === 0);
    return advice ?? (candidates.length > 0 ? lastResort(change.difference) : null);
  }

  private helps({ edits }: Remedy, change: Judged): boolean {
    if (this.tried >= MOST_TRIED) return false;
    this.tried += 1;
    const mended = editedWorkflow(this.after, edits);
    if (mended === null) return false;
    const left = this.judge(mended).filter(({ level }) => level !== "safe");
    return left.every((one) => this.known.has(keyOf(one)) && keyOf(one) !== keyOf(change));
  }
}

const keyOf = ({ difference: { kind, path } }: Judged): string => JSON.stringify([kind, path]);
