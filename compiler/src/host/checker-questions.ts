import type ts from "typescript";
import type { Files } from "./files.js";
import type { SourceUnit } from "./source-unit.js";
import { noTypes, type TypeQuestions } from "./type-questions.js";

export interface CheckerRequest {
  readonly files: Files;
  readonly options: ts.CompilerOptions;
  readonly roots: readonly string[];
  readonly references: readonly ts.ProjectReference[];
  readonly unit: (path: string) => SourceUnit | null;
}

export function checkerQuestions(_request: CheckerRequest): TypeQuestions {
  return noTypes;
}
