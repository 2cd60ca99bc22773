import type ts from "typescript";
import type { Files } from "../files.js";
import {
  GUARDS,
  isProgramPath,
  kindOfFlags,
  namesOfKinds,
  type Syntax,
  type TypeModel,
} from "../type-model.js";
import { AwaitedOf } from "./awaited-of.js";
import { awaitedType } from "./native-awaited.js";
import type { NativeModules, NativeSymbol, NativeType } from "./native-api.js";
import type { OpenedNative } from "./native-program.js";
import { UnionOf } from "./union-of.js";

/** Guards that TypeScript 7 gives another name. */
const RENAMED: Readonly<Partial<Record<(typeof GUARDS)[number], string>>> = {
  isClassLike: "isClassLikeDeclaration",
  isGetAccessor: "isGetAccessorDeclaration",
  isSetAccessor: "isSetAccessorDeclaration",
};

/**
 * The model of a program that TypeScript 7 holds in a process of its own.
 * @param files as the process reads them.
 * @throws {Error} when the package lacks something that is listed in `native-api.ts`.
 */
export function nativeModel(modules: NativeModules, opened: OpenedNative, files: Files): TypeModel {
  const { sync, ast } = modules;
  const { program, checker } = opened;
  const { TypeFlags, ObjectFlags, SymbolFlags, SignatureKind } = sync;
  const { ClassDeclaration, ClassExpression, InterfaceDeclaration } = ast.SyntaxKind;
  const flagsOf = {
    function: SymbolFlags.Method | SymbolFlags.Accessor | SymbolFlags.Function,
    optional: SymbolFlags.Optional,
    class: SymbolFlags.Class,
  };
  const orAny = (type: NativeType | undefined): NativeType => type ?? checker.getAnyType();
  const isReference = (type: NativeType): boolean =>
    (type.flags & TypeFlags.Object) !== 0 && (type.objectFlags & ObjectFlags.Reference) !== 0;
  const signatures = (type: NativeType, kind: number): ReturnType<typeof checker.getSignaturesOfType> =>
    type instanceof UnionOf ? [] : checker.getSignaturesOfType(type, kind);

  const model: TypeModel = {
    syntax: syntaxOf(ast),
    file: (path) => program.getSourceFile(path),
    sources: () =>
      program
        .getSourceFileNames()
        .filter(isProgramPath)
        .map((path) => ({
          text: files.read(path) ?? "",
          tree: () => found(program.getSourceFile(path), path),
        })),
    imports: () => null,
    isLibrary: (file) => program.isSourceFileDefaultLibrary(file),

    typeAt: (node) => orAny(checker.getTypeAtLocation(node)),
    symbolsAt: (nodes) => (nodes.length === 0 ? [] : checker.getSymbolAtLocation(nodes)),
    writtenType: (node) => orAny(checker.getTypeFromTypeNode(node)),
    expectedType: (node) => checker.getContextualType(node),
    returnType: (fn) => {
      const signature = checker.getSignatureFromDeclaration(fn);
      return signature && checker.getReturnTypeOfSignature(signature);
    },
    shorthandValue: (node) => checker.getShorthandAssignmentValueSymbol(node),

    declarations: (symbol: NativeSymbol) =>
      symbol.declarations.map((handle) => ({
        path: handle.path,
        is:
          handle.kind === ClassDeclaration || handle.kind === ClassExpression
            ? "class"
            : handle.kind === InterfaceDeclaration
              ? "interface"
              : "other",
        node: () => found(handle.resolve(), handle.path),
      })),
    aliased: (symbol: NativeSymbol) =>
      (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol),
    ownMember: (symbol: NativeSymbol, name) => symbol.getMembers().get(escaped(name)),
    is: (symbol, what) => (symbol.flags & flagsOf[what]) !== 0,
    typeOfSymbol: (symbol: NativeSymbol, at) => checker.getTypeOfSymbolAtLocation(symbol, at),
    typesOfMembers: (members: readonly NativeSymbol[]) =>
      members.length === 0 ? [] : checker.getTypeOfSymbol(members).map(orAny),

    kindOf: (type) => kindOfFlags(type.flags, TypeFlags),
    // Most types that are printed are `string` and the like, whose name is known here.
    textOf: (type: NativeType) =>
      type instanceof AwaitedOf
        ? `Awaited<${model.textOf(type.of)}>`
        : typeof type.intrinsicName === "string" && type.intrinsicName !== ""
          ? type.intrinsicName
          : checker.typeToString(type),
    aliasOf: (type: NativeType) => type.getAliasSymbol(),
    partsOf: (type: NativeType) =>
      (type.flags & TypeFlags.UnionOrIntersection) === 0 ? [type] : (type.getTypes() ?? [type]),
    isLiteral: (type) =>
      (type.flags & (TypeFlags.StringLiteral | TypeFlags.NumberLiteral | TypeFlags.BigIntLiteral)) !== 0,
    tupleItems: (type: NativeType) =>
      isReference(type) && checker.isTupleType(type) ? checker.getTypeArguments(type) : null,
    arrayItem: (type: NativeType) =>
      isReference(type) && checker.isArrayType(type)
        ? (checker.getTypeArguments(type)[0] ?? checker.getAnyType())
        : null,
    typeArguments: (type: NativeType) => (isReference(type) ? checker.getTypeArguments(type) : []),
    baseConstraint: (type: NativeType) =>
      type instanceof AwaitedOf ? type.constraint : checker.getBaseConstraintOfType(type),
    members: (type: NativeType) => checker.getPropertiesOfType(type),
    member: (type: NativeType, name) => checker.getPropertyOfType(type, name),
    indexType: (type: NativeType) => {
      const infos = checker.getIndexInfosOfType(type);
      const by = (key: number): NativeType | undefined =>
        infos.find(({ keyType }) => (keyType.flags & key) !== 0)?.valueType;
      return by(TypeFlags.String) ?? by(TypeFlags.Number) ?? null;
    },
    callResults: (type: NativeType) =>
      signatures(type, SignatureKind.Call).map((signature) =>
        orAny(checker.getReturnTypeOfSignature(signature)),
      ),
    isConstructor: (type: NativeType) => signatures(type, SignatureKind.Construct).length > 0,
    nonNullable: (type: NativeType) => orAny(checker.getNonNullableType(type)),
    apparent: (type: NativeType) => orAny(checker.getApparentType(type)),
    widened: (type: NativeType) =>
      type instanceof UnionOf ? union(type.getTypes().map(widened)) : widened(type),
    awaited: (type: NativeType) => awaitedType(type, model, { union, unresolved, callbackValues }),
  };
  return model;

  function union(parts: readonly NativeType[]): NativeType {
    return UnionOf.of(parts, TypeFlags.Union);
  }

  function unresolved(of: NativeType, constraint: NativeType | undefined): NativeType {
    return new AwaitedOf(TypeFlags.Instantiable, of, constraint);
  }

  function widened(type: NativeType): NativeType {
    if (type instanceof AwaitedOf) return type;
    return orAny(checker.getWidenedType(orAny(checker.getBaseTypeOfLiteralType(type))));
  }

  /** What the first parameter of a function takes, if that is a callback: the types that it is called with. */
  function callbackValues(then: NativeType): readonly NativeType[] {
    return signatures(then, SignatureKind.Call).flatMap((signature) => {
      const callback = checker.getParameterType(signature, 0);
      if (callback === undefined) return [];
      return signatures(orAny(checker.getNonNullableType(callback)), SignatureKind.Call).flatMap(
        (called) => checker.getParameterType(called, 0) ?? [],
      );
    });
  }
}

