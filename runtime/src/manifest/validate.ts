import type {
  Block,
  BranchManifest,
  GateRange,
  Guard,
  Manifest,
  ManifestNode,
  NamePart,
  QueueManifest,
  Reading,
  Reads,
  WorkflowManifest,
} from "./format.js";
import { ManifestError } from "./manifest-error.js";
import { DEEPEST } from "./write-manifest.js";

/** Checks a value and gives it its type. `depth` = objects and lists around it. */
type Check<T> = (value: unknown, depth: number) => T;

/** What is wrong; on its way out each level adds its step in front. */
class Wrong extends Error {
  readonly steps: string[] = [];
  constructor(
    readonly code: "manifest_invalid" | "manifest_too_deep",
    /** Follows the path: `must be a list, not 3`. */
    readonly says: string,
  ) {
    super(says);
  }
}

/** Checks the whole document (of the current format version). */
export function checkDocument(document: unknown): Manifest {
  const manifest = checked(document);
  for (const [name, workflow] of Object.entries(manifest.workflows)) {
    const bodies = [workflow.body, ...Object.values(workflow.functions)];
    for (const to of bodies.flatMap(calls)) {
      if (!Object.hasOwn(workflow.functions, to)) {
        throw new ManifestError(
          "manifest_invalid",
          `$.workflows.${name}`,
          `$.workflows.${name} calls ${JSON.stringify(to)}, which is not in its functions.`,
        );
      }
    }
  }
  return manifest;
}

function calls(block: Block): string[] {
  return block.flatMap((node): string[] => {
    switch (node.kind) {
      case "call":
        return [node.to];
      case "choice":
        return node.arms.flatMap(calls);
      case "join":
      case "race":
        return node.branches.flatMap((branch) => calls(branch.body));
      default:
        return "body" in node && typeof node.body !== "string" ? calls(node.body) : [];
    }
  });
}

// ------------------------------------------------------------------- building blocks

function checked(document: unknown): Manifest {
  try {
    return manifestShape(document, 0);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    const path = `$${error.steps.reverse().join("")}`;
    const at = path.length > 300 ? `${path.slice(0, 150)} … ${path.slice(-140)}` : path;
    throw new ManifestError(error.code, at, `${at} ${error.says}.`);
  }
}

/** Checks a member or an item; an error learns by which step it was reached. */
function inside<T>(check: Check<T>, value: unknown, depth: number, step: () => string): T {
  if (depth >= DEEPEST) throw new Wrong("manifest_too_deep", `is nested more than ${DEEPEST} levels deep`);
  try {
    return check(value, depth + 1);
  } catch (error) {
    if (error instanceof Wrong) error.steps.push(step());
    throw error;
  }
}

function wrong(expected: string, value: unknown): never {
  throw new Wrong("manifest_invalid", `must be ${expected}, not ${shown(value)}`);
}

function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (value === null || typeof value !== "object") {
    const text = JSON.stringify(value);
    return text.length > 60 ? `${text.slice(0, 60)}…` : text;
  }
  return "an object";
}

const isString: Check<string> = (value) => (typeof value === "string" ? value : wrong("a text", value));
const isBoolean: Check<boolean> = (value) =>
  typeof value === "boolean" ? value : wrong("true or false", value);
const isTrue: Check<true> = (value) => (value === true ? value : wrong("true", value));
const isCount: Check<number> = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0
    ? value
    : wrong("a whole number from 0", value);
const isScalar: Check<string | number | boolean> = (value) =>
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value))
    ? value
    : wrong("a text, a number, true or false", value);

function oneOf<const T extends string>(...words: readonly T[]): Check<T> {
  return (value) => words.find((word) => word === value) ?? wrong(`one of ${words.join(", ")}`, value);
}

function orNull<T>(check: Check<T>): Check<T | null> {
  return (value, depth) => (value === null ? null : check(value, depth));
}

function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value, depth) => {
    if (!Array.isArray(value)) return wrong("a list", value);
    const list: readonly unknown[] = value;
    for (let index = 0; index < list.length; index++) inside(check, list[index], depth, () => `[${index}]`);
    return value as readonly T[];
  };
}

function recordOf<T>(check: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value, depth) => {
    if (!isObject(value)) return wrong("an object", value);
    for (const key of Object.keys(value)) inside(check, value[key], depth, () => member(key));
    return value as Readonly<Record<string, T>>;
  };
}

/** True for a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function member(key: string): string {
  return /^[\w$-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

type Shape<T> = { readonly [K in keyof T]-?: Check<T[K]> };

/** An object with exactly these members; those in `optional` may be missing. */
function shape<T>(members: Shape<T>, optional: readonly (keyof T & string)[] = []): Check<T> {
  const checks = Object.entries(members) as [string, Check<unknown>][];
  const left = new Set<string>(optional);
  return (value, depth) => {
    if (!isObject(value)) return wrong("an object", value);
    let found = 0;
    for (const [key, check] of checks) {
      const item = value[key];
      if (item !== undefined) found += 1;
      else if (left.has(key)) continue;
      inside(check, item, depth, () => member(key));
    }
    const keys = Object.keys(value);
    if (keys.length > found) {
      const unknown = keys.find((key) => !Object.hasOwn(members, key));
      if (unknown !== undefined) {
        const error = new Wrong("manifest_invalid", "is not known in this format");
        error.steps.push(member(unknown));
        throw error;
      }
    }
    return value as T;
  };
}

