import type ts from "typescript";
import { wholeTypescript } from "./typescript.js";
import { GUARDS, kindOfFlags, namesOfKinds, type Syntax, type TypeModel } from "./type-model.js";
import { importsOfProgram } from "./program-shape.js";
import { isInPackage } from "./source-unit.js";

/**
 * The model of a program of TypeScript 5 or 6: its own checker's answers as they are.
 * Only lazy queries are made: no file is ever checked as a whole.
 * @param theirs the TypeScript that made the program: kinds and flags differ between versions.
 */
export function checkerModel(program: ts.Program, theirs: typeof ts = wholeTypescript()): TypeModel {
  const checker = program.getTypeChecker();
  const { SymbolFlags } = theirs;
  const kindName = namesOfKinds(theirs.SyntaxKind as unknown as Record<string, string | number>);
  const syntax: Syntax = {
    ...(Object.fromEntries(GUARDS.map((name) => [name, theirs[name]])) as Pick<
      typeof ts,
      (typeof GUARDS)[number]
    >),
    kindName: (node) => kindName(node.kind),
    isGlobalAugmentation: (node) =>
      theirs.isModuleDeclaration(node) && (node.flags & theirs.NodeFlags.GlobalAugmentation) !== 0,
  };
  const flagsOf = {
    function: SymbolFlags.Method | SymbolFlags.Accessor | SymbolFlags.Function,
    optional: SymbolFlags.Optional,
    class: SymbolFlags.Class,
  };
  return {
    syntax,
    file: (path) => program.getSourceFile(path),
    sources: () =>
      program
        .getSourceFiles()
        .filter((file) => !file.isDeclarationFile && !isInPackage(file.fileName))
        .map((file) => ({ text: file.text, tree: () => file })),
    imports: () => importsOfProgram(program),
    isLibrary: (file) => program.isSourceFileDefaultLibrary(file),

    typeAt: (node) => checker.getTypeAtLocation(node),
    symbolsAt: (nodes) => nodes.map((node) => checker.getSymbolAtLocation(node)),
    writtenType: (node) => checker.getTypeFromTypeNode(node as ts.TypeNode),
    expectedType: (node) => checker.getContextualType(node as ts.Expression),
    returnType: (fn) => checker.getSignatureFromDeclaration(fn as ts.SignatureDeclaration)?.getReturnType(),
    shorthandValue: (node) => checker.getShorthandAssignmentValueSymbol(node),

    declarations: (symbol: ts.Symbol) =>
      (symbol.declarations ?? []).map((node) => ({
        path: node.getSourceFile().fileName,
        is: theirs.isClassLike(node)
          ? ("class" as const)
          : theirs.isInterfaceDeclaration(node)
            ? ("interface" as const)
            : ("other" as const),
        node: () => node,
      })),
    aliased: (symbol: ts.Symbol) =>
      (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol),
    ownMember: (symbol: ts.Symbol, name) => symbol.members?.get(theirs.escapeLeadingUnderscores(name)),
    is: (symbol, what) => (symbol.flags & flagsOf[what]) !== 0,
    typeOfSymbol: (symbol: ts.Symbol, at) => checker.getTypeOfSymbolAtLocation(symbol, at),
    typesOfMembers: (members: readonly ts.Symbol[]) =>
      members.map((member) => checker.getTypeOfSymbol(member)),

    kindOf: (type) => kindOfFlags(type.flags, theirs.TypeFlags),
    textOf: (type: ts.Type) => checker.typeToString(type),
    aliasOf: (type: ts.Type) => type.aliasSymbol,
    partsOf: (type: ts.Type) => (type.isUnionOrIntersection() ? type.types : [type]),
    isLiteral: (type: ts.Type) => type.isLiteral(),
    tupleItems: (type: ts.Type) =>
      checker.isTupleType(type) ? checker.getTypeArguments(type as ts.TypeReference) : null,
    arrayItem: (type: ts.Type) =>
      checker.isArrayType(type)
        ? (checker.getTypeArguments(type as ts.TypeReference)[0] ?? checker.getAnyType())
        : null,
    typeArguments: (type: ts.Type) => (isReference(type) ? checker.getTypeArguments(type) : []),
    baseConstraint: (type: ts.Type) => checker.getBaseConstraintOfType(type),
    members: (type: ts.Type) => checker.getPropertiesOfType(type),
    member: (type: ts.Type, name) => checker.getPropertyOfType(type, name),
    indexType: (type: ts.Type) =>
      checker.getIndexTypeOfType(type, theirs.IndexKind.String) ??
      checker.getIndexTypeOfType(type, theirs.IndexKind.Number) ??
      null,
    callResults: (type: ts.Type) => type.getCallSignatures().map((signature) => signature.getReturnType()),
    isConstructor: (type: ts.Type) => type.getConstructSignatures().length > 0,
    nonNullable: (type: ts.Type) => checker.getNonNullableType(type),
    apparent: (type: ts.Type) => checker.getApparentType(type),
    widened: (type: ts.Type) => checker.getWidenedType(checker.getBaseTypeOfLiteralType(type)),
    awaited: (type: ts.Type) => checker.getAwaitedType(type) ?? type,
  };

  function isReference(type: ts.Type): type is ts.TypeReference {
    return (
      (type.flags & theirs.TypeFlags.Object) !== 0 &&
      ((type as ts.ObjectType).objectFlags & theirs.ObjectFlags.Reference) !== 0
    );
  }
}
