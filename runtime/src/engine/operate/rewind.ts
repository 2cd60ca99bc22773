import { prefixRange } from "../codec.js";
import { encodeEntry, HISTORY_PREFIX, type EntryData, type StepData } from "../entry.js";
import { UsageError } from "../errors.js";
import { messagesOf, Place } from "../history.js";
import type { Journal } from "../journal.js";
import type { Message } from "../mailbox.js";
import { iterationSegment, readSegment } from "../names.js";

/**
 * Makes the steps that ended a workflow, and those that were rolled back, run again from their first
 * attempt. Failures that user code dealt with stay as they are.
 * @param failed paths of the entries whose failure ended it.
 */
export function forgetFailures(root: Place, failed: readonly string[], journal: Journal): void {
  for (const path of failed) {
    const place = find(root, path.split("/"));
    if (place?.data !== undefined) forgetFailure(root, place, place.data, journal);
  }
  for (const place of [...root.entries()]) {
    if (place.data?.kind !== "step" || place.data.detail.rolledBackAt === undefined) continue;
    restart(place, place.data, journal);
    reopen(place.parent, place, journal);
  }
}

function forgetFailure(root: Place, place: Place, data: EntryData, journal: Journal): void {
  if (data.kind === "step") restart(place, data, journal);
  if (data.kind !== "join" && data.kind !== "race") return;
  write(place, { ...data, status: "running", completedAt: 0, detail: { names: data.detail.names } }, journal);
  for (const branch of place.children) {
    if (branch.data?.kind !== "branch" || branch.data.detail === 0) continue;
    const { failed = [] } = branch.data.detail;
    erase(branch, journal);
    forgetFailures(root, failed, journal);
  }
}

function restart(place: Place, data: StepData, journal: Journal): void {
  const { kind, seq, startedAt } = data;
  write(place, { kind, seq, status: "pending", startedAt, completedAt: 0, detail: { attempts: 0 } }, journal);
}

/**
 * Forgets the step at `path` and all that was recorded after it. A loop around it goes back to the turn of
 * the step when that is possible (the turn in hand, or any turn of a loop without state), else to
 * its first.
 * @param path readable, iterations as `~12`; without it everything goes.
 * @returns the root to go on from, and the messages that were received after the step: they wait again.
 * @throws UsageError `workflow_in_flight`, `entry_not_found`, `not_a_step`.
 */
export function forgetFrom(
  root: Place,
  path: string | undefined,
  journal: Journal,
  inFlight: boolean,
): { root: Place; messages: Message[] } {
  if (inFlight)
    throw new UsageError(
      "workflow_in_flight",
      "A step is running. Replay the workflow when it waits or has ended.",
      path,
    );
  if (path === undefined) {
    const { from, to } = prefixRange(HISTORY_PREFIX);
    journal.deleteRange(from, to);
    return { root: new Place(), messages: messagesOf([...root.entries()]) };
  }
  const target = find(root, path.split("/").map(fromReadable));
  if (target?.data === undefined)
    throw new UsageError("entry_not_found", `The history holds no entry "${path}".`, path);
  if (target.data.kind !== "step")
    throw new UsageError(
      "not_a_step",
      `"${path}" is a ${target.data.kind}; a workflow can be replayed from a step.`,
      path,
    );
  const boundary = boundaryOf(target);
  const from = (boundary.data as EntryData).seq; // boundaries are entries
  const forgotten = [...root.entries()].filter(({ data }) => data !== undefined && data.seq >= from);
  const messages = messagesOf(forgotten);
  for (const place of forgotten) erase(place, journal);
  reopen(boundary.parent, boundary, journal);
  return { root, messages };
}

/** The step, or the outermost loop around it that can't go back to the step's turn. */
function boundaryOf(target: Place): Place {
  let boundary = target;
  for (let inner = target, at = target.parent; at !== undefined; inner = at, at = at.parent) {
    if (at.data?.kind !== "loop") continue;
    const inHand = at.data.status !== "completed" && at.data.detail === readSegment(inner.segment);
    const stateless = at.data.status !== "completed" && at.data.value === undefined;
    if (!inHand && !stateless) boundary = at;
  }
  return boundary;
}

/**
 * The scopes around the boundary have not ended any more. A loop goes back to the first turn that a rollback
 * undoes, if one does, else to that of the boundary.
 */
function reopen(place: Place | undefined, inner: Place, journal: Journal): void {
  if (place === undefined) return;
  const { data } = place;
  if (data?.kind === "branch") erase(place, journal);
  if (data?.kind === "join" || data?.kind === "race")
    write(
      place,
      { ...data, status: "running", completedAt: 0, detail: { names: data.detail.names } },
      journal,
    );
  if (data?.kind === "loop") {
    const { from, state } = data.undo ?? { from: readSegment(inner.segment) as number, state: data.value };
    write(place, { ...data, status: "running", completedAt: 0, detail: from, value: state }, journal);
  }
  reopen(place.parent, place, journal);
}

function write(place: Place, data: EntryData, journal: Journal): void {
  place.keep(data);
  journal.put(place.key, encodeEntry(data));
}

function erase(place: Place, journal: Journal): void {
  place.keep(undefined);
  journal.delete(place.key);
}

function find(root: Place, segments: readonly string[]): Place | undefined {
  let place: Place | undefined = root;
  for (const segment of segments) place = place?.find(segment);
  return place;
}

function fromReadable(segment: string): string {
  return /^~\d+$/.test(segment) ? iterationSegment(Number(segment.slice(1))) : segment;
}
