import {
  hashWorkflow,
  MANIFEST_FORMAT_VERSION,
  type Block as ManifestBlock,
  type Manifest,
  type NamePattern,
  type WorkflowManifest,
} from "../../../runtime/src/manifest/index.js";
import type { GuardText, ScopeKind } from "./construct.js";
import { turnsOnce } from "./constructs/repeat.js";
import { CONSTRUCTS, constructOf } from "./constructs/index.js";
import { statementsIn, usedVariables, type Block, type Name, type Ref, type Statement } from "./tree.js";

/** The program as the manifest that describes it. */
export function manifestOfProgram(program: Block): Manifest {
  const workflow = workflowOfProgram(program);
  return { formatVersion: MANIFEST_FORMAT_VERSION, tool: "fuzz", workflows: { [workflow.name]: workflow } };
}

export function workflowOfProgram(program: Block): WorkflowManifest {
  const used = usedVariables(program);
  const content: Omit<WorkflowManifest, "hash"> = {
    name: "program",
    file: "main.ts",
    engine: "stepproof",
    body: blockOf(withoutTailReturns(program), {
      scope: "program",
      used,
      turning: new Set(),
      guard: guardText,
      values: new Map(),
    }),
    functions: {},
    stateType: "{ total: number }",
    queues: {
      p: { bodyType: "number", responseType: null },
      q: { bodyType: "number", responseType: null },
    },
  };
  return { ...content, hash: hashWorkflow(content) };
}

/** Where a block stands. */
interface Place {
  readonly scope: ScopeKind;
  readonly used: ReadonlySet<string>;
  /** Variables that take a new value in each turn of a native loop around, in this scope. */
  readonly turning: ReadonlySet<string>;
  readonly guard: GuardText;
  /** By the index of the counted native loop around: its values, turn by turn. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

function blockOf(block: Block, place: Place): ManifestBlock {
  return block.flatMap((one) => {
    const scope = scopeOf(one, place.scope);
    const { scopes } = CONSTRUCTS[one.kind];
    const around = scopes ? [] : [...place.turning];
    const turning = new Set([...around, ...(one.kind === "repeat" ? boundIn(one.blocks) : [])]);
    const values = valuesIn(one, place);
    const inside = { ...place, scope, turning, values };
    const returns = (scopes && one.kind !== "loop") || one.kind === "helper";
    const blocks = returns ? one.blocks.map(withoutTailReturns) : one.blocks;
    return constructOf(one.kind).manifest({ ...one, blocks } as never, {
      name: patternOf(one.name, one.ref, place),
      used: place.used.has(one.as),
      blocks: blocks.map((inner) => blockOf(inner, inside)),
      guard: place.guard,
      scope: place.scope,
    });
  });
}

/** Of the innermost native loop alone; in a helper an index is a parameter like any other. */
function valuesIn(one: Statement, { values }: Place): Place["values"] {
  if (one.kind === "helper") return new Map();
  if (one.kind !== "repeat") return values;
  const turns = Array.from({ length: one.times }, (_, turn) => String(turn));
  // Of a loop that its first turn always leaves, the compiler looks no further at the values.
  return new Map(one.byData || turnsOnce(one.blocks[0] ?? []) ? [] : [[one.as, turns]]);
}

function boundIn(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => [...statementsIn(block)].map((one) => one.as));
}

/** A `return` as the last thing that a function does is its end. */
function withoutTailReturns(block: Block): Block {
  const last = block.at(-1);
  const before = block.slice(0, -1);
  if (last === undefined) return block;
  if (last.kind === "leave" && last.how === "return") return withoutTailReturns(before);
  if (last.kind !== "choice" && last.kind !== "gate" && last.kind !== "catch") return block;
  const blocks = last.blocks.map(withoutTailReturns);
  const isGone = last.kind === "choice" && blocks.every((arm) => arm.length === 0);
  return isGone ? withoutTailReturns(before) : [...before, { ...last, blocks }];
}

function scopeOf(one: Statement, around: ScopeKind): ScopeKind {
  switch (one.kind) {
    case "loop":
      return one.style;
    case "helper":
      return "helper";
    case "try":
    case "join":
    case "race":
      return "branch";
    default:
      return around;
  }
}

/** Locals are renamed by their order in the text, as the compiler does. */
const guardText: GuardText = (variable, rest) => {
  const known = new Map<string, string>();
  return `${variable} ${rest}`.replaceAll(/\b[vitg]\d+\b/g, (name) => {
    const renamed = known.get(name) ?? `v${known.size + 1}`;
    known.set(name, renamed);
    return renamed;
  });
};

/** A name that takes a new value in each turn does so in all its holes: the compiler says it of names as a whole. */
function patternOf(name: Name, ref: Ref | null, { turning, guard, values }: Place): NamePattern {
  const data = name.byData && ref !== null ? [ref.on] : [];
  const perIteration = name.turns.length > 0 || data.some((one) => turning.has(one));
  const holes = [...name.turns, ...data].map((one) => {
    const known = values.get(one);
    return { hole: guard(one, "").trim(), perIteration, ...(known !== undefined && { values: known }) };
  });
  if (holes.length === 0) return [name.base];
  return [`${name.base}-`, ...holes.flatMap((hole, index) => (index === 0 ? [hole] : ["-", hole]))];
}
