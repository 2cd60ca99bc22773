import type {
  Block,
  BranchManifest,
  Guard,
  Manifest,
  ManifestNode,
  NamePart,
  QueueManifest,
  WorkflowManifest,
} from "./format.js";
import { ManifestError } from "./manifest-error.js";
import { DEEPEST } from "./write-manifest.js";

/** Checks a value and gives it its type; throws with the path of what is wrong. */
type Check<T> = (value: unknown, at: Path) => T;

/** A path as a linked list: joined only when something is wrong. */
interface Path {
  readonly parent: Path | null;
  readonly step: string;
  readonly depth: number;
}

/** Checks the whole document (of the current format version). */
export function checkDocument(document: unknown): Manifest {
  const manifest = manifestShape(document, { parent: null, step: "$", depth: 0 });
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

function below(parent: Path, step: string): Path {
  if (parent.depth >= DEEPEST)
    throw new ManifestError(
      "manifest_too_deep",
      textOf(parent),
      `The manifest is nested more than ${DEEPEST} levels deep.`,
    );
  return { parent, step, depth: parent.depth + 1 };
}

function textOf(path: Path): string {
  const steps: string[] = [];
  for (let at: Path | null = path; at !== null; at = at.parent) steps.unshift(at.step);
  const text = steps.join("");
  return text.length > 300 ? `${text.slice(0, 150)} … ${text.slice(-140)}` : text;
}

function wrong(path: Path, expected: string, value: unknown): never {
  const at = textOf(path);
  throw new ManifestError("manifest_invalid", at, `${at} must be ${expected}, not ${shown(value)}.`);
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

const isString: Check<string> = (value, at) =>
  typeof value === "string" ? value : wrong(at, "a text", value);
const isBoolean: Check<boolean> = (value, at) =>
  typeof value === "boolean" ? value : wrong(at, "true or false", value);
const isCount: Check<number> = (value, at) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0
    ? value
    : wrong(at, "a whole number from 0", value);
const isScalar: Check<string | number | boolean> = (value, at) =>
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value))
    ? value
    : wrong(at, "a text, a number, true or false", value);

function oneOf<const T extends string>(...words: readonly T[]): Check<T> {
  return (value, at) =>
    words.find((word) => word === value) ?? wrong(at, `one of ${words.join(", ")}`, value);
}

function orNull<T>(check: Check<T>): Check<T | null> {
  return (value, at) => (value === null ? null : check(value, at));
}

function listOf<T>(check: Check<T>): Check<readonly T[]> {
  return (value, at) =>
    Array.isArray(value)
      ? value.map((item: unknown, index) => check(item, below(at, `[${index}]`)))
      : wrong(at, "a list", value);
}

function recordOf<T>(check: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value, at) => {
    if (!isObject(value)) return wrong(at, "an object", value);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, check(item, below(at, member(key)))]),
    );
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
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
  return (value, at) => {
    if (!isObject(value)) return wrong(at, "an object", value);
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(members, key)) {
        const path = textOf(below(at, member(key)));
        throw new ManifestError("manifest_invalid", path, `${path} is not known in this format.`);
      }
    }
    for (const [key, check] of checks) {
      if (value[key] === undefined && left.has(key)) continue;
      check(value[key], below(at, member(key)));
    }
    return value as T;
  };
}

// ------------------------------------------------------------------- the format

/** Noncharacters, which keys of names are built with. */
const RESERVED = /[\ufdd0\ufdd1]/;

const hole = shape<Exclude<NamePart, string>>(
  { hole: isString, perIteration: isBoolean, values: listOf(isString) as Check<readonly string[]> },
  ["values"],
);
const namePart: Check<NamePart> = (value, at) => {
  if (typeof value !== "string") return hole(value, at);
  return RESERVED.test(value) ? wrong(at, "a name without the characters U+FDD0 and U+FDD1", value) : value;
};
const name = listOf(namePart);
const block: Check<Block> = (value, at) => blockOf(value, at);
const branch = shape<BranchManifest>({ name, body: block });
const kind = <const T extends string>(word: T): Check<T> => oneOf(word);
const guard = shape<Guard>({
  text: isString,
  source: oneOf("constant", "recorded", "gate", "unknown"),
  gate: orNull(shape({ name, arms: listOf(shape({ from: isCount, to: orNull(isCount) })) })),
});
const branches: Check<ManifestNode> = shape<Extract<ManifestNode, { branches: unknown }>>({
  kind: oneOf("join", "race"),
  name,
  branches: listOf(branch),
  open: isBoolean,
});

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
  message: shape<Extract<ManifestNode, { kind: "message" }>>({
    kind: kind("message"),
    name,
    method: oneOf("next", "nextBatch"),
    timeout: oneOf("no", "yes", "maybe"),
    count: orNull(isCount),
    completable: isBoolean,
    queues: orNull(listOf(isString)),
  }),
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
  choice: shape<Extract<ManifestNode, { kind: "choice" }>>({
    kind: kind("choice"),
    guard,
    arms: listOf(block),
  }),
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

const node: Check<ManifestNode> = (value, at) => {
  if (!isObject(value)) return wrong(at, "an object", value);
  const word = value["kind"];
  if (typeof word !== "string" || !Object.hasOwn(NODES, word)) {
    return wrong(below(at, ".kind"), `one of ${Object.keys(NODES).join(", ")}`, word);
  }
  return NODES[word as ManifestNode["kind"]](value, at);
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