// ------------------------------------------------------------------- the format

/** Noncharacters, which keys of names are built with. */
const RESERVED = /[\ufdd0-\ufdd2]/;

const nameText: Check<string> = (value, depth) => {
  const text = isString(value, depth);
  return RESERVED.test(text) ? wrong("a name without the characters U+FDD0 to U+FDD2", value) : text;
};
const range: Check<GateRange> = (value, depth) => rangeShape(value, depth);
const reads = shape<Reads>({
  entries: listOf(isString),
  ways: listOf(shape<Reading>({ native: isString, when: listOf(range) }, ["when"])),
});
const hole = shape<Exclude<NamePart, string>>(
  { hole: nameText, perIteration: isBoolean, values: listOf(nameText), reads },
  ["values", "reads"],
);
const namePart: Check<NamePart> = (value, depth) =>
  typeof value === "string" ? nameText(value, depth) : hole(value, depth);
const name = listOf(namePart);
const rangeShape = shape<GateRange>({ name, from: isCount, to: orNull(isCount) });
const block: Check<Block> = (value, depth) => blockOf(value, depth);
const branch = shape<BranchManifest>({ name, body: block });
const kind = <const T extends string>(word: T): Check<T> => oneOf(word);
const guard = shape<Guard>(
  {
    text: isString,
    source: oneOf("constant", "recorded", "gate", "unknown"),
    gate: orNull(shape({ name, arms: listOf(shape({ from: isCount, to: orNull(isCount) })) })),
    reads,
  },
  ["reads"],
);
const branches: Check<ManifestNode> = shape<Extract<ManifestNode, { branches: unknown }>>(
  { kind: oneOf("join", "race"), name, branches: listOf(branch), open: isBoolean, reads },
  ["reads"],
);

const NODES: Readonly<Record<ManifestNode["kind"], Check<ManifestNode>>> = {
  step: shape<Extract<ManifestNode, { kind: "step" }>>({
    kind: kind("step"),
    name,
    outputType: orNull(isString),
    outputUsed: isBoolean,
    body: isString,
    options: recordOf(isScalar),
    catches: orNull(listOf(isString)),
    rollback: isBoolean,
  }),
  sleep: shape<Extract<ManifestNode, { kind: "sleep" }>>({ kind: kind("sleep"), name }),
  message: shape<Extract<ManifestNode, { kind: "message" }>>(
    {
      kind: kind("message"),
      name,
      method: oneOf("next", "nextBatch"),
      timeout: oneOf("no", "yes", "maybe"),
      count: orNull(isCount),
      completable: isBoolean,
      queues: orNull(listOf(isString)),
      reads,
    },
    ["reads"],
  ),
  loop: shape<Extract<ManifestNode, { kind: "loop" }>>({
    kind: kind("loop"),
    name,
    stateType: orNull(isString),
    pruneInterval: orNull(isCount),
    body: block,
  }),
  try: shape<Extract<ManifestNode, { kind: "try" }>>({
    kind: kind("try"),
    name,
    catches: orNull(listOf(isString)),
    body: block,
  }),
  join: branches,
  race: branches,
  rollback_checkpoint: shape<Extract<ManifestNode, { kind: "rollback_checkpoint" }>>({
    kind: kind("rollback_checkpoint"),
    name,
  }),
  removed: shape<Extract<ManifestNode, { kind: "removed" }>>({ kind: kind("removed"), name, was: isString }),
  version_check: shape<Extract<ManifestNode, { kind: "version_check" }>>({
    kind: kind("version_check"),
    name,
    latest: orNull(isCount),
  }),
  choice: shape<Extract<ManifestNode, { kind: "choice" }>>(
    { kind: kind("choice"), guard, arms: listOf(block), caught: isTrue },
    ["caught"],
  ),
  repeat: shape<Extract<ManifestNode, { kind: "repeat" }>>({
    kind: kind("repeat"),
    guard,
    times: orNull(isCount),
    body: block,
  }),
  exit: shape<Extract<ManifestNode, { kind: "exit" }>>({
    kind: kind("exit"),
    how: oneOf("return", "throw", "break", "continue", "loop_break", "loop_continue"),
    depth: isCount,
  }),
  inline: shape<Extract<ManifestNode, { kind: "inline" }>>({ kind: kind("inline"), body: block }),
  call: shape<Extract<ManifestNode, { kind: "call" }>>({ kind: kind("call"), to: isString }),
};

const node: Check<ManifestNode> = (value, depth) => {
  if (!isObject(value)) return wrong("an object", value);
  const word = value["kind"];
  if (typeof word === "string" && Object.hasOwn(NODES, word)) {
    return NODES[word as ManifestNode["kind"]](value, depth);
  }
  return inside(oneOf(...Object.keys(NODES)) as Check<never>, word, depth, () => ".kind");
};
const blockOf = listOf(node);

const queue = shape<QueueManifest>({ bodyType: isString, responseType: orNull(isString) });
const workflow = shape<WorkflowManifest>({
  name: isString,
  file: isString,
  engine: oneOf("rivetkit-2", "rivet-workflows-1", "stepproof"),
  hash: isString,
  body: block,
  functions: recordOf(block),
  stateType: orNull(isString),
  queues: recordOf(queue),
});
const manifestShape = shape<Manifest>({
  formatVersion: isCount,
  tool: isString,
  workflows: recordOf(workflow),
});
