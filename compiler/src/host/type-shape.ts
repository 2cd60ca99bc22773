import type ts from "typescript";
import type { CheckedProgram } from "./checker-questions.js";
import { isProgramSource, moduleOfDeclaration, typeNameAround } from "./declared-where.js";

/** What a type is, as far as recording it goes. */
export type TypeShape =
  | { readonly is: "any" }
  | { readonly is: "primitive"; readonly text: string }
  | { readonly is: "symbol" }
  | { readonly is: "union"; readonly parts: readonly ts.Type[] }
  | { readonly is: "function" }
  | { readonly is: "array"; readonly item: ts.Type }
  | { readonly is: "tuple"; readonly items: readonly ts.Type[] }
  /** A type of the platform, by name. */
  | { readonly is: "platform"; readonly name: string; readonly args: readonly ts.Type[] }
  /** An instance of a class of the program or of a package. */
  | {
      readonly is: "class";
      readonly name: string;
      readonly args: readonly ts.Type[];
      readonly isError: boolean;
    }
  | {
      readonly is: "object";
      readonly properties: readonly ts.Symbol[];
      readonly index: ts.Type | null;
      /** The package that declares it; `null` when the program does. */
      readonly module: string | null;
      readonly name: string | null;
    };

/** Looks at one type, one level deep. */
export function typeShape(type: ts.Type, checked: CheckedProgram): TypeShape {
  const { checker, ts } = checked;
  const { flags } = type;
  if ((flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return { is: "any" };
  if ((flags & ts.TypeFlags.ESSymbolLike) !== 0) return { is: "symbol" };
  if (type.isUnion()) return { is: "union", parts: type.types };
  if ((flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) {
    const constraint =
      (flags & ts.TypeFlags.Instantiable) === 0 ? undefined : checker.getBaseConstraintOfType(type);
    if (constraint !== undefined && constraint !== type) return typeShape(constraint, checked);
    return { is: "primitive", text: checker.typeToString(type) };
  }
  if (checker.isTupleType(type))
    return { is: "tuple", items: checker.getTypeArguments(type as ts.TypeReference) };
  if (checker.isArrayType(type))
    return {
      is: "array",
      item: checker.getTypeArguments(type as ts.TypeReference)[0] ?? checker.getAnyType(),
    };
  return declaredShape(type, checked) ?? objectShape(type, checked);
}

function declaredShape(type: ts.Type, checked: CheckedProgram): TypeShape | null {
  const { ts } = checked;
  const symbol = type.getSymbol();
  const [declaration] = (symbol?.declarations ?? []).filter(
    (found) => ts.isClassLike(found) || ts.isInterfaceDeclaration(found),
  );
  if (symbol === undefined || declaration === undefined) return null;
  const args = isReference(type, ts) ? checked.checker.getTypeArguments(type) : [];
  const inProgram = isProgramSource(declaration.getSourceFile());
  const module = inProgram ? null : moduleOfDeclaration(declaration, checked);
  if (module === "" || (module !== null && BUILT_IN.has(module))) {
    const around = typeNameAround(declaration, ts);
    return { is: "platform", name: around === null ? symbol.name : `${around}.${symbol.name}`, args };
  }
  if ((symbol.flags & ts.SymbolFlags.Class) === 0) return null;
  return { is: "class", name: symbol.name, args: [], isError: isError(type, checked) };
}

/** Modules of Node whose types count as the platform's. */
const BUILT_IN = new Set([
  "buffer",
  "events",
  "fs",
  "http",
  "http2",
  "https",
  "net",
  "stream",
  "stream/web",
  "tls",
  "url",
  "worker_threads",
]);

function isReference(type: ts.Type, typescript: typeof ts): type is ts.TypeReference {
  return (
    (type.flags & typescript.TypeFlags.Object) !== 0 &&
    ((type as ts.ObjectType).objectFlags & typescript.ObjectFlags.Reference) !== 0
  );
}

function isError(type: ts.Type, { checker }: CheckedProgram): boolean {
  const seen = new Set<ts.Type>();
  const walk = (at: ts.Type): boolean => {
    if (seen.has(at)) return false;
    seen.add(at);
    return at.symbol.name === "Error" || (at.isClassOrInterface() && checker.getBaseTypes(at).some(walk));
  };
  return walk(type);
}

function objectShape(type: ts.Type, checked: CheckedProgram): TypeShape {
  const { checker, ts } = checked;
  const properties = checker.getPropertiesOfType(type);
  if (properties.length === 0 && type.getCallSignatures().length + type.getConstructSignatures().length > 0)
    return { is: "function" };
  const index =
    checker.getIndexTypeOfType(type, ts.IndexKind.String) ??
    checker.getIndexTypeOfType(type, ts.IndexKind.Number) ??
    null;
  const symbol = type.aliasSymbol ?? type.getSymbol();
  const [declaration] = symbol?.declarations ?? [];
  const outside = declaration !== undefined && !isProgramSource(declaration.getSourceFile());
  const name = symbol === undefined || symbol.name.startsWith("__") ? null : symbol.name;
  return {
    is: "object",
    properties,
    index,
    module: outside ? moduleOfDeclaration(declaration, checked) : null,
    name,
  };
}
