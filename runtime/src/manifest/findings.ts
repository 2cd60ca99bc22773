import type { OldRun } from "./old-run.js";
import type { Problem } from "./problem.js";
import type { Asked } from "./replay-result.js";
import type { ScopeNode } from "./scope-nodes.js";

/** A history that the new code refuses, or takes without looking at what it had done. */
export interface Finding {
  readonly path: readonly ScopeStep[];
  readonly problem: Problem;
  /** False: it depends on data that the manifests do not show; `because` says on what. */
  readonly sure: boolean;
  readonly because: string | null;
  readonly run: OldRun;
  /** Index of the last item that the history holds. */
  readonly upTo: number;
  /** Guards of the new code, with the answers that lead here. */
  readonly asked: readonly Asked[];
  readonly size: number;
  /** True when the code is refused before it comes here: this shows when that is mended. */
  readonly behind: boolean;
}

/** The way from the root: the entry that opens the scope, with what its own scope had recorded then. */
export interface ScopeStep {
  readonly run: OldRun;
  readonly at: number;
  /** Index of the last item of its own scope that was recorded: `at`, or later for a try block. */
  readonly upTo: number;
  readonly node: ScopeNode;
  /** Branch name for joins and races, else "". */
  readonly scope: string;
  /** Guards of the new code, with the answers that lead into the scope. */
  readonly asked: readonly Asked[];
}

/** The worst finding of each kind of refusal. */
export class Findings {
  private readonly worst = new Map<string, Finding>();

  get all(): readonly Finding[] {
    return [...this.worst.values()];
  }

  /** A history of that size says nothing that is not known. */
  isSettled(key: string, size: number): boolean {
    const known = this.worst.get(key);
    return known !== undefined && known.sure && !known.behind && known.size <= size;
  }

  /** Findings with equal keys tell of the same. */
  add(key: string, finding: Finding): void {
    const known = this.worst.get(key);
    if (known === undefined || isWorse(finding, known)) this.worst.set(key, finding);
  }
}

/**
 * One that is met before one behind it, a certain refusal before a doubtful one, a real one before a silent one,
 * then the smaller history.
 */
export function isWorse(finding: Finding, known: Finding): boolean {
  if (finding.behind !== known.behind) return known.behind;
  if (finding.sure !== known.sure) return finding.sure;
  const silent = (one: Finding): boolean =>
    one.problem.why === "silent-rerun" || one.problem.why === "abandoned";
  if (silent(finding) !== silent(known)) return silent(known);
  return finding.size < known.size;
}
