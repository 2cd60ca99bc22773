import { encodeEntry, HISTORY_PREFIX, type EntryData } from "../engine/entry.js";
import { iterationSegment, nameSegment } from "../engine/names.js";
import { encodeStatus, STATUS_KEY } from "../engine/status.js";
import type { HistoryEntry, HistoryScope } from "../manifest/history.js";

/**
 * A history as the records of an instance that has work in hand, by key: what a process finds that
 * starts on it. Values are `undefined`; what is recorded as data plays no part in the replay contract.
 *
 * @param now when everything happened, in ms since the epoch.
 * @throws UsageError `entry_name` for a name that no entry can have.
 */
export function recordsOf(
  history: { readonly entries: readonly HistoryEntry[] },
  now: number,
): Map<string, string> {
  const records = new Map<string, string>([[STATUS_KEY, encodeStatus({ status: "running", due: 0 })]]);
  let seq = 0;
  const put = (path: string, data: EntryData): void => {
    records.set(HISTORY_PREFIX + path, encodeEntry(data));
  };
  const putScope = (entries: readonly HistoryEntry[], path: string): void => {
    for (const entry of entries) {
      const own = path + nameSegment(entry.name);
      if (entry.kind !== "try") put(own, entryData(entry, seq++, now));
      for (const scope of entry.scopes ?? []) {
        putScope(scope.entries, `${own}${scopeSegment(entry, scope)}/`);
      }
      for (const branch of endedBranches(entry)) {
        const times = { seq: seq++, startedAt: now, completedAt: now };
        put(`${own}/${nameSegment(branch)}`, { kind: "branch", status: "completed", ...times, detail: 0 });
      }
    }
  };
  putScope(history.entries, "");
  return records;
}

function scopeSegment(entry: HistoryEntry, scope: HistoryScope): string {
  if (entry.kind === "loop") return `/${iterationSegment(Number(scope.name))}`;
  return scope.name === "" ? "" : `/${nameSegment(scope.name)}`;
}

/** The branches that have an outcome: all of a join that is over, the winner of a race. */
function endedBranches(entry: HistoryEntry): readonly string[] {
  if ((entry.kind !== "join" && entry.kind !== "race") || entry.state !== "completed") return [];
  const names = entry.branches ?? [];
  return entry.kind === "join" ? names : names.slice(0, 1);
}

function entryData(entry: HistoryEntry, seq: number, now: number): EntryData {
  const done = entry.state === "completed";
  const times = { seq, startedAt: now, completedAt: done ? now : 0 };
  const status = done ? "completed" : "running";
  switch (entry.kind) {
    case "step":
      return { kind: "step", ...times, status: done ? "completed" : "failed", detail: { attempts: 1 } };
    case "sleep":
      return {
        kind: "sleep",
        ...times,
        status: done ? "completed" : "pending",
        detail: done ? now : now + 1,
      };
    case "message": {
      const detail = entry.name.endsWith(":count") ? 1 : { id: `m${seq}`, queue: "q", createdAt: now };
      return { kind: "message", ...times, status: "completed", detail } as EntryData;
    }
    case "rollback_checkpoint":
      return { kind: "rollback_checkpoint", ...times, status: "completed", detail: 0 };
    case "loop":
      return { kind: "loop", ...times, status, detail: entry.iteration ?? lastIteration(entry) };
    case "join":
    case "race": {
      const names = entry.branches ?? (entry.scopes ?? []).map((scope) => scope.name);
      const winner = entry.kind === "race" && done ? names[0] : undefined;
      const detail = { names, ...(winner === undefined ? {} : { winner }) };
      return { kind: entry.kind, ...times, status, detail };
    }
    case "removed":
      return { kind: "removed", ...times, status: "completed", detail: "step" };
    case "version_check": {
      const version = entry.version ?? 1;
      return { kind: "version_check", ...times, status: "completed", detail: { version, latest: version } };
    }
    case "try":
      throw new Error("a try block has no record");
  }
}

function lastIteration(entry: HistoryEntry): number {
  return Math.max(0, ...(entry.scopes ?? []).map((scope) => Number(scope.name)));
}
