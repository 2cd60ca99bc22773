import { prefixRange } from "../engine/codec.js";
import { HISTORY_PREFIX } from "../engine/entry.js";
import { CorruptRecordError } from "../engine/errors.js";
import { loadHistory } from "../engine/history.js";
import { describeHistory } from "../engine/operate/describe.js";
import type { WorkflowStatus } from "../engine/seam.js";
import { readStatus, STATUS_KEY } from "../engine/status.js";
import { accepts } from "../manifest/accepts.js";
import type { Manifest } from "../manifest/format.js";
import { historyOf } from "../manifest/history.js";
import { REPLAY_FLAGS } from "../manifest/replay-flags.js";
import type { InstanceReader } from "../store/sqlite-reader.js";
import { historyRecord } from "./acceptance.js";
import { instanceAddress, type InstanceAddress } from "./names.js";

/** What a deploy of a manifest would mean for the instances of one database. */
export interface Preflight {
  /** All that are stored. */
  readonly instances: number;
  /** Completed, failed or cancelled: no code runs on them any more. */
  readonly ended: number;
  /** Actors without a workflow, and workflows that have not begun. */
  readonly withoutHistory: number;
  readonly accepted: number;
  /** Of the accepted: those whose code has more ways than were tried. */
  readonly unproven: number;
  /** In the order of their names. */
  readonly refused: readonly RefusedInstance[];
}

/** An instance that would not go on. */
export interface RefusedInstance {
  readonly workflow: string;
  readonly key: readonly string[];
  /** As it is stored; `running` also stands for asleep in some cases (docs/storage-format.md). */
  readonly status: WorkflowStatus;
  /**
   * `history`: the code does not accept what is recorded, the runtime would park it. `no-workflow`: there
   * is no such workflow any more. `unreadable`: a record is damaged or newer, it is parked already.
   */
  readonly why: "history" | "no-workflow" | "unreadable";
  /** Names from the root to the entry at which the code is refused; empty when it is none. */
  readonly path: readonly string[];
  readonly message: string;
}

const ENDED: ReadonlySet<WorkflowStatus> = new Set(["completed", "failed", "cancelled"]);

/** Asks of every stored instance what the runtime would ask when `manifest` is deployed (design §7). */
export function preflight(reader: InstanceReader, manifest: Manifest): Preflight {
  const counts = { instances: 0, ended: 0, withoutHistory: 0, accepted: 0, unproven: 0 };
  const refused: RefusedInstance[] = [];
  for (const instance of reader.instances()) {
    counts.instances++;
    const verdict = judge(instance, reader, manifest);
    if (typeof verdict === "string") counts[verdict]++;
    else if ("why" in verdict) refused.push(verdict);
    else {
      counts.accepted++;
      if (!verdict.proven) counts.unproven++;
    }
  }
  return { ...counts, refused };
}

type Verdict = "ended" | "withoutHistory" | { readonly proven: boolean } | RefusedInstance;

function judge(instance: string, reader: InstanceReader, manifest: Manifest): Verdict {
  const { name, key } = addressOf(instance);
  const refuse = (
    status: WorkflowStatus,
    why: RefusedInstance["why"],
    message: string,
    path: readonly string[] = [],
  ): RefusedInstance => ({ workflow: name, key, status, why, path, message });
  try {
    const value = reader.record(instance, STATUS_KEY);
    const stored = value === undefined ? undefined : readStatus(instance, [{ key: STATUS_KEY, value }]);
    if (stored === undefined) return "withoutHistory";
    if (ENDED.has(stored.status)) return "ended";
    const workflow = Object.hasOwn(manifest.workflows, name) ? manifest.workflows[name] : undefined;
    if (workflow === undefined)
      return refuse(stored.status, "no-workflow", `there is no workflow "${name}" in the manifest`);
    const { root } = loadHistory(instance, reader.records(instance, prefixRange(HISTORY_PREFIX)));
    const history = historyOf(describeHistory(root).map(historyRecord));
    const acceptance = accepts(history, workflow, REPLAY_FLAGS.stepproof);
    if (acceptance.accepted) return { proven: acceptance.proven };
    return refuse(stored.status, "history", acceptance.error, acceptance.path);
  } catch (error) {
    if (!(error instanceof CorruptRecordError)) throw error;
    return refuse("parked", "unreadable", error.message);
  }
}

function addressOf(instance: string): InstanceAddress {
  try {
    return instanceAddress(instance);
  } catch (error) {
    // A name that no version of ours writes: shown as it is.
    if (error instanceof URIError) return { name: instance, key: [] };
    throw error;
  }
}
