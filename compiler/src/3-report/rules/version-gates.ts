import type {
  Analysis,
  ChoiceTrace,
  EntryOperation,
  Finding,
  Rule,
  TraceBlock,
} from "../../2-solve/types.js";
import { REPLAY_FLAGS } from "../../../../runtime/src/manifest/replay-flags.js";
import type { FunctionFacts, Place } from "../../types.js";
import { statementsIn } from "../facts-walk.js";
import { reportAt } from "../report-at.js";
import { lateGates } from "./late-gates.js";
import { reportInside } from "./report-inside.js";

/** `getVersion` and `removed` that can't do their work. */
export const versionGates: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind !== "entry" || operation.zone !== "workflow") continue;
    if (operation.method === "getVersion") checkLatest(analysis, operation, report);
    if (operation.method === "removed") checkKind(analysis, operation, report);
  }
  for (const activation of analysis.activations)
    if (activation.zone === "workflow")
      for (const choice of choicesIn(activation.trace))
        checkArms(analysis, activation.function, choice, report);
  for (const workflow of analysis.workflows) {
    if (!REPLAY_FLAGS[workflow.engine].gateCountsFinishedScopes) continue;
    for (const { gate, after } of lateGates(workflow.skeleton))
      reportAt(analysis, gate.op, report, () => ({
        rule: "version-gates",
        message: `This engine also counts what a finished ${after.op.method} has recorded: after it the gate resolves to 1, for new instances too`,
        help: `Place the gate before the ${after.op.method}.`,
      }));
  }
};

function checkLatest(
  analysis: Analysis,
  operation: EntryOperation,
  report: (finding: Finding) => void,
): void {
  const latest = operation.options["latest"];
  const wrong = latest?.constants ? latest.constants.find((one) => !isVersion(one)) : latest?.text;
  if (latest?.constants?.every(isVersion)) return;
  reportInside(analysis, operation, latest?.place ?? operation.place, report, () => ({
    rule: "version-gates",
    message: latest
      ? `The latest version of this gate is \`${typeof wrong === "string" ? wrong : String(wrong)}\`; it has to be a literal whole number of 1 or more`
      : "This gate has no latest version",
    help: "Write the number in the call: `await ctx.getVersion(name, 2)`.",
  }));
}

const isVersion = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 1;

/** Design §2; `removed` covers what a `message` wait generates. */
const KINDS: ReadonlySet<unknown> = new Set([
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

function checkKind(analysis: Analysis, operation: EntryOperation, report: (finding: Finding) => void): void {
  const was = operation.options["was"];
  const unknown = was?.constants?.find((kind) => !KINDS.has(kind));
  if (!was || unknown === undefined) return;
  reportInside(analysis, operation, was.place, report, () => ({
    rule: "version-gates",
    message: `\`${String(unknown)}\` is no kind of entry, so this \`removed\` never finds what it is for`,
    help: `Give the kind that the entry had: ${[...KINDS].map((kind) => `"${String(kind)}"`).join(", ")}.`,
  }));
}

function checkArms(
  analysis: Analysis,
  fn: FunctionFacts,
  choice: ChoiceTrace,
  report: (finding: Finding) => void,
): void {
  const { gate } = choice.guard.guard;
  if (!gate) return;
  const latest = latestOf(analysis, choice);
  if (latest === null) return;
  for (const [index, versions] of gate.arms.entries()) {
    if (choice.arms[index]?.length === 0) continue;
    if (
      versions.from <= latest &&
      (versions.to === null || (versions.to >= 1 && versions.to >= versions.from))
    )
      continue;
    const [site] = choice.guard.value.entries;
    const operation = site ? gateAt(analysis, site.place) : null;
    const route = operation ? analysis.routesTo(operation)[0] : undefined;
    report({
      rule: "version-gates",
      message: `An arm of \`${choice.guard.value.text}\` can't be reached: the gate gives a version from 1 to ${latest}`,
      place: armPlace(fn, choice, index),
      chain: route?.chain ?? [],
      help: "Raise the gate's latest version, or delete the arm.",
    });
    return;
  }
}

/** The label of a `switch` arm; of other choices the whole. */
function armPlace(fn: FunctionFacts, { form, place }: ChoiceTrace, index: number): Place {
  if (form !== "switch") return place;
  for (const stmt of statementsIn(fn.body))
    if (stmt.s === "switch" && stmt.span[0] === place.span[0] && place.file === fn.file) {
      const label = stmt.cases[index]?.test;
      if (label) return { file: place.file, span: label.span };
    }
  return place;
}

function latestOf(analysis: Analysis, choice: ChoiceTrace): number | null {
  const latest = choice.guard.value.entries.map(
    (site) => gateAt(analysis, site.place)?.options["latest"]?.constants,
  );
  const numbers = latest.flatMap((constants) => constants ?? [null]);
  return numbers.length > 0 && numbers.every(isVersion) ? Math.max(...(numbers as number[])) : null;
}

function gateAt(analysis: Analysis, place: Finding["place"]): EntryOperation | null {
  const found = analysis.operations.find(
    (one) =>
      one.kind === "entry" &&
      one.method === "getVersion" &&
      one.place.file === place.file &&
      one.place.span[0] === place.span[0],
  );
  return found?.kind === "entry" ? found : null;
}

function* choicesIn(block: TraceBlock): Generator<ChoiceTrace> {
  for (const node of block) {
    if (node.t === "choice") {
      yield node;
      for (const arm of node.arms) yield* choicesIn(arm);
    } else if (node.t === "repeat" || node.t === "block") yield* choicesIn(node.body);
    else if (node.t === "try") {
      yield* choicesIn(node.block);
      yield* choicesIn(node.handler?.body ?? []);
      yield* choicesIn(node.finalizer?.body ?? []);
    }
  }
}
