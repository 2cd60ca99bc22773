import type ts from "typescript";
import type { MemberDecl, TypeFacts } from "../types.js";
import type { SourceUnit } from "./source-unit.js";

/**
 * The questions that values can't answer. Each takes the node in our own tree; a type checker that has trees of
 * its own finds its node at the same place of the same text. `null` = it doesn't know (`any`, an error, no types).
 */
export interface TypeQuestions {
  /** What `object.property` stands for; `name` is the node of the property's name. */
  member(unit: SourceUnit, name: ts.Node): MemberDecl | null;
  /** The type of an expression, as a recorder sees it. */
  valueType(unit: SourceUnit, expression: ts.Node): TypeFacts | null;
  /** What a function gives when it is called and awaited. */
  awaitedReturn(unit: SourceUnit, fn: ts.Node): TypeFacts | null;
  /** The name of a type that is computed (`Parameters<typeof f>[0]`), or of a parameter that is typed by its place. */
  namedType(unit: SourceUnit, node: ts.Node): NamedTypeFacts | null;
  /** Whether the cases of a `switch` without `default` are all that its value can be. */
  casesCover(unit: SourceUnit, statement: ts.Node): boolean | null;
  /** A type as it is written. */
  writtenType(unit: SourceUnit, type: ts.Node): TypeFacts | null;
  /**
   * The files that the answers can hang on, TypeScript's own libs left out, each with the files that its imports lead
   * to, of types too. `null` when the checker can't tell.
   */
  imports(): ReadonlyMap<string, readonly string[]> | null;
}

/** A type's name and where it is declared, spelled as in `TypeRef`. */
export interface NamedTypeFacts {
  readonly name: string;
  readonly module: string;
  readonly classId: string | null;
}

/** For a single file without its surroundings: nothing is known. */
export const noTypes: TypeQuestions = {
  member: () => null,
  valueType: () => null,
  awaitedReturn: () => null,
  writtenType: () => null,
  namedType: () => null,
  casesCover: () => null,
  imports: () => null,
};
