import type { Analysis } from "../2-solve/types.js";
import type { Expr, FunctionFacts } from "../types.js";
import { returnsOf } from "./facts-walk.js";
import type { StepSite } from "./step-sites.js";
import { verbatimParts, type VerbatimPart } from "./verbatim.js";

/** What a step's body returns, as written. */
export interface StepReturn {
  readonly body: FunctionFacts;
  readonly expr: Expr;
  readonly parts: readonly VerbatimPart[];
}

/** The returns of a step's own body, each with the parts that it is put together from. */
export function stepReturns(analysis: Analysis, site: StepSite): readonly StepReturn[] {
  const bodies = new Map(site.bodies.map((activation) => [activation.function.id, activation.function]));
  return [...bodies.values()].flatMap((body) =>
    returnsOf(body.body).map((expr) => ({ body, expr, parts: verbatimParts(analysis, expr, body.file) })),
  );
}
