import { SyntaxKind, type Identifier, type Node, type TypeNode } from "../host/syntax.js";
import type { SourceUnit } from "../host/source-unit.js";
import type { Scope } from "./scope.js";

interface Tag extends Node {
  readonly name?: Identifier | undefined;
  readonly typeExpression?: (Node & { readonly type?: TypeNode }) | undefined;
  readonly importClause?: Node & {
    readonly name?: Identifier;
    readonly namedBindings?: Node & {
      readonly name?: Identifier;
      readonly elements?: readonly { readonly name: Identifier; readonly propertyName?: Identifier }[];
    };
  };
  readonly moduleSpecifier?: Node & { readonly text?: string };
}

/** Declares the types that JSDoc brings into a JavaScript file: `@typedef {…} Name` and `@import { Name } from "m"`. */
export function declareTypedefs(unit: SourceUnit, scope: Scope): void {
  for (const node of [...unit.tree.statements, unit.tree.endOfFileToken]) {
    for (const comment of (node as Node & { jsDoc?: readonly (Node & { tags?: readonly Tag[] })[] }).jsDoc ??
      []) {
      for (const tag of comment.tags ?? []) declareTag(tag, scope, unit);
    }
  }
}

function declareTag(tag: Tag, scope: Scope, unit: SourceUnit): void {
  if (tag.kind === SyntaxKind.JSDocTypedefTag && tag.name !== undefined) {
    const node = tag.typeExpression?.type ?? tag.typeExpression;
    if (node !== undefined) scope.types.set(tag.name.text, { as: "declared", node, scope, unit });
  } else if (tag.kind === SyntaxKind.JSDocImportTag && typeof tag.moduleSpecifier?.text === "string") {
    const specifier = tag.moduleSpecifier.text;
    const add = (local: string, name: string): void => {
      scope.types.set(local, { as: "import", from: { specifier, name, how: "import" } });
    };
    const clause = tag.importClause;
    if (clause?.name !== undefined) add(clause.name.text, "default");
    if (clause?.namedBindings?.name !== undefined) add(clause.namedBindings.name.text, "*");
    for (const element of clause?.namedBindings?.elements ?? []) {
      add(element.name.text, (element.propertyName ?? element.name).text);
    }
  }
}
