import { describe, expect, it } from "vitest";
import {
  createEngine,
  Loop,
  type Engine,
  type InstanceCommit,
  type PlainStepContext,
  type Store,
  type WorkflowContext,
} from "../../runtime/src/engine/index.js";
import {
  accepts,
  diffManifests,
  historyOf,
  lateRemovals,
  REPLAY_FLAGS,
  type Block,
  type History,
  type ManifestNode,
} from "../../runtime/src/manifest/index.js";
import { manifest, workflow } from "../../runtime/src/manifest/testing/build.js";
import { edit, generateBlock, random } from "../../runtime/src/manifest/testing/generate.js";
import { MemoryStore } from "../../runtime/src/store/memory.js";
import { ManualClock } from "../../runtime/src/testing/manual-clock.js";

/*
 * What the diff and `accepts` foretell, on the engine itself: random workflows are run, the process dies
 * after a commit, and an edited version takes over.
 */

const CASES = Number(process.env["STEPPROOF_FUZZ"] ?? 25);

type Context = WorkflowContext<PlainStepContext>;
type Data = (text: string) => number;

class Exit {
  constructor(readonly how: string) {}
}

/** A manifest as a workflow function. Loops stop in their tracks when the run has done enough. */
function program(body: Block, data: Data): (ctx: Context) => Promise<void> {
  let turns = 0;
  const run = async (block: Block, ctx: Context): Promise<string> => {
    try {
      await nodes(block, ctx, new Map(), "");
      return "end";
    } catch (exit) {
      if (exit instanceof Exit) return exit.how;
      throw exit;
    }
  };
  const nodes = async (
    block: Block,
    ctx: Context,
    gates: Map<string, number>,
    turn: string,
  ): Promise<void> => {
    for (const node of block) await one(node, ctx, gates, turn);
  };
  const one = async (
    node: ManifestNode,
    ctx: Context,
    gates: Map<string, number>,
    turn: string,
  ): Promise<void> => {
    const name =
      "name" in node ? node.name.map((part) => (typeof part === "string" ? part : turn)).join("") : "";
    switch (node.kind) {
      case "step":
        await ctx.step(name, () => 1);
        return;
      case "sleep":
        await ctx.sleep(name, 10);
        return;
      case "rollback_checkpoint":
        await ctx.rollbackCheckpoint(name);
        return;
      case "message":
        await ctx.queue.nextBatch(name, {
          names: ["q"],
          ...(node.timeout === "yes" ? { timeout: 1000 } : {}),
        });
        return;
      case "removed":
        await ctx.removed(name, node.was as "step");
        return;
      case "version_check":
        gates.set(name, await ctx.getVersion(name, node.latest ?? 1));
        return;
      case "try":
        await ctx.try(name, async (inner) => void (await run(node.body, inner as Context)));
        return;
      case "loop":
        await ctx.loop(name, async (inner) => {
          if (++turns > 20) await new Promise(() => undefined);
          return (await run(node.body, inner as Context)) === "loop_break"
            ? Loop.break(undefined)
            : undefined;
        });
        return;
      case "join":
      case "race": {
        const branches = node.branches.map((branch): [string, { run: (c: unknown) => Promise<unknown> }] => [
          branch.name.join(""),
          { run: (inner) => run(branch.body, inner as Context) },
        ]);
        if (node.kind === "join") await ctx.join(name, Object.fromEntries(branches));
        else
          await ctx.race(
            name,
            branches.map(([branch, { run: body }]) => ({ name: branch, run: body })),
          );
        return;
      }
      case "choice": {
        const version = gates.get(node.guard.gate?.name.join("") ?? "\n");
        const arm =
          version === undefined
            ? data(node.guard.text) % node.arms.length
            : (node.guard.gate?.arms.findIndex(
                ({ from, to }) => version >= from && version <= (to ?? Infinity),
              ) ?? 0);
        await nodes(node.arms[arm] ?? [], ctx, gates, turn);
        return;
      }
      case "repeat":
        for (let at = 0; at < data(node.guard.text) % 3; at++) await nodes(node.body, ctx, gates, String(at));
        return;
      case "exit":
        throw new Exit(node.how);
      default:
        throw new Error(`${node.kind} is not generated`);
    }
  };
  return async (ctx) => void (await run(body, ctx));
}

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

interface Outcome {
  readonly before: History;
  readonly diverged: boolean;
  readonly ended: boolean;
  readonly error: string;
}

/** Runs `old` until its process dies after `commits`, then `now` on what is left; `null` when it had ended. */
async function deploy(old: Block, now: Block, data: Data, commits: number): Promise<Outcome | null> {
  const kept = new MemoryStore();
  const clock = new ManualClock();
  const boot = async (body: Block, store: Store): Promise<Engine> => {
    const run = program(body, data);
    const engine = createEngine({
      store,
      clock,
      workflows: { w: run },
      declaresRemoved: lateRemovals(workflow(body)),
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
  const { entries, status: left } = await reader.handle("w", "1").history();
  if (left === "completed" || left === "failed") return null;
  const before = historyOf(
    entries.map((entry) => ({
      path: entry.names,
      kind: entry.kind,
      completed: entry.status !== "pending" && entry.status !== "running",
      ...(entry.version === undefined ? {} : { version: entry.version }),
      ...(entry.iteration === undefined ? {} : { iteration: entry.iteration }),
      ...(entry.branches === undefined ? {} : { branches: Object.keys(entry.branches) }),
    })),
  );
  const engine = await boot(now, kept);
  const handle = engine.handle("w", "1");
  for (let hop = 0; hop < 40; hop++) await clock.advance(10);
  const { status, error } = await handle.history();
  return {
    before,
    diverged: status === "failed" && error?.name === "HistoryDivergedError",
    ended: status === "completed",
    error: `${status}: ${error?.message ?? ""}`,
  };
}

describe("on the engine itself", () => {
  it(
    "no deploy that the diff calls safe diverges, and no history that accepts() refuses goes on to the end",
    { timeout: 1_200_000 },
    async () => {
      const counts = { safe: 0, refused: 0, diverged: 0, runs: 0 };
      const start = Number(process.env["STEPPROOF_SEED"] ?? 1);
      for (let seed = start; seed < start + CASES; seed++) {
        const next = random(seed);
        const old = generateBlock(next);
        const now = edit(old, next, { count: 0 });
        const { verdict } = diffManifests(manifest(old), manifest(now));
        for (const commits of [0, 1, 2, 3, 5, 8]) {
          const data: Data = (text) =>
            text.startsWith("stop") ? 0 : random(seed + text.length + text.charCodeAt(text.length - 1))(12);
          const outcome = await deploy(old, now, data, commits);
          if (outcome === null) continue;
          const accepted = accepts(outcome.before, workflow(now), REPLAY_FLAGS.stepproof);
          const explain = JSON.stringify({ seed, commits, verdict, outcome, accepted, old, now });
          counts.runs++;
          if (outcome.diverged) counts.diverged++;
          if (verdict === "safe" || verdict === "identical") {
            counts.safe++;
            expect(outcome.diverged, explain).toBe(false);
          }
          if (!accepted.accepted) {
            counts.refused++;
            expect(outcome.ended, explain).toBe(false);
          }
        }
      }
      console.log(`seeds from ${start}:`, counts);
      expect(counts.safe).toBeGreaterThan(CASES / 2);
      expect(counts.refused).toBeGreaterThan(CASES / 4);
    },
  );
});
