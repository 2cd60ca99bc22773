/**
 * What the questions about types ask of a type checker: the small set of operations that TypeScript 6's checker and
 * TypeScript 7's API both can answer. All that is made of the answers (`type-shape.ts`, `member-decl.ts`, …) is
 * written once, over this.
 */
import type ts from "typescript";
import { isInPackage } from "./source-unit.js";

/** A type, in the hands of the model that gave it; the same type is the same object. */
export interface ModelType {
  readonly flags: number;
  getSymbol(): ModelSymbol | undefined;
}

/** A symbol, in the hands of the model that gave it; the same symbol is the same object. */
export interface ModelSymbol {
  readonly name: string;
  readonly flags: number;
}

/** `generic`: it depends on type parameters. `object`: also an intersection. `other`: a primitive. */
export type TypeKind = "any" | "unknown" | "undefined" | "symbol" | "union" | "object" | "generic" | "other";

/** One declaration of a symbol. Its node can be dear to get, so what is asked most stands beside it. */
export interface Declared {
  /** Absolute with `/`; in lower case where the file system is blind to case. */
  readonly path: string;
  readonly is: "class" | "interface" | "other";
  node(): ts.Node;
}

/** A source file that the program holds, not a declaration file. */
export interface ProgramFile {
  readonly text: string;
  tree(): ts.SourceFile;
}

export interface TypeModel {
  readonly syntax: Syntax;
  /** The tree of a file of the program, of the checker's own making. */
  file(path: string): ts.SourceFile | undefined;
  /** The program's own sources: no declarations, nothing of packages. */
  sources(): readonly ProgramFile[];
  /** As `TypeQuestions.imports`; `null` where the checker can't tell. */
  imports(): ReadonlyMap<string, readonly string[]> | null;
  /** True for TypeScript's own libs. */
  isLibrary(file: ts.SourceFile): boolean;

  /** What is asked of a node. Where a checker knows nothing, its type is `any`. */
  typeAt(node: ts.Node): ModelType;
  symbolsAt(nodes: readonly ts.Node[]): readonly (ModelSymbol | undefined)[];
  writtenType(node: ts.Node): ModelType;
  expectedType(expression: ts.Node): ModelType | undefined;
  returnType(fn: ts.Node): ModelType | undefined;
  /** What `{ name }` takes its value from. */
  shorthandValue(property: ts.Node): ModelSymbol | undefined;

  declarations(symbol: ModelSymbol): readonly Declared[];
  /** The symbol that an import stands for; other symbols are their own. */
  aliased(symbol: ModelSymbol): ModelSymbol;
  /** A member that the class or interface itself declares. */
  ownMember(symbol: ModelSymbol, name: string): ModelSymbol | undefined;
  is(symbol: ModelSymbol, what: "function" | "optional" | "class"): boolean;
  typeOfSymbol(symbol: ModelSymbol, at: ts.Node): ModelType;
  /** The same for members of a type, which no place narrows. */
  typesOfMembers(members: readonly ModelSymbol[]): readonly ModelType[];

  kindOf(type: ModelType): TypeKind;
  /** As TypeScript prints it. */
  textOf(type: ModelType): string;
  aliasOf(type: ModelType): ModelSymbol | undefined;
  /** The parts of a union or an intersection, else the type alone. */
  partsOf(type: ModelType): readonly ModelType[];
  /** True for a single literal (`"a"`, `1`, `true`). */
  isLiteral(type: ModelType): boolean;
  tupleItems(type: ModelType): readonly ModelType[] | null;
  arrayItem(type: ModelType): ModelType | null;
  typeArguments(type: ModelType): readonly ModelType[];
  baseConstraint(type: ModelType): ModelType | undefined;
  /** In no order that counts. */
  members(type: ModelType): readonly ModelSymbol[];
  member(type: ModelType, name: string): ModelSymbol | undefined;
  indexType(type: ModelType): ModelType | null;
  /** What its call signatures give, in order. */
  callResults(type: ModelType): readonly ModelType[];
  isConstructor(type: ModelType): boolean;
  nonNullable(type: ModelType): ModelType;
  /** `String` for a string, the constraint for a type parameter. */
  apparent(type: ModelType): ModelType;
  /** `number` for `1`. */
  widened(type: ModelType): ModelType;
  /** What `await` makes of it. */
  awaited(type: ModelType): ModelType;
}

/** Guards that are needed, under the names that TypeScript 6 gives them. */
export const GUARDS = [
  "isArrowFunction",
  "isAsExpression",
  "isCaseClause",
  "isClassLike",
  "isElementAccessExpression",
  "isExternalModule",
  "isFunctionDeclaration",
  "isFunctionExpression",
  "isGetAccessor",
  "isIdentifier",
  "isInterfaceDeclaration",
  "isMethodDeclaration",
  "isModuleDeclaration",
  "isObjectLiteralExpression",
  "isParenthesizedExpression",
  "isPropertyAccessExpression",
  "isPropertyAssignment",
  "isPropertyDeclaration",
  "isSatisfiesExpression",
  "isSetAccessor",
  "isShorthandPropertyAssignment",
  "isStringLiteral",
  "isTypeAliasDeclaration",
  "isTypeLiteralNode",
  "isVariableDeclaration",
] as const;

/** Guards for the nodes of a model's trees, with what differs between the trees. */
export type Syntax = Pick<typeof ts, (typeof GUARDS)[number]> & {
  /** The kind as TypeScript 6 calls it (`PropertyAccessExpression`). */
  kindName(node: ts.Node): string;
  /** `declare global { … }` */
  isGlobalAugmentation(node: ts.Node): boolean;
};

/** The flags that tell kinds of types apart; their numbers differ between versions. */
type KindFlags = Readonly<
  Record<
    "Any" | "Unknown" | "Undefined" | "ESSymbolLike" | "Union" | "Object" | "Intersection" | "Instantiable",
    number
  >
>;

/** What a type is by its flags. */
export function kindOfFlags(flags: number, known: KindFlags): TypeKind {
  if ((flags & known.Any) !== 0) return "any";
  if ((flags & known.Unknown) !== 0) return "unknown";
  if ((flags & known.Undefined) !== 0) return "undefined";
  if ((flags & known.ESSymbolLike) !== 0) return "symbol";
  if ((flags & known.Union) !== 0) return "union";
  if ((flags & (known.Object | known.Intersection)) !== 0) return "object";
  return (flags & known.Instantiable) !== 0 ? "generic" : "other";
}

/** Names by the number of a kind; several kinds have markers (`FirstStatement`) for second names. */
export function namesOfKinds(kinds: Readonly<Record<string, string | number>>): (kind: number) => string {
  const names = new Map<number, string>();
  for (const [name, kind] of Object.entries(kinds)) {
    if (typeof kind === "number" && !/^(?:First|Last)[A-Z]/.test(name) && !names.has(kind))
      names.set(kind, name);
  }
  return (kind) => names.get(kind) ?? "";
}

/** True for the path of a source of the program, whose functions have ids. */
export function isProgramPath(path: string): boolean {
  return !/\.d\.(?:[cm]?ts|[^./]+\.ts)$/.test(path) && !isInPackage(path);
}
