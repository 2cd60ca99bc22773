import type { FunctionFacts, Place } from "../../types.js";

/** The name of a function, or the head of an arrow: where a finding about the whole of it points. */
export function placeOfHead(fn: FunctionFacts): Place {
  return { file: fn.file, span: fn.nameSpan };
}
