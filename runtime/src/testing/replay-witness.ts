import { createEngine, instanceId, type Engine } from "../engine/engine.js";
import { readHistory } from "../engine/operate/index.js";
import type { ErrorData, HistorySnapshot, WorkflowStatus } from "../engine/seam.js";
import type { Witness } from "../manifest/diff-types.js";
import type { Block, WorkflowManifest } from "../manifest/format.js";
import { lateRemovals } from "../manifest/late-removals.js";
import { isScopeNode, scopesOf } from "../manifest/scope-nodes.js";
import { GOES_WELL } from "../manifest/walk.js";
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
 * Tries with other answers to what the witness leaves open: a loop has to end before code behind it runs,
 * another branch of a race must not win at once.
 */
const TRIES = 12;
/** From this one on, a guard of the same text elsewhere is taken for another question. */
const TRY_OF_OTHERS = 6;

/**
 * Runs the new version on a witness, on the engine: the history is stored, the code that the manifest
 * describes is started on it with step bodies that do nothing, and its guards answer as the witness says.
 */
export async function replayWitness(witness: Witness, now: WorkflowManifest): Promise<WitnessReplay> {
  let replay = await replayOnce(witness, now, 0);
  for (let attempt = 1; attempt < TRIES && !replay.asSaid; attempt++) {
    const other = await replayOnce(witness, now, attempt);
    if (other.asSaid) replay = other;
  }
  return replay;
}

async function replayOnce(witness: Witness, now: WorkflowManifest, attempt: number): Promise<WitnessReplay> {
  const clock = new ManualClock();
  const ran: string[] = [];
  const program = programOf(now, {
    decide: answersOf(witness, attempt),
    onStep: (name) => ran.push(name),
    // Where a join or race is on the way, its other branches must not end it before the call is made.
    favoured: (branch) => branch.every((name, at) => witness.call?.path[at] === name),
    pause: (ms) => new Promise((resolve) => void clock.timer(clock.now() + ms, resolve)),
  });
  try {
    const { status, error } = await run(witness, now, program, clock);
    const again = ran.filter((name) => witness.reruns.includes(withoutTurn(name)));
    const outcome = outcomeOf(status, error);
    const quiet = outcome !== "diverged" && outcome !== "failed";
    const rerun = again.length > 0;
    return {
      asSaid: witness.diverges ? outcome === "diverged" : quiet && rerun === witness.reruns.length > 0,
      outcome,
      error: error?.message ?? null,
      ranAgain: [...new Set(again)],
    };
  } catch (error) {
    // A name that no entry can have, or the like: the engine refuses the history or the code as such.
    const message = error instanceof Error ? error.message : String(error);
    return { asSaid: false, outcome: "failed", error: message, ranAgain: [] };
  }
}

/** Stores the history, starts the program on it, and lets it come as far as it can. */
async function run(
  witness: Witness,
  now: WorkflowManifest,
  program: ReturnType<typeof programOf>,
  clock: ManualClock,
): Promise<HistorySnapshot> {
  const store = new MemoryStore();
  await store.commit({
    instance: instanceId(NAME, NAME),
    puts: recordsOf(witness.history, clock.now()),
    deletes: new Set(),
    deleteRanges: [],
    due: 0,
    removeInstance: false,
  });
  const faults: unknown[] = [];
  const engine = createEngine({
    store,
    clock,
    workflows: { [NAME]: program },
    declaresRemoved: lateRemovals(now),
    onInternalError: (error) => faults.push(error),
  });
  await engine.start();
  await sendMessages(engine, now);
  const snapshot = await settle(engine, clock);
  if (faults.length > 0) throw faults[0];
  return snapshot;
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
    const snapshot = await handle.use(readHistory);
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

/**
 * The answers that the witness gives: of the scope in order, else of a guard of the same text elsewhere (a moved
 * block asks the same data; but the text does not say which entries are read), else any.
 */
function answersOf({ decisions }: Witness, attempt: number): (question: OpenQuestion) => number {
  const left = new Map<string, number[]>();
  const anywhere = new Map<string, number>();
  for (const { scope, text, answer } of decisions) {
    const key = JSON.stringify([scope, text]);
    left.set(key, [...(left.get(key) ?? []), answer]);
    if (!anywhere.has(text)) anywhere.set(text, answer);
  }
  const elsewhere = (text: string): number | undefined =>
    attempt < TRY_OF_OTHERS ? anywhere.get(text) : undefined;
  let asked = 0;
  return ({ scope, text, turn, options }) => {
    const answer = left.get(JSON.stringify([scope, text]))?.shift();
    if (answer !== undefined) return answer;
    // A native loop of which nothing is said ends; one that is moved takes one turn.
    if (turn !== null) return turn > 0 ? 1 : (elsewhere(text) ?? 1);
    if (text.endsWith(GOES_WELL)) return elsewhere(text) ?? 0; // what a witness does not mention goes well
    return elsewhere(text) ?? (attempt === 0 ? 0 : scattered(attempt, asked++) % options);
  };
}

/** A number that hangs on both, without order (the finishing step of MurmurHash3, public domain). */
function scattered(attempt: number, asked: number): number {
  let mixed = Math.imul(attempt, 0x9e3779b1) ^ Math.imul(asked + 1, 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** `item-${i}#0` → `item-${i}`. */
function withoutTurn(name: string): string {
  return name.replaceAll(/\}#[\d.]+/g, "}");
}
