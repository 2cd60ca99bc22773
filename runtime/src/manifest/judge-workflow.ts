import { causeOf } from "./blame.js";
import { CHANGE_KINDS, type Level } from "./change-kinds.js";
import { incompatibilities, type CompatibilityLimits } from "./compatibility.js";
import { isWorse, type Finding } from "./findings.js";
import type { WorkflowManifest } from "./format.js";
import { keyText } from "./names.js";
import { pathText } from "./phrases.js";
import type { ReplayFlags } from "./replay-flags.js";
import { differences, type Difference } from "./structure.js";
import { scopePath } from "./witness.js";

/** A difference with what it means for running instances. */
export interface Judged {
  readonly difference: Difference;
  readonly level: Level;
  /** The history that is refused because of it. */
  readonly finding: Finding | null;
}

export interface Judgement {
  readonly judged: readonly Judged[];
  /** Pairs of scopes with more combinations than are tried. */
  readonly tooLarge: number;
}

/** Every difference between two versions of a workflow, each with its level. */
export function judgeWorkflow(
  before: WorkflowManifest,
  after: WorkflowManifest,
  flags: ReplayFlags,
  limits?: CompatibilityLimits,
): Judgement {
  const written = differences(before, after);
  const { findings, effort } = incompatibilities(before, after, flags, limits);
  const blamed = new Map<Difference, Finding>();
  const others = new Map<string, { difference: Difference; finding: Finding }>();
  for (const finding of findings) {
    const cause = causeOf(finding, written);
    // Nothing was written for it: it goes with the refusal in front of it.
    if (cause === null && finding.behind) continue;
    if (cause === null) {
      const difference = withoutCause(finding);
      const key = JSON.stringify([difference.kind, difference.path]);
      const known = others.get(key);
      if (known === undefined || isWorse(finding, known.finding)) others.set(key, { difference, finding });
    } else {
      const known = blamed.get(cause);
      if (known === undefined || isWorse(finding, known)) blamed.set(cause, finding);
    }
  }
  const first = findings.some((finding) => finding.sure && !finding.behind);
  const all = [
    ...written.map((difference) => ({ difference, finding: blamed.get(difference) ?? null })),
    ...others.values(),
  ];
  // What lies behind a doubtful refusal is no surer than that.
  const judged = all.map((one) => ({ ...one, level: levelOf(one, first) }));
  return { judged, tooLarge: effort.tooLarge };
}

function levelOf({ difference, finding }: Omit<Judged, "level">, sureBefore: boolean): Level {
  if (finding === null) return CHANGE_KINDS[difference.kind].level;
  return finding.sure && (sureBefore || !finding.behind) ? "breaking" : "risky";
}

function withoutCause(finding: Finding): Difference {
  const scope = scopePath(finding.path);
  const item = finding.run.items[finding.problem.unvisited];
  const name = item === undefined ? null : keyText(item.key);
  const path = name === null ? scope : [...scope, name];
  const large = finding.problem.why === "too-large";
  const where = path.length === 0 ? "the workflow" : pathText(path);
  return {
    kind: large ? "too-large" : "history-refused",
    path,
    message: large
      ? `${where} has too many combinations of guards to prove that running instances go on`
      : `what was recorded at ${where} is not accepted any more`,
    before: null,
    after: null,
    old: null,
    now: null,
    scope: null,
  };
}
