import { decodeRecord, encodeRecord } from "../engine/codec.js";
import type { Journal } from "../engine/journal.js";
import { readHistory, recover } from "../engine/operate/index.js";
import type { HistoryEntry, WorkflowRun } from "../engine/seam.js";
import { accepts } from "../manifest/accepts.js";
import type { WorkflowManifest } from "../manifest/format.js";
import { historyOf, type HistoryRecord } from "../manifest/history.js";
import { REPLAY_FLAGS } from "../manifest/replay-flags.js";

/** Record of the manifest (its hash) that last accepted the instance's history. */
export const ACCEPTED_KEY = "m";
/** Code of the error that a parked instance shows. */
export const REFUSED_CODE = "history_refused";

export interface AcceptanceCheck {
  readonly run: WorkflowRun;
  readonly journal: Journal;
  readonly manifest: WorkflowManifest;
  /** Text of the record `ACCEPTED_KEY`. */
  readonly stored: string | undefined;
}

/**
 * Guards a deploy (design §7): an instance whose history the code would refuse is parked before the code
 * runs on it, and taken up again by code that accepts it. Looks at the history once per manifest.
 */
export async function checkAcceptance({ run, journal, manifest, stored }: AcceptanceCheck): Promise<void> {
  const isParked = run.status === "parked" && run.error?.code === REFUSED_CODE;
  const before =
    stored === undefined ? null : decodeRecord("host", stored, journal.instance, ACCEPTED_KEY)[0];
  if (before === manifest.hash && !isParked) return;
  if (run.status === "completed" || run.status === "failed" || run.status === "cancelled") return;
  const acceptance = accepts(
    historyOf(readHistory(run).entries.map(historyRecord)),
    manifest,
    REPLAY_FLAGS.stepproof,
  );
  if (acceptance.accepted) {
    journal.put(ACCEPTED_KEY, encodeRecord("host", [manifest.hash]));
    if (isParked) await recover(run);
    return;
  }
  if (isParked) return;
  await run.park({
    name: "HistoryRefusedError",
    code: REFUSED_CODE,
    message: `The code that was started does not accept what this instance has recorded: ${acceptance.error}. Start code that does, and the instance goes on; \`stepproof diff\` says what to add.`,
    metadata: { path: acceptance.path.join("/") },
  });
}

/** An entry of the engine's history as the manifest's part takes it. */
export function historyRecord(entry: HistoryEntry): HistoryRecord {
  return {
    path: entry.names,
    kind: entry.kind,
    completed: entry.status !== "pending" && entry.status !== "running",
    ...(entry.version === undefined ? {} : { version: entry.version }),
    ...(entry.iteration === undefined ? {} : { iteration: entry.iteration }),
    ...(entry.branches === undefined
      ? {}
      : { branches: Object.keys(entry.branches), ended: endedBranches(entry.branches) }),
  };
}

/** Those whose outcome is recorded: the engine does not run them again. */
function endedBranches(branches: NonNullable<HistoryEntry["branches"]>): string[] {
  return Object.entries(branches)
    .filter(([, { status }]) => status === "completed" || status === "failed")
    .map(([name]) => name);
}
