import type {
  Block,
  BranchesNode,
  CheckpointNode,
  ChoiceNode,
  ExitNode,
  GateTest,
  LoopNode,
  ManifestNode,
  MessageNode,
  Reads,
  RemovedNode,
  RepeatNode,
  SleepNode,
  StepNode,
  TryNode,
  VersionCheckNode,
} from "./format.js";
import type { GuardNode } from "./guard-matching.js";
import { instanceName, keyText, type InstanceName } from "./names.js";

/** Nodes that stand for a call on a context. */
export type EntryNode =
  | StepNode
  | SleepNode
  | MessageNode
  | LoopNode
  | TryNode
  | BranchesNode
  | CheckpointNode
  | RemovedNode
  | VersionCheckNode;

/** A point at which a run can go on in more than one way. */
export interface Question {
  /** The guard that asks; `null` when it is no guard (see `key`). */
  readonly node: GuardNode | null;
  /** Tells questions apart that no guard asks; for guards their text. */
  readonly key: string;
  readonly options: number;
  /** For people: the guard's text; `null` when it is nothing to tell. */
  readonly text: string | null;
  /** How the answer is computed; missing = the key tells. */
  readonly reads?: Reads | undefined;
  /** The answer that goes without saying; `null` = none. */
  readonly usual: number | null;
  /** Of the question whether an entry goes well: see `hasOwnErrorOnly`. */
  readonly ownErrorOnly?: boolean;
  /** For a choice: its arms, so that a run on a concrete history can prefer one. */
  readonly arms: readonly Block[];
}

/** What a run does at the entries and at the choices of one scope. */
export interface Run {
  /** `halt`: the run ends here, refused. `endless`: it never gets past this entry, but by an error. */
  visit(node: EntryNode, name: InstanceName): "on" | "halt" | "endless";
  decide(question: Question): number;
  /** The version that a gate has in this run; `null` when it is not known. */
  version(gate: InstanceName): number | null;
}

/** How the run of a scope ended. `halt`: it did not (or not within the turns that are looked at). */
export type ScopeEnd = "end" | "break" | "throw" | "halt";

/** Turns of a native loop that are looked at when the code does not say how many there are. */
export interface WalkLimits {
  readonly turns: number;
  /** Nested calls of functions that call themselves. */
  readonly calls: number;
}

/** A constant number of turns is followed exactly up to here. */
const MOST_CONSTANT_TURNS = 256;

interface Place {
  readonly run: Run;
  readonly functions: Readonly<Record<string, Block>>;
  readonly limits: WalkLimits;
  readonly turns: readonly number[];
  readonly calls: number;
  /** True where an error leads into a `catch` of this scope. */
  readonly catching: boolean;
}

type Flow = { readonly how: ExitNode["how"] | "halt"; readonly depth: number } | undefined;
const HALT: Flow = { how: "halt", depth: 0 };
const THROWN: Flow = { how: "throw", depth: 0 };

/** Runs the code of one scope, from its start to its end, without entering the scopes in it. */
export function walkScope(
  block: Block,
  functions: Readonly<Record<string, Block>>,
  limits: WalkLimits,
  run: Run,
): ScopeEnd {
  const flow = walkBlock(block, { run, functions, limits, turns: [], calls: 0, catching: false });
  switch (flow?.how) {
    case "halt":
      return "halt";
    case "throw":
      return "throw";
    case "loop_break":
      return "break";
    default:
      return "end";
  }
}

function walkBlock(block: Block, place: Place): Flow {
  for (const node of block) {
    const flow = walkNode(node, place);
    if (flow !== undefined) return flow;
  }
  return undefined;
}

function walkNode(node: ManifestNode, place: Place): Flow {
  switch (node.kind) {
    case "choice": {
      if (node.caught === true) return walkCaught(node, place);
      const arm = node.arms[pickArm(node, place)];
      return arm === undefined ? undefined : walkBlock(arm, place);
    }
    case "repeat":
      return walkRepeat(node, place);
    case "exit":
      return { how: node.how, depth: node.depth };
    case "inline": {
      const flow = walkBlock(node.body, place);
      return flow?.how === "return" ? undefined : flow;
    }
    case "call": {
      if (place.calls >= place.limits.calls) return HALT;
      const body = Object.hasOwn(place.functions, node.to) ? (place.functions[node.to] ?? []) : [];
      const flow = walkBlock(body, {
        ...place,
        calls: place.calls + 1,
        turns: [...place.turns, place.calls],
      });
      return flow?.how === "return" ? undefined : flow;
    }
    default:
      return walkEntry(node, place);
  }
}

