import { decodeValue } from "../codec.js";
import type { EntryData } from "../entry.js";
import type { Place } from "../history.js";
import { readSegment } from "../names.js";
import type { HistoryEntry } from "../seam.js";

/** The history for inspectors, in the order of recording. */
export function describeHistory(root: Place): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (const place of root.entries()) {
    const data = place.data as EntryData; // `entries` yields places with data only
    if (data.kind !== "branch") entries.push(describeEntry(place, data));
  }
  return entries.sort((a, b) => a.seq - b.seq);
}

function describeEntry(place: Place, data: EntryData): HistoryEntry {
  return {
    path: place.shown,
    names: place.path.split("/").map(readSegment),
    kind: data.kind === "branch" ? "join" : data.kind,
    seq: data.seq,
    status: data.status,
    startedAt: data.startedAt,
    ...(data.completedAt === 0 ? undefined : { completedAt: data.completedAt }),
    ...describeDetail(place, data),
  };
}

function describeDetail(place: Place, data: EntryData): Partial<HistoryEntry> {
  switch (data.kind) {
    case "step": {
      const { attempts, error, retryAt, rolledBackAt, rollbackError } = data.detail;
      return {
        attempts,
        ...(data.status === "completed" ? { output: decodeValue(data.value) } : undefined),
        ...(error && { error }),
        ...(retryAt !== undefined && { due: retryAt }),
        ...(rolledBackAt !== undefined && { rolledBackAt }),
        ...(rollbackError && { rollbackError }),
      };
    }
    case "loop":
      return {
        iteration: data.detail,
        [data.status === "completed" ? "output" : "state"]: decodeValue(data.value),
      };
    case "sleep":
      return { due: data.detail };
    case "message":
      if (typeof data.detail === "number") return { output: data.detail };
      return { queue: data.detail.queue, messageId: data.detail.id, body: decodeValue(data.value) };
    case "join":
    case "race":
      return {
        branches: describeBranches(place, data.detail.names),
        ...(data.detail.winner !== undefined && { winner: data.detail.winner }),
      };
    case "version_check":
      return { version: data.detail.version };
    case "removed":
      return { was: data.detail };
    case "rollback_checkpoint":
    case "branch":
      return {};
  }
}

function describeBranches(place: Place, names: readonly string[]): NonNullable<HistoryEntry["branches"]> {
  const branches: Record<
    string,
    { status: string; output?: unknown; error?: NonNullable<HistoryEntry["error"]> }
  > = {};
  const byName = new Map([...place.children].map(({ segment, data }) => [readSegment(segment), data]));
  for (const name of names) {
    const data = byName.get(name);
    if (data?.kind !== "branch")
      branches[name] = { status: place.data?.status === "completed" ? "cancelled" : "running" };
    else if (data.detail === 0) branches[name] = { status: data.status, output: decodeValue(data.value) };
    else branches[name] = { status: data.status, error: data.detail };
  }
  return branches;
}
