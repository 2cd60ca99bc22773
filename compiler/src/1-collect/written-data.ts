import {
  SyntaxKind,
  isIdentifier,
  isInterfaceDeclaration,
  isPropertySignature,
  isTypeAliasDeclaration,
  isTypeLiteralNode,
  isTypeReferenceNode,
  type Node,
  type TypeElement,
  type TypeNode,
  type TypeReferenceNode,
} from "../host/syntax.js";
import type { FunctionFacts } from "../types.js";
import type { TypeSite } from "./type-ref.js";

/**
 * Whether a written return type holds plain data only, as its text and the declarations that it names tell: a type
 * checker, which is dear, would say the same. What takes more than reading (generics, heritage, classes, computed and
 * recursive types, packages) is `unsure`.
 */
export function writtenData(type: TypeNode, site: TypeSite): NonNullable<FunctionFacts["writtenReturn"]> {
  if (!isPromise(type, site)) return holdsData(type, site, []) ? "data" : "unsure";
  const [inner] = type.typeArguments ?? [];
  return inner !== undefined && holdsData(inner, site, []) ? "promise" : "unsure";
}

const PRIMITIVES: ReadonlySet<number> = new Set([
  SyntaxKind.StringKeyword,
  SyntaxKind.NumberKeyword,
  SyntaxKind.BooleanKeyword,
  SyntaxKind.BigIntKeyword,
  SyntaxKind.UndefinedKeyword,
  SyntaxKind.VoidKeyword,
  SyntaxKind.NeverKeyword,
  SyntaxKind.AnyKeyword,
  SyntaxKind.UnknownKeyword,
  SyntaxKind.LiteralType,
]);

/** Global types that are data when all their arguments are. */
const DATA_OF_DATA: ReadonlySet<string> = new Set([
  "Array",
  "Date",
  "Map",
  "Partial",
  "Readonly",
  "ReadonlyArray",
  "ReadonlyMap",
  "ReadonlySet",
  "Record",
  "Required",
  "Set",
]);

/** @param around the declarations that are being read: a type that leads back to itself is left to the checker. */
function holdsData(type: Node, site: TypeSite, around: readonly Node[]): boolean {
  if (PRIMITIVES.has(type.kind)) return true;
  if (isTypeLiteralNode(type)) return membersHoldData(type.members, site, around);
  if (isTypeReferenceNode(type)) {
    if (!isIdentifier(type.typeName)) return false;
    const named = site.names.type(type.typeName.text, site.scope, site.unit.path);
    if (named === null)
      return (
        DATA_OF_DATA.has(type.typeName.text) &&
        (type.typeArguments ?? []).every((argument) => holdsData(argument, site, around))
      );
    if (named.as !== "declared" || around.includes(named.node)) return false;
    const there: TypeSite = { names: site.names, unit: named.unit, scope: named.scope };
    return declaresData(named.node, there, [...around, named.node]);
  }
  return partsOf(type)?.every((part) => holdsData(part, site, around)) ?? false;
}

/** Of types that are data when all their parts are: the parts. `null` = another type. */
function partsOf(type: Node): readonly Node[] | null {
  const { elementType, elements, types, operator, type: inner } = type as Node & TypeParts;
  switch (type.kind) {
    case SyntaxKind.ArrayType:
      return [elementType];
    case SyntaxKind.TupleType:
      return elements;
    case SyntaxKind.UnionType:
      return types;
    case SyntaxKind.ParenthesizedType:
      return [inner];
    case SyntaxKind.TypeOperator:
      return operator === SyntaxKind.ReadonlyKeyword ? [inner] : null;
    default:
      return null;
  }
}

/** What the nodes of {@link partsOf} have, each some of it. */
interface TypeParts {
  readonly elementType: Node;
  readonly elements: readonly Node[];
  readonly types: readonly Node[];
  readonly operator: number;
  readonly type: Node;
}

function declaresData(declaration: Node, site: TypeSite, around: readonly Node[]): boolean {
  if (isTypeAliasDeclaration(declaration))
    return declaration.typeParameters === undefined && holdsData(declaration.type, site, around);
  return (
    isInterfaceDeclaration(declaration) &&
    declaration.typeParameters === undefined &&
    declaration.heritageClauses === undefined &&
    isDeclaredOnce(declaration.name.text, site) &&
    membersHoldData(declaration.members, site, around)
  );
}

function membersHoldData(members: readonly TypeElement[], site: TypeSite, around: readonly Node[]): boolean {
  return members.every((member) => {
    if (!isPropertySignature(member) && member.kind !== SyntaxKind.IndexSignature) return false;
    const { type } = member as TypeElement & { type?: Node };
    return type === undefined || holdsData(type, site, around);
  });
}

/** Interfaces of one name are one: only the checker puts them together. */
function isDeclaredOnce(name: string, { unit }: TypeSite): boolean {
  const same = unit.tree.statements.filter(
    (statement) => (statement as Node & { name?: Node & { text?: string } }).name?.text === name,
  );
  return same.length <= 1;
}

function isPromise(type: TypeNode, site: TypeSite): type is TypeReferenceNode {
  return (
    isTypeReferenceNode(type) &&
    isIdentifier(type.typeName) &&
    type.typeName.text === "Promise" &&
    site.names.type("Promise", site.scope, site.unit.path) === null
  );
}
