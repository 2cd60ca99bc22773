import {
  createEngine,
  type Engine,
  type InstanceCommit,
  type Store,
} from "../../runtime/src/engine/index.js";
import { readHistory } from "../../runtime/src/engine/operate/index.js";
import {
  historyOf,
  lateRemovals,
  type History,
  type WorkflowManifest,
} from "../../runtime/src/manifest/index.js";
import { historyRecord } from "../../runtime/src/host/acceptance.js";
import { GOES_WELL } from "../../runtime/src/manifest/walk.js";
import { MemoryStore } from "../../runtime/src/store/memory.js";
import { ManualClock } from "../../runtime/src/testing/manual-clock.js";
import { programOf } from "../../runtime/src/testing/manifest-program.js";

/** What recorded data makes of a guard: the arm; for a native loop the number of its turns. */
export type Data = (text: string, scope: readonly string[]) => number;

/** A process whose commits stop getting through after so many. */
class Dying implements Store {
  constructor(
    private readonly kept: MemoryStore,
    private left: number,
  ) {}
  commit(commit: InstanceCommit): Promise<void> {
    return --this.left < 0 ? new Promise(() => undefined) : this.kept.commit(commit);
  }
  read: Store["read"] = (...args) => this.kept.read(...args);
  span: Store["span"] = (...args) => this.kept.span(...args);
  due: Store["due"] = (...args) => this.kept.due(...args);
  instances: Store["instances"] = (...args) => this.kept.instances(...args);
  close = (): Promise<void> => Promise.resolve();
}

export interface Outcome {
  readonly before: History;
  readonly diverged: boolean;
  readonly ended: boolean;
  readonly error: string;
}

/** Runs `old` until its process dies after `commits`, then `now` on what is left; `null` when it had ended. */
export async function deploy(
  old: WorkflowManifest,
  now: WorkflowManifest,
  data: Data,
  commits: number,
): Promise<Outcome | null> {
  const kept = new MemoryStore();
  const clock = new ManualClock();
  const boot = async (version: WorkflowManifest, store: Store): Promise<Engine> => {
    const run = programOf(version, {
      stepsFail: true,
      decide: ({ asked, scope, turn }) => {
        const answer = data(asked, scope);
        // Steps fail now and then; most go on to what follows.
        if (asked.endsWith(GOES_WELL)) return answer % 6 === 5 ? 1 : 0;
        return turn === null ? answer : turn < answer % 3 ? 0 : 1;
      },
    });
    const engine = createEngine({
      store,
      clock,
      workflows: { w: run },
      declaresRemoved: lateRemovals(version),
      onInternalError: () => undefined,
    });
    await engine.start();
    return engine;
  };
  const sender = createEngine({ store: kept, clock, workflows: { w: () => new Promise(() => undefined) } });
  await sender.start();
  const instance = await sender.create("w", "1");
  for (let message = 0; message < 40; message++) await instance.send("q", message);
  const dying = await boot(old, new Dying(kept, commits));
  dying
    .handle("w", "1")
    .status()
    .catch(() => undefined);
  for (let hop = 0; hop < 12; hop++) await clock.advance(10);
  const reader = createEngine({
    store: new Dying(kept, 0),
    clock: new ManualClock(0),
    workflows: { w: () => new Promise(() => undefined) },
  });
  const { entries, status: left } = await reader.handle("w", "1").use(readHistory);
  if (left === "completed" || left === "failed") return null;
  const before = historyOf(entries.map(historyRecord));
  const engine = await boot(now, kept);
  const handle = engine.handle("w", "1");
  for (let hop = 0; hop < 40; hop++) await clock.advance(10);
  const { status, error } = await handle.use(readHistory);
  return {
    before,
    diverged: status === "failed" && error?.name === "HistoryDivergedError",
    ended: status === "completed",
    error: `${status}: ${error?.message ?? ""}`,
  };
}