/** The block of a native `try`, and its handler when an error ended it. */
function walkCaught(node: ChoiceNode, place: Place): Flow {
  const flow = walkBlock(node.arms[0] ?? [], { ...place, catching: true });
  return flow?.how === "throw" ? walkBlock(node.arms[1] ?? [], place) : flow;
}

function walkEntry(node: EntryNode, place: Place): Flow {
  const name = instanceName(node.name, place.turns);
  const went = place.run.visit(node, name);
  if (went === "halt") return HALT;
  if (place.catching && canThrow(node)) {
    const text = goesWell(node, name);
    const ownErrorOnly = hasOwnErrorOnly(node);
    const question = { node: null, key: text, options: 2, text, usual: 0, arms: [], ownErrorOnly };
    if (place.run.decide(question) === 1) return THROWN;
  }
  return went === "endless" ? HALT : undefined;
}

/** End of the texts of such questions. */
export const GOES_WELL = " goes well";

/** The question whether an entry ends without an error: `step "charge" goes well`. */
export function goesWell(node: EntryNode, name: InstanceName): string {
  const kind = node.kind === "message" ? "queue wait" : node.kind;
  return `${kind} ${JSON.stringify(keyText(name.key))}${GOES_WELL}`;
}

/**
 * Whether an error can come from the entry, or from plain code right behind it that looks at its result.
 * `tryStep` gives failures as data; the others have no result.
 */
export function canThrow(node: EntryNode): boolean {
  switch (node.kind) {
    case "step":
      return node.catches === null;
    case "message":
    case "loop":
    case "join":
    case "race":
    case "try":
      return true;
    default:
      return false;
  }
}

/** True for a step at whose result no code looks: when it does not go well, the error is its own, and recorded. */
export function hasOwnErrorOnly(node: EntryNode): boolean {
  return node.kind === "step" && canThrow(node) && !node.outputUsed;
}

function pickArm(node: ChoiceNode, place: Place): number {
  const { guard } = node;
  if (guard.gate !== null) {
    const version = place.run.version(instanceName(guard.gate.name, place.turns));
    if (version !== null) return armOfVersion(guard.gate, version);
  }
  return place.run.decide({
    node,
    key: guard.text,
    options: node.arms.length,
    text: guard.text,
    reads: guard.reads,
    usual: null,
    arms: node.arms,
  });
}

/** The first arm that takes `version`; past the last arm when none does (then nothing runs). */
export function armOfVersion(gate: GateTest, version: number): number {
  const arm = gate.arms.findIndex(({ from, to }) => version >= from && (to === null || version <= to));
  return arm < 0 ? gate.arms.length : arm;
}

function walkRepeat(node: RepeatNode, place: Place): Flow {
  const constant = node.guard.source === "constant";
  const exact = constant && node.times !== null ? Math.min(node.times, MOST_CONSTANT_TURNS) : null;
  const most = exact ?? Math.min(node.times ?? Infinity, place.limits.turns);
  for (let turn = 0; turn < most; turn++) {
    if (exact === null && !constant && !goesOn(node, place)) return undefined;
    const flow = walkBlock(node.body, { ...place, turns: [...place.turns, turn] });
    if (flow === undefined) continue;
    if (flow.how !== "break" && flow.how !== "continue") return flow;
    if (flow.depth > 0) return { how: flow.how, depth: flow.depth - 1 };
    if (flow.how === "break") return undefined;
  }
  return constant && exact === null ? HALT : undefined;
}

function goesOn(node: RepeatNode, place: Place): boolean {
  const question = {
    node,
    key: node.guard.text,
    options: 2,
    text: node.guard.text,
    reads: node.guard.reads,
    usual: null,
    arms: [node.body, []],
  };
  return place.run.decide(question) === 0;
}
