import {
  SyntaxKind,
  isClassLike,
  isIdentifier,
  isImportTypeNode,
  isInterfaceDeclaration,
  isPropertySignature,
  isStringLiteralLike,
  isTypeAliasDeclaration,
  isTypeLiteralNode,
  isTypeReferenceNode,
  type EntityName,
  type ExpressionWithTypeArguments,
  type Node,
  type TypeElement,
  type TypeNode,
} from "../host/syntax.js";
import type { SourceUnit } from "../host/source-unit.js";
import type { TypeRef } from "../types.js";
import { LazyTypeRef } from "./lazy-facts.js";
import type { FoundType, ProgramNames } from "./program-names.js";
import type { Scope } from "./scope.js";

/** Where a type is written. */
export interface TypeSite {
  readonly names: ProgramNames;
  readonly unit: SourceUnit;
  readonly scope: Scope;
  /** Interfaces whose members are being gathered: one that extends itself, or its own child, adds nothing. */
  readonly within?: ReadonlySet<Node>;
}

/**
 * What an annotation says, as far as it is a name: aliases, type parameters (by their constraint) and imports are
 * followed; `| null`, `| undefined` and `readonly` are taken off; of other unions and of intersections the first
 * named part counts. `null` for function types, literals, keywords and the like.
 */
export function typeRef(node: Node | undefined, site: TypeSite): TypeRef | null {
  return node === undefined ? null : follow(node, site, 0);
}

/** The written return type of a function, without its `Promise`. */
export function returnTypeRef(node: TypeNode | undefined, site: TypeSite): TypeRef | null {
  if (
    node !== undefined &&
    isTypeReferenceNode(node) &&
    isIdentifier(node.typeName) &&
    node.typeName.text === "Promise"
  ) {
    return typeRef(node.typeArguments?.[0], site);
  }
  return typeRef(node, site);
}

const DEEPEST = 20;

function follow(node: Node, site: TypeSite, depth: number): TypeRef | null {
  if (depth > DEEPEST) return null;
  if (isTypeReferenceNode(node)) return named(node.typeName, node.typeArguments, node, site, depth);
  if (node.kind === SyntaxKind.ExpressionWithTypeArguments)
    return heritage(node as ExpressionWithTypeArguments, site, depth);
  if (isImportTypeNode(node)) return imported(node, site, depth);
  if (isTypeLiteralNode(node)) return objectType("", null, node.members, node, site);
  if (node.kind === SyntaxKind.ArrayType) {
    const { elementType } = node as Node & { elementType: TypeNode };
    return plain("Array", null, [nameOf(elementType, site, depth)], node, site);
  }
  if (node.kind === SyntaxKind.UnionType || node.kind === SyntaxKind.IntersectionType) {
    for (const part of (node as Node & { types: readonly TypeNode[] }).types) {
      const found = follow(part, site, depth + 1);
      if (found !== null) return found;
    }
    return null;
  }
  if (COMPUTED.has(node.kind)) return computed(node, site);
  const inner = INNER.get(node.kind);
  if (inner === undefined) return null;
  const type = (node as Node & { type?: Node }).type;
  return type === undefined ? null : follow(type, site, depth + 1);
}

/** Wrappers that don't change what the type is. */
const INNER: ReadonlyMap<number, true> = new Map([
  [SyntaxKind.ParenthesizedType, true],
  [SyntaxKind.TypeOperator, true],
  [SyntaxKind.JSDocTypeExpression, true],
  [SyntaxKind.JSDocNullableType, true],
  [SyntaxKind.JSDocNonNullableType, true],
  [SyntaxKind.JSDocOptionalType, true],
  [SyntaxKind.OptionalType, true],
]);

/** Types that only the type checker can work out. */
const COMPUTED: ReadonlySet<number> = new Set([
  SyntaxKind.IndexedAccessType,
  SyntaxKind.TypeQuery,
  SyntaxKind.ConditionalType,
]);
const COMPUTED_NAMES = new Set([
  "Parameters",
  "ReturnType",
  "InstanceType",
  "Extract",
  "Exclude",
  "ThisParameterType",
]);

