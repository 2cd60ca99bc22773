import type { BindingId, ClassId } from "../types.js";
import type * as syntax from "../host/syntax.js";
import type { SourceUnit } from "../host/source-unit.js";

/** An import as it is written: which export of which module; `*` = the namespace (or what `require` gives). */
export interface ImportedName {
  readonly specifier: string;
  readonly name: string;
  readonly how: "import" | "require";
}

/** What a name stands for as a value. */
export type Named =
  | { readonly as: "binding"; readonly id: BindingId }
  | { readonly as: "import"; readonly from: ImportedName }
  /** A member of an enum, named inside it. */
  | { readonly as: "member"; readonly of: BindingId; readonly ofName: string; readonly name: string };

/** What a name stands for as a type. */
export type NamedType =
  | { readonly as: "class"; readonly id: ClassId; readonly node: syntax.ClassLikeDeclaration }
  | {
      readonly as: "declared";
      readonly node: syntax.Node;
      readonly scope: Scope;
      readonly unit: SourceUnit;
    }
  | { readonly as: "import"; readonly from: ImportedName };

/** Names of one block, function or module. Values and types are apart, as in TypeScript. */
export class Scope {
  readonly values = new Map<string, Named>();
  readonly types = new Map<string, NamedType>();
  /** Set on the module's scope when its `require` is what `createRequire` gave. */
  requireIsMade = false;
  constructor(readonly parent: Scope | null) {}

  /** True when `require` here loads modules although it is declared in the file. */
  madeRequire(): boolean {
    return this.requireIsMade || (this.parent?.madeRequire() ?? false);
  }

  /** The value that a name stands for here; `null` = nothing in the file, so a global. */
  value(name: string): Named | null {
    return this.values.get(name) ?? this.parent?.value(name) ?? null;
  }

  /** The type that a name stands for here. */
  type(name: string): NamedType | null {
    return this.types.get(name) ?? this.parent?.type(name) ?? null;
  }

  /** Declares a binding; the first declaration of a name gives the id, so that merged declarations are one. */
  bind(name: string, id: BindingId): void {
    const known = this.values.get(name);
    if (known?.as !== "binding") this.values.set(name, { as: "binding", id });
  }
}
