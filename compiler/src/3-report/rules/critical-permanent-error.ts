import { isPackageFile } from "../../2-solve/program.js";
import type { Analysis, ExitTrace, GuardInfo, Rule, TraceBlock } from "../../2-solve/types.js";
import type { Expr } from "../../types.js";
import { reachedFrom, stepSites } from "../step-sites.js";
import { reportInside } from "./report-inside.js";

/** Recorded data that is refused stays refused: a retry can't help. */
export const criticalPermanentError: Rule = (analysis, report) => {
  for (const site of stepSites(analysis)) {
    if (!site.retried) continue;
    for (const { activation, through } of reachedFrom(site.bodies)) {
      if (isPackageFile(activation.function.file)) continue;
      for (const { exit, guard } of refusals(activation.trace, null)) {
        const name = retriedError(analysis, exit);
        if (name === null || !isPermanent(guard)) continue;
        const part = through === null || activation.own ? exit.place : through.place;
        reportInside(analysis, through ?? site.entry, part, report, () => ({
          rule: "critical-permanent-error",
          message: `\`${guard.value.text}\` gives the same at every attempt, but a plain \`${name}\` makes ${site.label} try again until its attempts are used up`,
          help: "Throw `new CriticalError(…)`: the step then fails at once.",
        }));
      }
    }
  }
};

interface Refusal {
  readonly exit: ExitTrace;
  readonly guard: GuardInfo;
}

/** Throws that stand directly in an arm of a choice, outside `try` blocks that handle them. */
function* refusals(block: TraceBlock, guard: GuardInfo | null): Generator<Refusal> {
  for (const node of block) {
    if (node.t === "exit" && node.how === "throw" && guard) yield { exit: node, guard };
    if (node.t === "choice") for (const arm of node.arms) yield* refusals(arm, node.guard);
    if (node.t === "repeat" || node.t === "block") yield* refusals(node.body, guard);
    if (node.t === "try" && !node.handler) yield* refusals(node.block, guard);
  }
}

/** Depends on recorded data only (not on a response, the clock, live state), or on an answer that refuses the request itself. */
function isPermanent({ value }: GuardInfo): boolean {
  if (value.text.split("||").every((test) => REFUSED.test(test.trim()))) return true;
  return value.source === "recorded" && value.effects.length === 0 && value.entries.length > 0;
}

/** `response.status === 422`: the same request is refused again. */
const REFUSED = /^\(?[\w.$]*\bstatus(?:Code)?\s*={2,3}\s*(?:400|413|415|422)\)?$/;

const PLAIN = /^(?:global#)?(?:Error|TypeError|RangeError|SyntaxError)$/;

/** The class of the thrown error when the engine retries it. */
function retriedError(analysis: Analysis, exit: ExitTrace): string | null {
  for (const name of exit.value?.instances ?? []) {
    if (PLAIN.test(name)) return name.replace("global#", "");
    if (!name.includes("#") && classIsPlain(analysis, name)) return name;
  }
  return null;
}

/** A class of the program that does not come from an error of the engine. */
function classIsPlain(analysis: Analysis, name: string): boolean {
  for (const file of analysis.files.values())
    for (const found of file.classes)
      if (found.name === name) return found.extends !== null && isPlain(analysis, found.extends);
  return false;
}

function isPlain(analysis: Analysis, base: Expr): boolean {
  if (base.k !== "name") return false;
  return base.ref.to === "global"
    ? PLAIN.test(base.name)
    : base.ref.to === "binding" && classIsPlain(analysis, base.name);
}
