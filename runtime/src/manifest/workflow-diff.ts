import { worse, type Level } from "./change-kinds.js";
import type { CompatibilityLimits } from "./compatibility.js";
import type { Change, WorkflowDiff } from "./diff-types.js";
import type { WorkflowManifest } from "./format.js";
import { hash64 } from "./hash.js";
import { judgeWorkflow, type Judged } from "./judge-workflow.js";
import { ProvenRemedies } from "./proven-remedies.js";
import type { ReplayFlags } from "./replay-flags.js";
import type { Difference } from "./structure.js";
import { witnessOf } from "./witness.js";

/** What changed between two versions of one workflow. */
export function diffWorkflow(
  before: WorkflowManifest,
  after: WorkflowManifest,
  flags: ReplayFlags,
  limits?: CompatibilityLimits,
): { readonly diff: WorkflowDiff; readonly tooLarge: number } {
  const { judged, tooLarge } = judgeWorkflow(before, after, flags, limits);
  const remedies = new ProvenRemedies(
    judged,
    (mended) => judgeWorkflow(before, mended, flags, limits).judged,
    after,
  );
  const changes = [...judged].sort(byLevelAndPath).map((one): Change => {
    const { kind, path, message, before: was, after: is } = one.difference;
    return {
      kind,
      id: changeId(before.name, one.difference),
      path,
      level: one.level,
      message:
        one.finding?.behind === true
          ? `${message} (behind another refusal: it shows when that is mended)`
          : message,
      before: was,
      after: is,
      // The engine is refused earlier on every such history, so none can be shown.
      witness: one.finding === null || one.finding.behind ? null : witnessOf(one.finding, before),
      remedy: one.level === "safe" ? null : remedies.of(one),
    };
  });
  const verdict = changes.reduce<Level>((worst, change) => worse(worst, change.level), "safe");
  return { diff: { name: after.name, file: after.file, verdict, changes }, tooLarge };
}

/** Names a change of a workflow for good. */
export function changeId(
  workflow: string,
  { kind, path, before, after }: Pick<Difference, "kind" | "path" | "before" | "after">,
): Change["id"] {
  return { workflow, kind, path, content: hash64(JSON.stringify([before, after])) };
}

const LEVELS: readonly Level[] = ["breaking", "risky", "safe"];

function byLevelAndPath(one: Judged, other: Judged): number {
  const level = LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level);
  if (level !== 0) return level;
  const key = ({ difference: { path, kind } }: Judged): string => JSON.stringify([path, kind]);
  const [a, b] = [key(one), key(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}
