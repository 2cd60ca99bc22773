import type ts from "typescript";
import type { TypeFacts } from "../types.js";
import type { ModelType, TypeModel } from "./type-model.js";
import { typeHazards } from "./type-hazards.js";
import { printType } from "./print-type.js";

/** A type as text and as what a recorder can't bring back of it. `at`: the node that it was asked of. */
export function typeFacts(type: ModelType, at: ts.Node, model: TypeModel): TypeFacts {
  return { text: printType(type, at, model), hazards: typeHazards(type, at, model) };
}
