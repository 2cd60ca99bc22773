import type ts from "typescript";
import type { TypeFacts } from "../types.js";
import type { CheckedProgram } from "./checker-questions.js";
import { typeHazards } from "./type-hazards.js";
import { printType } from "./print-type.js";

/** A type as text and as what a recorder can't bring back of it; `null` for errors. */
export function typeFacts(type: ts.Type, at: ts.Node, checked: CheckedProgram): TypeFacts | null {
  return { text: printType(type, at, checked), hazards: typeHazards(type, at, checked) };
}