function syntaxOf(ast: NativeModules["ast"]): Syntax {
  const guards = GUARDS.filter((name) => name !== "isExternalModule").map((name) => {
    const guard = ast[RENAMED[name] ?? name];
    if (typeof guard !== "function") throw new Error(`it has no ${name}`);
    return [name, guard] as const;
  });
  const isModule = ast["isModuleDeclaration"] as Syntax["isModuleDeclaration"];
  const isIdentifier = ast["isIdentifier"] as Syntax["isIdentifier"];
  const { NamespaceKeyword } = ast.SyntaxKind;
  const kindName = namesOfKinds(ast.SyntaxKind);
  return {
    // Its nodes have the shape of TypeScript 6's for all that these guards let through here.
    ...(Object.fromEntries(guards) as unknown as Syntax),
    isExternalModule: (file) =>
      (file as { externalModuleIndicator?: unknown }).externalModuleIndicator !== undefined,
    kindName: (node) => kindName(node.kind),
    isGlobalAugmentation: (node) =>
      isModule(node) &&
      isIdentifier(node.name) &&
      node.name.text === "global" &&
      (node as ts.ModuleDeclaration & { readonly keyword?: number }).keyword !== NamespaceKeyword,
  };
}

/** As TypeScript keys its tables: `__proto` is kept as `___proto`. */
function escaped(name: string): string {
  return name.startsWith("__") ? `_${name}` : name;
}

function found<T>(value: T | undefined, path: string): T {
  if (value === undefined) throw new Error(`it gave no tree of ${path}`);
  return value;
}