/** Global types of types that are, for our purposes, what they are made of. */
const TRANSPARENT = new Set(["Readonly", "Partial", "Required", "NonNullable", "Awaited", "Omit", "Pick"]);

function computed(node: Node, site: TypeSite): TypeRef | null {
  if (site.unit.inPackage) return null;
  const found = site.names.host.types.namedType(site.unit, node);
  return found === null ? null : { ...found, args: [], text: textOf(node, site.unit) };
}

/**
 * What the `index`th parameter of a function is by the type that its place is given, as in
 * `const f: Handler = (ctx) => …`; `null` when that isn't written in the program.
 */
export function parameterRef(type: Node, index: number, site: TypeSite, depth = 0): TypeRef | null {
  if (depth > DEEPEST) return null;
  const { parameters } = type as Node & { parameters?: readonly (Node & { type?: TypeNode })[] };
  if (type.kind === SyntaxKind.FunctionType) return typeRef(parameters?.[index]?.type, site);
  if (INNER.has(type.kind)) {
    const inner = (type as Node & { type?: Node }).type;
    return inner === undefined ? null : parameterRef(inner, index, site, depth + 1);
  }
  if (!isTypeReferenceNode(type) || !isIdentifier(type.typeName)) return null;
  const found = site.names.type(type.typeName.text, site.scope, site.unit.path);
  if (found?.as !== "declared") return null;
  const there: TypeSite = { names: site.names, unit: found.unit, scope: found.scope };
  if (isTypeAliasDeclaration(found.node)) return parameterRef(found.node.type, index, there, depth + 1);
  if (!isInterfaceDeclaration(found.node)) return null;
  const call = found.node.members.find((member) => member.kind === SyntaxKind.CallSignature);
  return typeRef(
    (call as typeof call & { parameters?: typeof parameters })?.parameters?.[index]?.type,
    there,
  );
}

function named(
  name: EntityName,
  typeArguments: readonly TypeNode[] | undefined,
  node: Node,
  site: TypeSite,
  depth: number,
): TypeRef | null {
  const path = entityPath(name);
  const [head = "", ...rest] = path;
  const args = (typeArguments ?? []).map((argument) => nameOf(argument, site, depth));
  const found = site.names.type(head, site.scope, site.unit.path);
  if (found === null) {
    const [first] = typeArguments ?? [];
    if (TRANSPARENT.has(head) && first !== undefined) return follow(first, site, depth + 1);
    if (COMPUTED_NAMES.has(head)) return computed(node, site);
    return plain(path.join("."), null, args, node, site);
  }
  if (rest.length > 0) {
    if (found.as !== "external") return plain(path.join("."), null, args, node, site);
    const dotted = (found.name === "*" ? rest : [found.name, ...rest]).join(".");
    return plain(dotted, found.module, args, node, site);
  }
  return ofFound(found, head, args, node, site, depth);
}

function heritage(node: ExpressionWithTypeArguments, site: TypeSite, depth: number): TypeRef | null {
  const path = expressionPath(node.expression);
  if (path === null) return null;
  const [head = "", ...rest] = path;
  const args = (node.typeArguments ?? []).map((argument) => nameOf(argument, site, depth));
  const found = site.names.type(head, site.scope, site.unit.path);
  if (found === null || (rest.length > 0 && found.as !== "external"))
    return plain(path.join("."), null, args, node, site);
  if (rest.length > 0 && found.as === "external") {
    return plain(
      (found.name === "*" ? rest : [found.name, ...rest]).join("."),
      found.module,
      args,
      node,
      site,
    );
  }
  return ofFound(found, head, args, node, site, depth);
}

function imported(node: Node, site: TypeSite, depth: number): TypeRef | null {
  if (!isImportTypeNode(node) || node.qualifier === undefined) return null;
  const literal = (node.argument as Node & { literal?: Node }).literal;
  if (literal === undefined || !isStringLiteralLike(literal)) return null;
  const name = entityPath(node.qualifier).join(".");
  const args = (node.typeArguments ?? []).map((argument) => nameOf(argument, site, depth));
  const found = site.names.importedType({ specifier: literal.text, name, how: "import" }, site.unit.path);
  return found === null ? plain(name, null, args, node, site) : ofFound(found, name, args, node, site, depth);
}

