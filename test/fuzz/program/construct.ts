import type fc from "fast-check";
import type { ManifestNode, NamePattern } from "../../../runtime/src/manifest/index.js";
import type { Running } from "./running.js";
import type { SourceWriter } from "./source-writer.js";
import type { Block, Kind, StatementOf } from "./tree.js";

/** Gives arbitraries for what is inside a construct. */
export interface Grow {
  /** A block of at most that many statements, one level deeper; never empty unless `empty`. */
  block(options?: { readonly empty?: boolean }): fc.Arbitrary<Block>;
}

/** What a manifest needs to know around a statement. */
export interface ManifestPlace {
  readonly name: NamePattern;
  /** The value of the variable is looked at somewhere. */
  readonly used: boolean;
  /** Manifests of the statement's blocks. */
  readonly blocks: readonly (readonly ManifestNode[])[];
  /** Text of a guard, as the compiler normalises it. */
  readonly guard: GuardText;
  /** The scope around: what leaving it means. */
  readonly scope: ScopeKind;
}

/** Prints a comparison of the variable with normalised names. */
export type GuardText = (variable: string, rest: string) => string;

/** What `return` leaves. */
export type ScopeKind = "program" | "branch" | "turns" | "messages" | "helper";

/**
 * One construct of workflow programs: how it is grown, and its three renderings. They must mean the same;
 * `program/renderings.test.ts` runs them against each other.
 */
export interface Construct<K extends Kind> {
  readonly kind: K;
  /** How often it is chosen. */
  readonly weight: number;
  /** Its name is an entry's: unique in its scope. `names` says how it is called. */
  readonly names: string | null;
  /** It binds a variable: a value that is in sight behind it, or one of its own (an index, a version). */
  readonly binds: "value" | "own" | null;
  /** Its blocks are scopes of their own (names are unique in each); else they belong to the scope around. */
  readonly scopes: boolean;
  arbitrary(grow: Grow): fc.Arbitrary<StatementOf<K>>;
  source(statement: StatementOf<K>, to: SourceWriter): void;
  run(statement: StatementOf<K>, on: Running): Promise<void>;
  manifest(statement: StatementOf<K>, at: ManifestPlace): readonly ManifestNode[];
}
