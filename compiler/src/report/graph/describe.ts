import type { Guard, ManifestNode, NamePattern, StepNode } from "../../../../runtime/src/manifest/format.js";

/** What a box says of a node of the manifest, its contents aside. */
export interface Description {
  readonly shape: "entry" | "scope" | "choice" | "repeat" | "exit" | "call";
  readonly title: string;
  readonly note: string | null;
  /** Names of its lanes, in the order of `lanesOf`. */
  readonly lanes: readonly (string | null)[];
}

const EXITS = {
  return: "return",
  throw: "throw",
  break: "break",
  continue: "continue",
  loop_break: "Loop.break",
  loop_continue: "Loop.continue",
} as const;

/** The words for a node; also its identity among its neighbours when two versions are compared. */
export function describeNode(node: ManifestNode): Description {
  switch (node.kind) {
    case "step":
      return {
        shape: "entry",
        title: `${node.catches ? "tryStep" : "step"} ${nameText(node.name)}`,
        note: stepNote(node),
        lanes: [],
      };
    case "sleep":
      return { shape: "entry", title: `sleep ${nameText(node.name)}`, note: null, lanes: [] };
    case "message":
      return {
        shape: "entry",
        title: `message ${nameText(node.name)}`,
        note: node.timeout === "no" ? null : "with a timeout",
        lanes: [],
      };
    case "rollback_checkpoint":
      return { shape: "entry", title: `checkpoint ${nameText(node.name)}`, note: null, lanes: [] };
    case "removed":
      return { shape: "entry", title: `removed ${node.was} ${nameText(node.name)}`, note: null, lanes: [] };
    case "version_check":
      return {
        shape: "entry",
        title: `version ${nameText(node.name)}`,
        note: `latest ${node.latest ?? "unknown"}`,
        lanes: [],
      };
    case "loop":
      return { shape: "scope", title: `loop ${nameText(node.name)}`, note: null, lanes: [null] };
    case "try":
      return { shape: "scope", title: `try ${nameText(node.name)}`, note: null, lanes: [null] };
    case "join":
    case "race":
      return {
        shape: "scope",
        title: `${node.kind} ${nameText(node.name)}`,
        note: node.open ? "branches from data" : null,
        lanes: node.branches.map((branch) => nameText(branch.name)),
      };
    case "choice":
      return {
        shape: "choice",
        title: guardText(node.guard),
        note: node.caught === true ? null : sourceNote(node.guard),
        lanes: node.caught === true ? ["try", "catch"] : armLabels(node.arms.length),
      };
    case "repeat":
      return {
        shape: "repeat",
        title: `repeat ${guardText(node.guard)}`,
        note: node.times === null ? null : `at most ${node.times} times`,
        lanes: [null],
      };
    case "inline":
      return { shape: "scope", title: "helper", note: null, lanes: [null] };
    case "exit":
      return { shape: "exit", title: EXITS[node.how], note: null, lanes: [] };
    case "call":
      return { shape: "call", title: `call ${node.to}`, note: null, lanes: [] };
  }
}

/** A name with its holes: `item-${i}`. */
export function nameText(name: NamePattern): string {
  return name.map((part) => (typeof part === "string" ? part : `\${${part.hole}}`)).join("");
}

function guardText(guard: Guard): string {
  return guard.gate ? `version ${nameText(guard.gate.name)}` : guard.text;
}

function sourceNote(guard: Guard): string | null {
  return guard.source === "unknown" ? "not proven to come from recorded data" : null;
}

function armLabels(arms: number): string[] {
  return arms <= 2
    ? ["yes", "no"].slice(0, arms)
    : Array.from({ length: arms }, (_, index) => `arm ${index + 1}`);
}

function stepNote(node: StepNode): string | null {
  const { timeout, maxRetries } = node.options;
  const parts = [
    ...(timeout === undefined ? [] : [`timeout ${timeout} ms`]),
    ...(maxRetries === undefined ? [] : [`${maxRetries} retries`]),
    ...(node.rollback ? ["rollback"] : []),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}
