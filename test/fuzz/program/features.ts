import { CONSTRUCTS } from "./constructs/index.js";
import { statementsIn, type Block, type Statement } from "./tree.js";

/** What a program has that a law should meet: its kinds of statement, and their variants. */
export function featuresOf(program: Block): ReadonlySet<string> {
  const features = new Set<string>();
  for (const one of statementsIn(program)) for (const feature of of(one)) features.add(feature);
  return features;
}

/** Every feature that a program can have. */
export const FEATURES: readonly string[] = [
  ...Object.keys(CONSTRUCTS).filter((kind) => kind !== "planted"),
  "name by data",
  "name by turn",
  "step flaky",
  "step critical",
  "step on state",
  "step sends",
  "step with rollback",
  "wait with timeout",
  "loop over messages",
  "loop that prunes",
  "repeat by data",
  "helper in another file",
  "entry in a scope in a scope",
];

function* of(one: Statement): Generator<string> {
  yield one.kind;
  if (one.name.byData) yield "name by data";
  if (one.name.turns.length > 0) yield "name by turn";
  switch (one.kind) {
    case "step":
    case "tryStep":
      if (one.work.ends === "flaky") yield "step flaky";
      if (one.work.ends === "critical") yield "step critical";
      if (one.work.state) yield "step on state";
      if (one.work.state && one.work.blind === true) yield "step on state in a branch";
      if (one.work.sends) yield "step sends";
      if (one.kind === "step" && one.undo) yield "step with rollback";
      return;
    case "wait":
      if (one.timeout !== null) yield "wait with timeout";
      return;
    case "loop":
      if (one.style === "messages") yield "loop over messages";
      if (one.prune !== null) yield "loop that prunes";
      break;
    case "repeat":
      if (one.byData) yield "repeat by data";
      return;
    case "helper":
      if (one.file === "other") yield "helper in another file";
      return;
    default:
  }
  if (CONSTRUCTS[one.kind].scopes && one.blocks.some(hasScope)) yield "entry in a scope in a scope";
}

const hasScope = (block: Block): boolean =>
  [...statementsIn(block)].some((one) => CONSTRUCTS[one.kind].scopes);