function ofFound(
  found: FoundType,
  written: string,
  args: readonly string[],
  node: Node,
  site: TypeSite,
  depth: number,
): TypeRef | null {
  const text = textOf(node, site.unit);
  if (found.as === "external") return { name: found.name, module: found.module, classId: null, args, text };
  if (found.as === "class") {
    const name = found.node.name?.text ?? written;
    return { name, module: found.id.slice(0, found.id.lastIndexOf(":")), classId: found.id, args, text };
  }
  const there: TypeSite = {
    names: site.names,
    unit: found.unit,
    scope: found.scope,
    ...(site.within ? { within: site.within } : {}),
  };
  const declaration = found.node;
  if (isInterfaceDeclaration(declaration)) {
    return objectType(
      declaration.name.text,
      found.unit.path,
      declaration.members,
      node,
      there,
      args,
      text,
      declaration,
    );
  }
  if (declaration.kind === SyntaxKind.TypeParameter) {
    const { constraint } = declaration as Node & { constraint?: TypeNode };
    return constraint === undefined
      ? { name: written, module: null, classId: null, args, text }
      : follow(constraint, there, depth + 1);
  }
  const aliased = isTypeAliasDeclaration(declaration) ? declaration.type : declaration;
  const target = follow(aliased, there, depth + 1);
  if (target === null) return { name: written, module: found.unit.path, classId: null, args, text };
  if (target.name !== "") return target;
  return new LazyTypeRef(written, found.unit.path, args, text, () => target.members ?? {});
}

function objectType(
  name: string,
  module: string | null,
  members: readonly TypeElement[],
  node: Node,
  site: TypeSite,
  args: readonly string[] = [],
  text = textOf(node, site.unit),
  declaration?: Node,
): TypeRef {
  return new LazyTypeRef(name, module, args, text, () => {
    const found: Record<string, TypeRef> = {};
    const within = site.within ?? new Set<Node>();
    if (declaration === undefined || !within.has(declaration)) {
      const above = declaration === undefined ? site : { ...site, within: new Set([...within, declaration]) };
      for (const parent of parentsOf(declaration)) Object.assign(found, typeRef(parent, above)?.members);
    }
    for (const member of members) {
      if (!isPropertySignature(member) || !(isIdentifier(member.name) || isStringLiteralLike(member.name)))
        continue;
      const ref = typeRef(member.type, site);
      if (ref !== null) found[member.name.text] = ref;
    }
    return found;
  });
}

function parentsOf(declaration: Node | undefined): readonly Node[] {
  if (declaration === undefined || !(isInterfaceDeclaration(declaration) || isClassLike(declaration)))
    return [];
  return (declaration.heritageClauses ?? []).flatMap((clause) => [...clause.types]);
}

function plain(
  name: string,
  module: string | null,
  args: readonly string[],
  node: Node,
  site: TypeSite,
): TypeRef {
  return { name, module, classId: null, args, text: textOf(node, site.unit) };
}

/** The name of a type argument, or its text where it has none. */
function nameOf(node: TypeNode, site: TypeSite, depth: number): string {
  const name = follow(node, site, depth + 1)?.name ?? "";
  return name === "" ? textOf(node, site.unit) : name;
}

function entityPath(name: EntityName): string[] {
  return isIdentifier(name) ? [name.text] : [...entityPath(name.left), name.right.text];
}

function expressionPath(node: Node): string[] | null {
  if (isIdentifier(node)) return [node.text];
  const access = node as Node & { expression?: Node; name?: Node };
  if (node.kind !== SyntaxKind.PropertyAccessExpression || access.expression === undefined) return null;
  const left = expressionPath(access.expression);
  return left === null || access.name === undefined || !isIdentifier(access.name)
    ? null
    : [...left, access.name.text];
}

function textOf(node: Node, unit: SourceUnit): string {
  return unit.text.slice(node.getStart(unit.tree, false), node.end).replace(/\s+/g, " ");
}
