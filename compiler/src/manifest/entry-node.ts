import { ENTRY_MEMBERS } from "../engines/entries.js";
import type { EntryOperation, ReadsOf, SkeletonEntry, ValueInfo } from "../2-solve/types.js";
import type {
  Block,
  BranchManifest,
  EntryKind,
  ManifestNode,
  MessageNode,
  NamePattern,
  StepNode,
  StepOptionsManifest,
} from "../../../runtime/src/manifest/index.js";
import { isResultDiscarded } from "./discarded-results.js";

/** What the nodes of entries need beside the skeleton. */
export interface EntrySources {
  /** Fingerprint of a function's body. */
  readonly fingerprint: (op: EntryOperation) => string;
  /** Printed type of a loop's state. */
  readonly stateType: (state: ValueInfo | undefined) => string | null;
}

/** One entry of the skeleton as the manifest has it. `bodies` are its scopes, already turned. */
export function entryNode(
  entry: SkeletonEntry,
  name: NamePattern,
  bodies: readonly { readonly name: NamePattern | null; readonly body: Block }[],
  sources: EntrySources,
): ManifestNode {
  const { op } = entry;
  switch (op.method) {
    case "step":
    case "tryStep":
      return stepNode(op, name, sources);
    case "sleep":
    case "sleepUntil":
      return { kind: "sleep", name };
    case "next":
    case "nextBatch":
      return messageNode(op, name, entry.reads.timeout);
    case "loop":
      return {
        kind: "loop",
        name,
        stateType: sources.stateType(op.options["state"]),
        pruneInterval: pruneInterval(op),
        body: merged(bodies, entry.reads.body),
      };
    case "try":
      return { kind: "try", name, catches: catches(op), body: merged(bodies, entry.reads.body) };
    case "join":
    case "race": {
      const branches = bodies.map((body): BranchManifest => ({
        name: body.name ?? UNREADABLE,
        body: body.body,
      }));
      const open = !op.branchesFixed;
      const fromData = open || branches.some((one) => one.name.some((part) => typeof part !== "string"));
      const { branches: computed } = entry.reads;
      return {
        kind: op.method,
        name,
        branches,
        open,
        ...(fromData && computed && { reads: computed.reads() }),
      };
    }
    case "rollbackCheckpoint":
      return { kind: "rollback_checkpoint", name };
    case "removed":
      return { kind: "removed", name, was: removedKind(op.options["was"]) };
    case "getVersion":
      return { kind: "version_check", name, latest: wholeNumber(op.options["latest"]) };
  }
}

const UNREADABLE: NamePattern = [{ hole: "", perIteration: true }];

/** A scope whose callback can be one of several functions is a choice between their bodies. */
function merged(bodies: readonly { readonly body: Block }[], decided: ReadsOf): Block {
  const [first] = bodies;
  if (bodies.length <= 1) return first?.body ?? [];
  return [
    {
      kind: "choice",
      guard: { text: "", source: "unknown", gate: null, ...(decided && { reads: decided.reads() }) },
      arms: bodies.map((one) => one.body),
    },
  ];
}

function stepNode(op: EntryOperation, name: NamePattern, sources: EntrySources): StepNode {
  const body = op.callbacks.find((callback) => callback.role === "body");
  const rollback = op.callbacks.some((callback) => callback.role === "rollback");
  return {
    kind: "step",
    name,
    outputType: body?.activations[0]?.function.returnType?.text ?? null,
    outputUsed: rollback || !isResultDiscarded(op),
    body: sources.fingerprint(op),
    options: stepOptions(op),
    catches: op.method === "tryStep" ? catches(op) : null,
    rollback,
  };
}

const STEP_OPTIONS = [
  "timeout",
  "maxRetries",
  "retryBackoffBase",
  "retryBackoffMax",
  "retryOnTimeout",
  "ephemeral",
] as const;

function stepOptions(op: EntryOperation): StepOptionsManifest {
  const given = STEP_OPTIONS.flatMap((key): [string, string | number | boolean][] => {
    const value = op.options[key];
    if (value === undefined) return [];
    const constant = value.constants?.length === 1 ? value.constants[0] : null;
    if (constant === undefined) return [];
    return [[key, constant ?? value.text]];
  });
  return Object.fromEntries(given);
}

function catches(op: EntryOperation): readonly string[] {
  const given = op.options["catch"];
  if (given === undefined) {
    const member = Object.hasOwn(ENTRY_MEMBERS, op.method) ? ENTRY_MEMBERS[op.method] : undefined;
    return member?.is === "entry" ? [...(member.method.catches ?? [])].sort() : [];
  }
  const words = [...given.text.matchAll(/["']([\w-]+)["']/g)].map((match) => match[1] ?? "");
  return words.length > 0 || given.text.trim() === "[]" ? words.sort() : [given.text];
}

function messageNode(op: EntryOperation, name: NamePattern, decided: ReadsOf): MessageNode {
  const method = op.method === "next" ? "next" : "nextBatch";
  const count = op.options["count"];
  const timeout = timeoutOf(op);
  return {
    kind: "message",
    name,
    method,
    timeout,
    ...(timeout === "maybe" && decided && { reads: decided.reads() }),
    count: method === "next" || (count === undefined && op.optionsKnown) ? 1 : wholeNumber(count),
    completable: op.options["completable"]?.constants?.includes(true) ?? false,
    queues: op.queues === null ? null : [...op.queues].sort(),
  };
}

function timeoutOf(op: EntryOperation): MessageNode["timeout"] {
  const timeout = op.options["timeout"];
  if (timeout === undefined) return op.optionsKnown ? "no" : "maybe";
  const { constants } = timeout;
  // A value from data is taken for a number of ms: `timeout: input.wait ?? undefined` is rare.
  if (constants === null) return "yes";
  const absent = constants.filter((value) => value === undefined).length;
  return absent === 0 ? "yes" : absent === constants.length ? "no" : "maybe";
}

function pruneInterval(op: EntryOperation): number | null {
  // The published engine has three names for it (`rivetkit` 2.3.19, `LoopConfig`).
  return wholeNumber(
    op.options["historyPruneInterval"] ?? op.options["commitInterval"] ?? op.options["historyEvery"],
  );
}

const KINDS: ReadonlySet<string> = new Set<EntryKind>([
  "step",
  "loop",
  "sleep",
  "message",
  "rollback_checkpoint",
  "join",
  "race",
  "removed",
  "version_check",
]);

function removedKind(was: ValueInfo | undefined): string {
  const value = was?.constants?.length === 1 ? was.constants[0] : undefined;
  return typeof value === "string" && KINDS.has(value) ? value : (was?.text ?? "");
}

function wholeNumber(value: ValueInfo | undefined): number | null {
  const constant = value?.constants?.length === 1 ? value.constants[0] : null;
  return typeof constant === "number" && Number.isInteger(constant) && constant >= 0 ? constant : null;
}
