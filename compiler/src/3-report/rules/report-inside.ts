import type { Analysis, Finding, Operation, Place, Route } from "../../2-solve/types.js";
import { ENGINES } from "../../engines/index.js";
import type { EngineProfile } from "../../types.js";
import type { Remark } from "../report-at.js";

/**
 * Like `reportAt`, but points at a part of the operation (an option, a callback) where the author's own
 * line is the operation itself; a line that only leads to it is pointed at as a whole.
 */
export function reportInside(
  analysis: Analysis,
  operation: Operation,
  part: Place,
  report: (finding: Finding) => void,
  remark: (route: Route) => Remark | null,
): void {
  for (const route of analysis.routesTo(operation)) {
    const said = remark(route);
    if (!said) continue;
    report({
      ...said,
      place: route.through.length === 0 ? part : route.place,
      chain: route.chain,
      otherWays: route.otherWays,
    });
  }
}

/** The engine that runs the code at the end of a way; our own contract where no workflow leads to it. */
export function engineOf(route: Route): EngineProfile {
  return ENGINES[route.workflow?.engine ?? "stepproof"];
}
