import { worse, type Level } from "./change-kinds.js";
import type { CompatibilityLimits } from "./compatibility.js";
import type { DiffResult, WorkflowDiff } from "./diff-types.js";
import type { EngineName, Manifest, WorkflowManifest } from "./format.js";
import { lonelyWorkflow } from "./lonely-workflow.js";
import { REPLAY_FLAGS } from "./replay-flags.js";
import { diffWorkflow } from "./workflow-diff.js";

export interface DiffOptions {
  /** The engine whose rules are applied; default: the one that the new manifest names, per workflow. */
  readonly engine?: EngineName;
  readonly limits?: CompatibilityLimits;
}

/**
 * Which deploys of `now` over running instances of `old` break them: per workflow every change, its
 * level, and for what breaks a history that shows it and what to write instead (design §7).
 */
export function diffManifests(old: Manifest, now: Manifest, options: DiffOptions = {}): DiffResult {
  const names = [...new Set([...Object.keys(old.workflows), ...Object.keys(now.workflows)])].sort();
  let tooLarge = 0;
  const workflows = names.map((name): WorkflowDiff => {
    const before = own(old.workflows, name);
    const after = own(now.workflows, name);
    if (before === null || after === null) return lonelyWorkflow(name, before, after, old, now);
    if (before.hash === after.hash && before.engine === after.engine) {
      return { name, file: after.file, verdict: "identical", changes: [] };
    }
    const flags = REPLAY_FLAGS[options.engine ?? after.engine];
    const result = diffWorkflow(before, after, flags, options.limits);
    tooLarge += result.tooLarge;
    return result.diff;
  });
  const verdict = workflows.reduce<Level | "identical">(
    (worst, diff) => worse(worst, diff.verdict),
    "identical",
  );
  return { version: 1, verdict, workflows, tooLarge };
}

function own(workflows: Manifest["workflows"], name: string): WorkflowManifest | null {
  return Object.hasOwn(workflows, name) ? (workflows[name] ?? null) : null;
}
