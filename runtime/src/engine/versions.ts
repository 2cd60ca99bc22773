import type { EntryKind } from "../manifest/format.js";
import type { RemovedData, VersionData } from "./entry.js";
import { HistoryDivergedError, UsageError } from "./errors.js";
import { readablePath } from "./names.js";
import type { Scope } from "./scope.js";

const KINDS: readonly string[] = [
  "step",
  "loop",
  "sleep",
  "message",
  "rollback_checkpoint",
  "join",
  "race",
  "removed",
  "version_check",
] satisfies EntryKind[];

/**
 * Says that an entry of that name and kind is gone from the code: visits what history holds of it, with
 * what lies inside and what a queue wait generated, or records a placeholder.
 * @throws HistoryDivergedError when history holds another kind under the name.
 */
export async function runRemoved(scope: Scope, name: string, was: string): Promise<void> {
  const { pass } = scope;
  const path = scope.pathOf(name);
  if (!KINDS.includes(was))
    throw new UsageError(
      "removed_kind",
      `removed("${path}"): "${was}" is no kind of entry. One of: ${KINDS.join(", ")}.`,
      path,
    );
  if (was === "message" && visitWait(scope, name)) return;
  const place = scope.visit(name);
  const { data } = place;
  if (data !== undefined) {
    if (data.kind === "removed" || data.kind === was) return;
    throw new HistoryDivergedError(
      `removed("${readablePath(place.path)}", "${was}"): history holds a ${data.kind} of that name. Name its kind: removed(${JSON.stringify(name)}, "${data.kind}").`,
      path,
    );
  }
  if (pass.mode === "rollback") return scope.strand.stop();
  const now = pass.run.clock.now();
  const placeholder: RemovedData = {
    kind: "removed",
    seq: pass.run.nextSeq(),
    status: "completed",
    startedAt: now,
    completedAt: now,
    detail: was,
  };
  pass.record(place, placeholder);
}

/** Visits the entries that a wait of that name generated, if there are any. */
function visitWait(scope: Scope, name: string): boolean {
  const generated = [`${name}:count`, `${name}:deadline`].filter((part) => scope.holds(part));
  for (let index = 0; scope.holds(`${name}:${index}`); index++) generated.push(`${name}:${index}`);
  if (generated.length === 0) return false;
  scope.reserve(name);
  for (const part of generated) scope.visit(part);
  return true;
}

/**
 * The version that this instance is pinned to here: the recorded one; else 1 when an earlier run recorded
 * something in this scope that this pass has not visited, else `latest`.
 * @throws UsageError `version_latest`
 */
export async function runGetVersion(scope: Scope, name: string, latest: number): Promise<number> {
  const { pass } = scope;
  if (!Number.isInteger(latest) || latest < 1) {
    throw new UsageError(
      "version_latest",
      `getVersion("${scope.pathOf(name)}", ${String(latest)}): latest must be a whole number of at least 1.`,
      scope.pathOf(name),
    );
  }
  const place = scope.visit(name);
  const recorded = scope.recorded(place, "version_check");
  if (recorded !== undefined) return recorded.detail.version;
  if (pass.mode === "rollback") return scope.strand.stop();
  const version = scope.unvisited > 0 ? 1 : latest;
  const now = pass.run.clock.now();
  const data: VersionData = {
    kind: "version_check",
    seq: pass.run.nextSeq(),
    status: "completed",
    startedAt: now,
    completedAt: now,
    detail: { version, latest },
  };
  pass.record(place, data);
  return version;
}

/** Marks a point before which nothing is undone, and allows rollback handlers from here on. */
export async function runCheckpoint(scope: Scope, name: string): Promise<void> {
  const { pass } = scope;
  const place = scope.visit(name);
  const recorded = scope.recorded(place, "rollback_checkpoint");
  if (recorded === undefined) {
    if (pass.mode === "rollback") return scope.strand.stop();
    const now = pass.run.clock.now();
    pass.record(place, {
      kind: "rollback_checkpoint",
      seq: pass.run.nextSeq(),
      status: "completed",
      startedAt: now,
      completedAt: now,
      detail: 0,
    });
  }
  scope.checkpoint = true;
}
