import type { EntryKind } from "../manifest/format.js";
import { HistoryDivergedError, UsageError } from "./errors.js";
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
      `removed("${place.shown}", "${was}"): history holds a ${data.kind} of that name. Name its kind: removed(${JSON.stringify(name)}, "${data.kind}").`,
      path,
    );
  }
  if (pass.mode === "rollback") return scope.strand.stop();
  pass.add(place, "removed", "completed", was);
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
  const place = scope.visit(name, "version_check");
  if (place.data !== undefined) return place.data.detail.version;
  if (pass.mode === "rollback") return scope.strand.stop();
  const version = scope.unvisited > 0 ? 1 : latest;
  pass.add(place, "version_check", "completed", { version, latest });
  return version;
}

/** Marks a point before which nothing is undone, and allows rollback handlers from here on. */
export async function runCheckpoint(scope: Scope, name: string): Promise<void> {
  const { pass } = scope;
  const place = scope.visit(name, "rollback_checkpoint");
  if (place.data === undefined) {
    if (pass.mode === "rollback") return scope.strand.stop();
    pass.add(place, "rollback_checkpoint", "completed", 0);
  }
  scope.checkpoint = true;
}
