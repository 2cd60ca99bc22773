import { moduleOfDeclaration, typeNameAround } from "./declared-where.js";
import { isProgramPath, type ModelSymbol, type ModelType, type TypeModel } from "./type-model.js";

/** What a type is, as far as recording it goes. */
export type TypeShape =
  | { readonly is: "any" }
  | { readonly is: "primitive"; readonly text: string }
  | { readonly is: "symbol" }
  | { readonly is: "union"; readonly parts: readonly ModelType[] }
  | { readonly is: "function" }
  | { readonly is: "array"; readonly item: ModelType }
  | { readonly is: "tuple"; readonly items: readonly ModelType[] }
  /** A type of the platform, by name. */
  | { readonly is: "platform"; readonly name: string; readonly args: readonly ModelType[] }
  /** An instance of a class of the program or of a package. */
  | { readonly is: "class"; readonly name: string }
  | {
      readonly is: "object";
      readonly properties: readonly ModelSymbol[];
      readonly index: ModelType | null;
      /** The package that declares it; `null` when the program does. */
      readonly module: string | null;
      readonly name: string | null;
    };

/** A type is printed and searched for hazards, and the types in it again and again. */
const shapes = new WeakMap<TypeModel, WeakMap<ModelType, TypeShape>>();

/** Looks at one type, one level deep. */
export function typeShape(type: ModelType, model: TypeModel): TypeShape {
  let known = shapes.get(model);
  if (known === undefined) shapes.set(model, (known = new WeakMap()));
  let shape = known.get(type);
  if (shape === undefined) known.set(type, (shape = lookAt(type, model)));
  return shape;
}

function lookAt(type: ModelType, model: TypeModel): TypeShape {
  switch (model.kindOf(type)) {
    case "any":
    case "unknown":
      return { is: "any" };
    case "symbol":
      return { is: "symbol" };
    case "union":
      return { is: "union", parts: model.partsOf(type) };
    case "generic": {
      const constraint = model.baseConstraint(type);
      if (constraint !== undefined && constraint !== type) return typeShape(constraint, model);
      return { is: "primitive", text: model.textOf(type) };
    }
    case "undefined":
    case "other":
      return { is: "primitive", text: model.textOf(type) };
    case "object": {
      const items = model.tupleItems(type);
      if (items !== null) return { is: "tuple", items };
      const item = model.arrayItem(type);
      if (item !== null) return { is: "array", item };
      return declaredShape(type, model) ?? objectShape(type, model);
    }
  }
}

function declaredShape(type: ModelType, model: TypeModel): TypeShape | null {
  const symbol = type.getSymbol();
  if (symbol === undefined) return null;
  const declared = model.declarations(symbol).find((one) => one.is !== "other");
  if (declared === undefined) return null;
  const module = isProgramPath(declared.path) ? null : moduleOfDeclaration(declared.node(), model);
  if (module === "" || (module !== null && BUILT_IN.has(module))) {
    const around = typeNameAround(declared.node(), model.syntax);
    const name = around === null ? symbol.name : `${around}.${symbol.name}`;
    return { is: "platform", name, args: model.typeArguments(type) };
  }
  return model.is(symbol, "class") ? { is: "class", name: symbol.name } : null;
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

function objectShape(type: ModelType, model: TypeModel): TypeShape {
  // In an order of their own: of a spread, checkers list them in different orders, and moving one changes no type.
  // A recorder looks at no keys that are symbols (`__@iterator@12`, with another number in every program).
  const properties = model
    .members(type)
    .filter(({ name }) => !name.startsWith("__@"))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  if (properties.length === 0 && (model.callResults(type).length > 0 || model.isConstructor(type)))
    return { is: "function" };
  const symbol = model.aliasOf(type) ?? type.getSymbol();
  const [declared] = symbol === undefined ? [] : model.declarations(symbol);
  const outside = declared !== undefined && !isProgramPath(declared.path);
  return {
    is: "object",
    properties,
    index: model.indexType(type),
    module: outside ? moduleOfDeclaration(declared.node(), model) : null,
    name: symbol === undefined || symbol.name.startsWith("__") ? null : symbol.name,
  };
}
