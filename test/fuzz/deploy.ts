import { createEngine, type Engine, type HistorySnapshot } from "../../runtime/src/engine/index.js";
import { readHistory } from "../../runtime/src/engine/operate/index.js";
import { historyRecord } from "../../runtime/src/host/acceptance.js";
import { historyOf, lateRemovals, type History } from "../../runtime/src/manifest/index.js";
import { MemoryStore } from "../../runtime/src/store/memory.js";
import { Lease } from "../../runtime/src/testing/lease.js";
import { ManualClock } from "../../runtime/src/testing/manual-clock.js";
import type { Schedule } from "../../runtime/src/testing/schedule.js";
import { closureOf } from "./program/closure.js";
import type { Context } from "./program/running.js";
import type { Block } from "./program/tree.js";
import { workflowOfProgram } from "./program/manifest.js";
import { NotingWorld } from "./world.js";

/** How an instance got on under the code of a deploy. */
export interface Deployed {
  /** It had ended before the deploy, so nothing was tried. */
  readonly wasOver: boolean;
  /** What it had recorded when it was deployed. */
  readonly before: History;
  readonly diverged: boolean;
  readonly status: string;
  readonly error: string;
}

/** More than any program makes. */
const MOST_COMMITS = 5000;

/**
 * Runs `old` through a schedule until its process dies right after commit `commits`, then `now` on what it
 * left, through the rest of the schedule and on to its end.
 */
export async function deploy(old: Block, now: Block, schedule: Schedule, commits: number): Promise<Deployed> {
  const kept = new MemoryStore();
  const clock = new ManualClock();
  let made = 0;
  const lease: Lease = new Lease(kept, clock, () => {
    if (++made === commits) lease.cut();
  });
  const first = boot(old, lease);
  await first.start();
  // A call that the death of the process cuts off stays open for ever.
  void first.create("program", "1").catch(() => undefined);
  await clock.advance(0);
  const rest = [...schedule];
  for (let one = rest.shift(); one !== undefined && made < commits; one = rest.shift()) {
    if (one.do === "send")
      void first
        .handle("program", "1")
        .send(one.queue, one.body)
        .catch(() => undefined);
    await clock.advance(one.do === "advance" ? one.ms : 0);
  }
  for (let hop = 0; hop < 20 && made < commits && clock.next !== undefined; hop++)
    await clock.advanceTo(clock.next);
  lease.cut();
  const { records } = await kept.read("program/1");
  const nothing = { wasOver: true, before: { entries: [] }, diverged: false, error: "" };
  if (records.length === 0) return { ...nothing, status: "never began" };
  const left = await snapshotOf(kept, clock);
  if (left.status === "completed" || left.status === "failed") return { ...nothing, status: left.status };
  const next: Lease = new Lease(kept, clock, () => {
    if (++made > MOST_COMMITS) next.cut();
  });
  const second = boot(now, next);
  await second.start();
  const handle = second.handle("program", "1");
  for (const one of rest) {
    if (one.do === "send") void handle.send(one.queue, one.body).catch(() => undefined);
    await clock.advance(one.do === "advance" ? one.ms : 0);
  }
  if (made <= MOST_COMMITS) await handle.status();
  for (let hop = 0; hop < 30 && clock.next !== undefined; hop++) await clock.advanceTo(clock.next);
  await clock.advance(0);
  if (made > MOST_COMMITS) throw new Error(`The new program comes to no end: ${made} commits.`);
  const { status, error } = await handle.use(readHistory);
  await second.stop();
  return {
    wasOver: false,
    before: historyOf(left.entries.map(historyRecord)),
    diverged: status === "failed" && error?.name === "HistoryDivergedError",
    status,
    error: error?.message ?? "",
  };
}

function boot(program: Block, { store, clock }: Lease): Engine {
  const run = closureOf(program, new NotingWorld());
  return createEngine({
    store,
    clock,
    workflows: { program: (context) => run(context as unknown as Context) },
    declaresRemoved: lateRemovals(workflowOfProgram(program)),
    onInternalError: () => undefined,
  });
}

/** The history as stored; code that never goes on reads it. */
async function snapshotOf(kept: MemoryStore, clock: ManualClock): Promise<HistorySnapshot> {
  const { store } = new Lease(kept, new ManualClock(clock.now()), () => undefined);
  const reader = createEngine({
    store: { ...store, commit: () => new Promise(() => undefined) },
    clock: new ManualClock(0),
    workflows: { program: () => new Promise(() => undefined) },
    onInternalError: () => undefined,
  });
  return await reader.handle("program", "1").use(readHistory);
}
