import type { Rule } from "../../2-solve/types.js";
import { growingLoopStates } from "../growing-loop-state.js";
import { bare } from "../facts-walk.js";
import { stepReturns } from "../step-returns.js";
import { stepSites } from "../step-sites.js";
import type { VerbatimPart } from "../verbatim.js";
import { reportInside } from "./report-inside.js";

/** Whole files, raw bodies and ever-growing loop state as recorded values. */
export const boundedPayload: Rule = (analysis, report) => {
  for (const site of stepSites(analysis)) {
    for (const returned of stepReturns(analysis, site)) {
      for (const part of returned.parts) {
        const what = wholeOf(part);
        if (what === null) continue;
        reportInside(analysis, site.entry, part.via, report, () => ({
          rule: "bounded-payload",
          message: `${what} becomes the output of ${site.label}: it is stored in the history, loaded at every replay, and refused when it is too large`,
          help: "Store it elsewhere (a file, a bucket, the actor's database) and return where it is, or only what the workflow needs of it.",
        }));
      }
    }
  }
  for (const { entry, place, property } of growingLoopStates(analysis))
    reportInside(analysis, entry, place, report, () => ({
      rule: "bounded-payload",
      message: `\`${property}\` of the loop's state grows with every iteration: it is recorded anew each time, until it is too large to record`,
      help: "Keep a window of it (`.slice(-100)`), a count, or keep it in actor state or the actor's database.",
    }));
};

const BODIES = new Set(["arrayBuffer", "blob", "bytes", "formData"]);
const FILES = new Set(["readFile", "readFileSync", "readTextFile", "readTextFileSync"]);

/** What the part is when it is a whole file or body: for the message. */
function wholeOf({ expr, path }: VerbatimPart): string | null {
  if (path.length > 0 || expr.k !== "call") return null;
  const callee = bare(expr.callee);
  const name = callee.k === "member" ? callee.property : callee.k === "name" ? callee.name : null;
  if (name === null) return null;
  if (callee.k === "member" && BODIES.has(name) && expr.args.length === 0)
    return `A whole body (\`${name}()\`)`;
  return FILES.has(name) ? `A whole file (\`${name}()\`)` : null;
}
