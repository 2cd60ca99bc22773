import type ts from "typescript";
import type { ModuleResolver } from "./modules.js";
import type { SourceUnit } from "./source-unit.js";
import type { TypeQuestions } from "./type-questions.js";

/**
 * What 1-collect reads a program through: trees, modules, and – asked last, since it is the dear part – types.
 * A second front end (TypeScript 7's API, the program that ESLint or tsc holds, one unsaved file) is another
 * value of this type.
 */
export interface Host {
  readonly cwd: string;
  /** Files that may hold workflows; absolute, sorted. */
  readonly roots: readonly string[];
  /** All files that the project lists: where one comes or goes, an import can mean another. */
  readonly names: readonly string[];
  /** Text and tree of a file, read and parsed when first asked; `null` when it does not exist or can't be read. */
  source(path: string): SourceUnit | null;
  readonly modules: ModuleResolver;
  /** The `name` and `version` of the package that holds a file. */
  packageOf(path: string): { readonly name: string; readonly version: string | null } | null;
  /** The type checker; opening it is left to the first question. */
  readonly types: TypeQuestions;
  readonly options: ts.CompilerOptions;
}
