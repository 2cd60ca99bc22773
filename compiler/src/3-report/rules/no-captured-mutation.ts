import type { Analysis, EntrySite, Rule, Scope, WriteOperation } from "../../2-solve/types.js";
import { reportAt } from "../report-at.js";

/**
 * Writes that a replay does not repeat: a step's, a branch's, a rollback handler's or a loop body's to a
 * variable of the code around it, and changes of an ephemeral step's output before it is recorded.
 * A `try` block has no record of its own and runs again, so its writes are fine.
 */
export const noCapturedMutation: Rule = (analysis, report) => {
  for (const operation of analysis.operations) {
    if (operation.kind === "write") {
      const lostIn = scopeThatIsSkipped(operation);
      if (!lostIn) continue;
      reportAt(analysis, operation, report, () => ({
        rule: "no-captured-mutation",
        message: `${capitalised(lostIn.label)} ${HOW[operation.how]} \`${operation.name}\`, a variable outside it: the change is lost when the recorded result is replayed`,
        help: helpFor(lostIn),
      }));
    } else if (operation.kind === "recorded-write" && isEphemeral(analysis, operation.entry)) {
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

/** The innermost recorded scope between the write and the variable's owner; `null` when there is none. */
function scopeThatIsSkipped(operation: WriteOperation): Pick<Scope, "kind" | "label"> | null {
  if (operation.owner.zone !== "workflow") return null;
  for (
    let scope = operation.activation.scope;
    scope && scope.id !== operation.owner.scope?.id;
    scope = scope.parent
  )
    if (RECORDED.has(scope.kind)) return scope;
  // A helper that no context reaches has no scope of its own; its zone tells.
  const { zone, scope } = operation.activation;
  return scope === null && (zone === "step" || zone === "rollback")
    ? { kind: zone, label: `A ${zone}` }
    : null;
}

const RECORDED: ReadonlySet<Scope["kind"]> = new Set(["step", "loop", "branch", "rollback"]);

function helpFor(scope: Pick<Scope, "kind">): string {
  if (scope.kind === "loop")
    return "Carry it as the loop's state (`ctx.loop({ name, state, run })` with `Loop.continue(next)`), or keep it in `step.state`.";
  if (scope.kind === "rollback")
    return "Rollback handlers get the step's output: put what they need into it.";
  return `Return the value from the ${scope.kind} and assign it outside, or keep it in \`step.state\`.`;
}

function isEphemeral(analysis: Analysis, site: EntrySite): boolean {
  return analysis.operations.some(
    (one) =>
      one.kind === "entry" &&
      one.place.file === site.place.file &&
      one.place.span[0] === site.place.span[0] &&
      one.options["ephemeral"]?.constants?.includes(true) === true,
  );
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
