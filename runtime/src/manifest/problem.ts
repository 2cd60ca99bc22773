import type { StepNode, WorkflowManifest } from "./format.js";
import { keysOf, keyText, patternText } from "./names.js";
import type { OldRun } from "./old-run.js";
import type { RecordedItem } from "./recorded.js";
import type { Refusal, ReplayResult, VisitedEntry } from "./replay-result.js";
import { stepsWhenFresh, type FreshStep } from "./steps-in.js";

/** Why running instances do not go on as they should. */
export type Problem =
  | Refusal
  /** Recorded steps run again, under another name, and nothing says so. */
  | {
      readonly why: "silent-rerun";
      readonly unvisited: number;
      readonly at: VisitedEntry;
      readonly steps: readonly string[];
      /** A guard that the old code did not have and that decides whether they do; `null` = they surely do. */
      readonly guard: string | null;
    }
  /** What a scope had recorded is never looked at again; nothing fails. */
  | { readonly why: "abandoned"; readonly unvisited: number; readonly at: null }
  /** More combinations than are tried. */
  | { readonly why: "too-large"; readonly unvisited: -1; readonly at: null };

interface Versions {
  readonly before: WorkflowManifest;
  readonly after: WorkflowManifest;
  /** The steps that the old code has under the key of an entry of the new code, in the same scope. */
  readonly stepsBefore: (key: string) => readonly StepNode[];
}

/** What is wrong with a replay: a refusal, or recorded work that is silently done again or dropped. */
export function problemOf(result: ReplayResult, run: OldRun, code: Versions): Problem | null {
  if (result.refusal !== null) return result.refusal;
  let abandoned: Problem | null = null;
  for (const index of result.unvisited) {
    const item = run.items[index];
    if (item?.node === undefined || item.node === null || item.node.kind === "removed") continue;
    const done = stepsWhenFresh(item.node, code.before.functions);
    if (done.length === 0) continue;
    for (const entry of result.fresh) {
      const before = code.stepsBefore(entry.key);
      const again = stepsWhenFresh(entry.node, code.after.functions, entry.gates).filter(
        (step) =>
          done.some((one) => isSameStep(one.node, step.node)) &&
          !before.some((one) => isSameStep(one, step.node)),
      );
      if (again.length > 0) {
        const steps = again.flatMap((step) => keysOf(step.node.name).map(keyText));
        const doubts = again.map((step) => newGuard(step, done));
        const at = { key: entry.key, node: entry.node };
        const guard = doubts.includes(null) ? null : (doubts[0] ?? null);
        return { why: "silent-rerun", unvisited: index, at, steps, guard };
      }
    }
    if (item.kind !== "step" && leavesScope(item))
      abandoned ??= { why: "abandoned", unvisited: index, at: null };
  }
  return abandoned;
}

function leavesScope(item: RecordedItem): boolean {
  return item.kind === "try" || item.kind === "loop" || item.kind === "join" || item.kind === "race";
}

function isSameStep(one: StepNode, other: StepNode): boolean {
  return one.body === other.body || patternText(one.name) === patternText(other.name);
}

/** A guard around a step that the old code did not have around it. */
function newGuard(step: FreshStep, done: readonly FreshStep[]): string | null {
  const old = done.filter((one) => isSameStep(one.node, step.node)).flatMap((one) => one.guards);
  return step.guards.find((guard) => !old.includes(guard)) ?? null;
}
