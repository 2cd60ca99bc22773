/**
 * The part of TypeScript 7's API (`typescript/unstable/sync`, `typescript/unstable/ast`) that is used here. It promises
 * nothing from one version to the next, so it is written down as it was found in the versions that are listed.
 */
import type ts from "typescript";

/** Versions whose API is the one below; each was run against the whole fixture set. */
export const LISTED_VERSIONS: readonly string[] = ["7.0.2"];

/** A node of a tree that the native process parsed: of the same shape as TypeScript 6's, with other numbers as kinds. */
export type NativeNode = ts.Node;

export interface NativeDeclaration {
  readonly path: string;
  readonly kind: number;
  /** Fetches the tree of its file, once. */
  resolve(): NativeNode | undefined;
}

export interface NativeSymbol {
  readonly name: string;
  readonly flags: number;
  readonly declarations: readonly NativeDeclaration[];
  getMembers(): ReadonlyMap<string, NativeSymbol>;
}

export interface NativeType {
  readonly flags: number;
  readonly objectFlags: number;
  /** Of `string`, `null` and the like. */
  readonly intrinsicName?: string | undefined;
  getSymbol(): NativeSymbol | undefined;
  getAliasSymbol(): NativeSymbol | undefined;
  /** Of a union or an intersection. */
  getTypes(): readonly NativeType[] | undefined;
}

/** Only ever handed back. */
export interface NativeSignature {
  readonly id: number;
}

/** Each call is a turn to the process and back: about 0.05 ms, and as much again for 500 more nodes in a list. */
export interface NativeChecker {
  getSymbolAtLocation(nodes: readonly NativeNode[]): readonly (NativeSymbol | undefined)[];
  getAliasedSymbol(symbol: NativeSymbol): NativeSymbol;
  getShorthandAssignmentValueSymbol(node: NativeNode): NativeSymbol | undefined;
  getTypeAtLocation(node: NativeNode): NativeType | undefined;
  getTypeOfSymbol(symbols: readonly NativeSymbol[]): readonly (NativeType | undefined)[];
  getTypeOfSymbolAtLocation(symbol: NativeSymbol, node: NativeNode): NativeType;
  getTypeFromTypeNode(node: NativeNode): NativeType | undefined;
  getContextualType(node: NativeNode): NativeType | undefined;
  getSignatureFromDeclaration(node: NativeNode): NativeSignature | undefined;
  getReturnTypeOfSignature(signature: NativeSignature): NativeType | undefined;
  getParameterType(signature: NativeSignature, index: number): NativeType | undefined;
  getSignaturesOfType(type: NativeType, kind: number): readonly NativeSignature[];
  getPropertiesOfType(type: NativeType): readonly NativeSymbol[];
  getPropertyOfType(type: NativeType, name: string): NativeSymbol | undefined;
  getIndexInfosOfType(
    type: NativeType,
  ): readonly { readonly keyType: NativeType; readonly valueType: NativeType }[];
  getTypeArguments(type: NativeType): readonly NativeType[];
  getBaseConstraintOfType(type: NativeType): NativeType | undefined;
  getNonNullableType(type: NativeType): NativeType | undefined;
  getApparentType(type: NativeType): NativeType | undefined;
  getWidenedType(type: NativeType): NativeType | undefined;
  getBaseTypeOfLiteralType(type: NativeType): NativeType | undefined;
  getAnyType(): NativeType;
  isTupleType(type: NativeType): boolean;
  isArrayType(type: NativeType): boolean;
  typeToString(type: NativeType): string;
}

export interface NativeProgram {
  getSourceFile(path: string): ts.SourceFile | undefined;
  getSourceFileNames(): readonly string[];
  isSourceFileDefaultLibrary(file: ts.SourceFile): boolean;
  getConfigFileParsingDiagnostics(): readonly NativeDiagnostic[];
  getProgramDiagnostics(): readonly NativeDiagnostic[];
}

export interface NativeDiagnostic {
  readonly code: number;
  readonly text: string;
}

/** The file system that the process reads through; `undefined` = let it look for itself. */
export interface NativeFileSystem {
  /** `null` = there is no such file. */
  readFile(path: string): string | null | undefined;
  fileExists(path: string): boolean | undefined;
  directoryExists(path: string): boolean | undefined;
  realpath(path: string): string | undefined;
  getAccessibleEntries(path: string): { files: string[]; directories: string[] } | undefined;
}

/** A running process. */
export interface NativeProcess {
  updateSnapshot(change: { readonly openProjects: readonly string[] }): {
    getProject(
      config: string,
    ): { readonly program: NativeProgram; readonly checker: NativeChecker } | undefined;
  };
  close(): void;
}

type Numbers<Names extends string> = Readonly<Record<Names, number>>;

/** What the two modules of the package export, as far as it is used. */
export interface NativeModules {
  readonly version: string;
  readonly sync: {
    readonly API: new (options: { cwd: string; fs: NativeFileSystem }) => NativeProcess;
    readonly TypeFlags: Numbers<
      | "Any"
      | "Unknown"
      | "Undefined"
      | "ESSymbolLike"
      | "Union"
      | "Object"
      | "Intersection"
      | "Instantiable"
      | "UnionOrIntersection"
      | "String"
      | "Number"
      | "StringLiteral"
      | "NumberLiteral"
      | "BigIntLiteral"
    >;
    readonly ObjectFlags: Numbers<"Reference">;
    readonly SymbolFlags: Numbers<"Alias" | "Method" | "Accessor" | "Function" | "Optional" | "Class">;
    readonly SignatureKind: Numbers<"Call" | "Construct">;
  };
  readonly ast: Readonly<Record<string, unknown>> & {
    readonly SyntaxKind: Numbers<
      "ClassDeclaration" | "ClassExpression" | "InterfaceDeclaration" | "NamespaceKeyword"
    >;
  };
}
