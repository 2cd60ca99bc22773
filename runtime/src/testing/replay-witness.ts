import { createEngine, instanceId, type Engine } from "../engine/engine.js";
import type { ErrorData, HistorySnapshot, WorkflowStatus } from "../engine/seam.js";
import type { Witness } from "../manifest/diff-types.js";
import type { Block, WorkflowManifest } from "../manifest/format.js";
import { isScopeNode, scopesOf } from "../manifest/scope-nodes.js";
import { MemoryStore } from "../store/memory.js";
import { recordsOf } from "./history-records.js";
import { ManualClock } from "./manual-clock.js";
import { programOf, type OpenQuestion } from "./manifest-program.js";

/** What the engine did with a witness. */
export interface WitnessReplay {
  /** Whether that is what the diff says. */
  readonly asSaid: boolean;
  /** `diverged` and `failed`: with an error. `waiting`: it went on until nothing more could happen. */
  readonly outcome: "diverged" | "failed" | "completed" | "waiting";
  /** The engine's message; `null` without one. */
  readonly error: string | null;
  /** Of the steps that the witness says run a second time: those that did. */
  readonly ranAgain: readonly string[];
}

const NAME = "witness";
/** Moves of the clock, in ms, and how many: enough for every sleep and wait of a program of ours. */
const HOP = 1000;
const HOPS = 40;
/** Messages that lie ready in each queue. */
const MESSAGES = 20;

/**
 * Runs the new version on a witness, on the engine: the history is stored, the code that the manifest
 * describes is started on it with step bodies that do nothing, and its guards answer as the witness says.
 */
export async function replayWitness(witness: Witness, now: WorkflowManifest): Promise<WitnessReplay> {
  const clock = new ManualClock();
  const store = new MemoryStore();
  const ran: string[] = [];
  const program = programOf(now, {
    decide: answersOf(witness),
    onStep: (name) => ran.push(name),
  });
  const failed = (error: unknown): WitnessReplay => ({
    asSaid: false,
    outcome: "failed",
    error: error instanceof Error ? error.message : String(error),
    ranAgain: [],
  });
  let fault: unknown;
  try {
    await store.commit({
      instance: instanceId(NAME, NAME),
      puts: recordsOf(witness.history, clock.now()),
      deletes: new Set(),
      deleteRanges: [],
      due: 0,
      removeInstance: false,
    });
    const engine = createEngine({
      store,
      clock,
      workflows: { [NAME]: program },
      manifest: now,
      onInternalError: (error) => (fault = error),
    });
    await engine.start();
    await sendMessages(engine, now);
    const { status, error } = await settle(engine, clock);
    if (fault !== undefined) return failed(fault);
    const again = ran.filter((name) => witness.reruns.includes(withoutTurn(name)));
    const outcome = outcomeOf(status, error);
    const quiet = outcome !== "diverged" && outcome !== "failed";
    return {
      asSaid: witness.diverges
        ? outcome === "diverged"
        : quiet && again.length > 0 === witness.reruns.length > 0,
      outcome,
      error: error?.message ?? null,
      ranAgain: [...new Set(again)],
    };
  } catch (error) {
    return failed(error);
  }
}

function outcomeOf(status: WorkflowStatus, error: ErrorData | undefined): WitnessReplay["outcome"] {
  if (status !== "failed" && status !== "parked") return status === "completed" ? "completed" : "waiting";
  return error?.code === "history_diverged" ? "diverged" : "failed";
}

/** Lets time pass until the instance has ended, or nothing more can happen. */
async function settle(engine: Engine, clock: ManualClock): Promise<HistorySnapshot> {
  const handle = engine.handle(NAME, NAME);
  for (let hop = 0; ; hop++) {
    await clock.advance(HOP);
    const snapshot = await handle.history();
    if (hop === HOPS || (snapshot.status !== "running" && snapshot.status !== "sleeping")) return snapshot;
  }
}

async function sendMessages(engine: Engine, now: WorkflowManifest): Promise<void> {
  const handle = engine.handle(NAME, NAME);
  for (const queue of queuesOf([now.body, ...Object.values(now.functions)]))
    for (let message = 0; message < MESSAGES; message++) await handle.send(queue);
}

/** The queues from which the code takes messages. */
function queuesOf(blocks: readonly Block[]): Set<string> {
  const queues = new Set<string>();
  const collect = (block: Block): void => {
    for (const node of block) {
      if (node.kind === "message") for (const queue of node.queues ?? ["q"]) queues.add(queue);
      else if (node.kind === "choice") node.arms.forEach(collect);
      else if (node.kind === "repeat" || node.kind === "inline") collect(node.body);
      else if (node.kind !== "exit" && node.kind !== "call" && isScopeNode(node))
        for (const scope of scopesOf(node)) collect(scope.body);
    }
  };
  blocks.forEach(collect);
  return queues;
}

/** The answers that the witness gives: of the scope in order, else of the same guard elsewhere, else the first. */
function answersOf({ decisions }: Witness): (question: OpenQuestion) => number {
  const left = new Map<string, number[]>();
  const anywhere = new Map<string, number>();
  for (const { scope, text, answer } of decisions) {
    const key = JSON.stringify([scope, text]);
    left.set(key, [...(left.get(key) ?? []), answer]);
    if (!anywhere.has(text)) anywhere.set(text, answer);
  }
  return ({ scope, text, turn }) => {
    const answer = left.get(JSON.stringify([scope, text]))?.shift();
    if (answer !== undefined) return answer;
    // A native loop of which nothing is said ends; one that is moved takes one turn.
    return turn !== null && turn > 0 ? 1 : (anywhere.get(text) ?? (turn === null ? 0 : 1));
  };
}

/** `item-${i}#0` → `item-${i}`. */
function withoutTurn(name: string): string {
  return name.replaceAll(/\}#[\d.]+/g, "}");
}
