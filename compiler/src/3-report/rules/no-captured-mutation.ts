import type {
  Analysis,
  EntryOperation,
  EntrySite,
  RecordedWriteOperation,
  Rule,
  Scope,
  WriteOperation,
} from "../../2-solve/types.js";
import type { Expr, FunctionFacts, NameExpr } from "../../types.js";
import { exprsOfBody, within } from "../facts-walk.js";
import { reportAt } from "../report-at.js";

/**
 * Writes that a replay does not repeat: a step's, a branch's, a rollback handler's or a loop body's to a
 * variable of the code around it or to what an entry around it gave, and changes of an ephemeral step's output before
 * it is recorded.
 * A `try` block has no record of its own and runs again, so its writes are fine.
 */
export const noCapturedMutation: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind === "write") {
      const lostIn =
        operation.owner.zone === "workflow" ? skippedUpTo(operation, operation.owner.scope) : null;
      if (!lostIn) continue;
      reportAt(analysis, operation, report, () => ({
        rule: "no-captured-mutation",
        message: `${capitalised(lostIn.label)} ${HOW[operation.how]} \`${operation.name}\`, a variable outside it: the change is lost when the recorded result is replayed`,
        help: helpFor(lostIn),
      }));
    } else if (operation.kind === "recorded-write") {
      const entry = entryAt(analysis, operation.entry);
      const lostIn = entry ? skippedUpTo(operation, entry.activation.scope, entry) : null;
      if (lostIn && (lostIn.kind === "loop" || isReadAfter(analysis, operation, lostIn)))
        reportAt(analysis, operation, report, () => ({
          rule: "no-captured-mutation",
          message: `${capitalised(lostIn.label)} changes \`${operation.text}\`, which ${entry?.method === "step" ? "a step" : "an entry"} around it gave: a replay gets it as it was recorded, without the change`,
          help:
            lostIn.kind === "loop"
              ? "Carry what is left as the loop's state (`ctx.loop({ name, state, run })` with `Loop.continue(next)`)."
              : `Work on a copy (\`[...items]\`, \`toSorted()\`) and return it from the ${lostIn.kind}.`,
        }));
      if (entry?.options["ephemeral"]?.constants?.includes(true) !== true) continue;
      reportAt(analysis, operation, report, () => ({
        rule: "no-captured-mutation",
        message: `\`${operation.text}\` changes the output of an ephemeral step before it is recorded: a replay starts from the changed value`,
        help: "Copy it first (`const items = [...cart.items, more]`), or drop `ephemeral`.",
      }));
    }
  }
};

const HOW: Readonly<Record<WriteOperation["how"], string>> = {
  assign: "assigns",
  property: "changes a property of",
  method: "changes",
};

type SkippedScope = Pick<Scope, "kind" | "label"> & Partial<Pick<Scope, "callback">>;

/**
 * The innermost recorded scope between a write and the scope of what it changes; `null` when there is none.
 * @param entry whose result is changed: the state that a loop hands to its body is the body's own.
 */
function skippedUpTo(
  { activation }: WriteOperation | RecordedWriteOperation,
  owner: Scope | null,
  entry: EntryOperation | null = null,
): SkippedScope | null {
  for (let { scope } = activation; scope && scope.id !== owner?.id; scope = scope.parent) {
    if (entry && scope.opener.file === entry.place.file && scope.opener.span[0] === entry.place.span[0])
      return null;
    if (RECORDED.has(scope.kind)) return scope;
  }
  // A helper that no context reaches has no scope of its own; its zone tells.
  const { zone, scope } = activation;
  return scope === null && (zone === "step" || zone === "rollback")
    ? { kind: zone, label: `A ${zone}` }
    : null;
}

/** True when the variable through which a recorded value is changed is read behind the scope that changes it. */
function isReadAfter(analysis: Analysis, operation: RecordedWriteOperation, scope: SkippedScope): boolean {
  const { place } = operation;
  const callback = scope.callback == null ? null : analysis.functionOf(scope.callback);
  const file = analysis.files.get(place.file);
  if (!callback || !file || callback.file !== place.file) return false;
  const root = operation.text.split(/\W/)[0];
  const names = file.functions.flatMap(namesIn);
  const changed = names.find((name) => name.name === root && within(name.span, place.span));
  return names.some((name) => name.span[0] >= callback.span[1] && isSame(name, changed));
}

const namesIn = ({ body }: FunctionFacts): readonly NameExpr[] =>
  exprsOfBody(body).filter((expr: Expr): expr is NameExpr => expr.k === "name");

const isSame = (name: NameExpr, other: NameExpr | undefined): boolean =>
  name.ref.to === "binding" && other?.ref.to === "binding" && name.ref.id === other.ref.id;

const RECORDED: ReadonlySet<Scope["kind"]> = new Set(["step", "loop", "branch", "rollback"]);

function helpFor(scope: Pick<Scope, "kind">): string {
  if (scope.kind === "loop")
    return "Carry it as the loop's state (`ctx.loop({ name, state, run })` with `Loop.continue(next)`), or keep it in `step.state`.";
  if (scope.kind === "rollback")
    return "Rollback handlers get the step's output: put what they need into it.";
  return `Return the value from the ${scope.kind} and assign it outside, or keep it in \`step.state\`.`;
}

const entryAt = (analysis: Analysis, { place }: EntrySite): EntryOperation | null =>
  analysis.operations.find(
    (one): one is EntryOperation =>
      one.kind === "entry" && one.place.file === place.file && one.place.span[0] === place.span[0],
  ) ?? null;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
