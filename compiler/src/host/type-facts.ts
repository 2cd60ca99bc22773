import type { TypeFacts } from "../types.js";
import type { ModelType, TypeModel } from "./type-model.js";
import { typeHazards } from "./type-hazards.js";
import { printType } from "./print-type.js";

/** A type as text and as what a recorder can't bring back of it. */
export function typeFacts(type: ModelType, model: TypeModel): TypeFacts {
  return { text: printType(type, model), hazards: typeHazards(type, model) };
}
