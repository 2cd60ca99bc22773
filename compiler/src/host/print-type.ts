import type { ModelSymbol, ModelType, TypeModel } from "./type-model.js";
import { typeShape, type TypeShape } from "./type-shape.js";

/** Object types are written out to this depth; what lies deeper is told by its name. */
const DEEPEST = 12;
/** Parts of one type that are written out at most, so that a type of generated code stays readable. */
const LONGEST = 400;

/**
 * A type as text that depends on what it is, not on how it is called: names of interfaces and aliases are written
 * out, members and unions are sorted. Classes, the platform's and packages' types keep their names.
 */
export function printType(type: ModelType, model: TypeModel): string {
  const around: ModelType[] = [];
  let budget = LONGEST;
  return print(type);

  function print(given: ModelType): string {
    if (budget-- <= 0) return "…";
    const shape = typeShape(given, model);
    if (shape.is === "any") return model.kindOf(given) === "unknown" ? "unknown" : "any";
    if (shape.is === "primitive") return shape.text;
    if (around.includes(given) || around.length >= DEEPEST) return nameOf(given, shape);
    around.push(given);
    const text = printShape(shape);
    around.pop();
    return text;
  }

  function nameOf(given: ModelType, shape: TypeShape): string {
    return model.aliasOf(given)?.name ?? ("name" in shape ? shape.name : null) ?? "…";
  }

  function printShape(shape: Exclude<TypeShape, { is: "any" | "primitive" }>): string {
    switch (shape.is) {
      case "symbol":
      case "function":
        return shape.is;
      case "union":
        return printUnion(shape.parts);
      case "array":
        return `${bracketed(shape.item)}[]`;
      case "tuple":
        return `[${shape.items.map(print).join(", ")}]`;
      case "platform":
        return shape.name + printArguments(shape.args);
      case "class":
        return shape.name;
      case "object":
        if (shape.module !== null && shape.name !== null) return shape.name;
        return printObject(shape.properties, shape.index);
    }
  }

  function printArguments(args: readonly ModelType[]): string {
    return args.length === 0 ? "" : `<${args.map(print).join(", ")}>`;
  }

  function bracketed(item: ModelType): string {
    const text = print(item);
    return model.kindOf(item) === "union" && text.includes(" | ") ? `(${text})` : text;
  }

  function printObject(properties: readonly ModelSymbol[], index: ModelType | null): string {
    const types = model.typesOfMembers(properties);
    const members = properties.map((property, position) => {
      const optional = model.is(property, "optional");
      const type = types[position];
      if (type === undefined) throw new Error(`No type for ${property.name}`);
      // The `?` says that it can be undefined.
      const text =
        optional && model.kindOf(type) === "union"
          ? printUnion(model.partsOf(type).filter(isDefined))
          : print(type);
      return `${keyText(property.name)}${optional ? "?" : ""}: ${text}`;
    });
    if (index !== null) members.push(`[key]: ${print(index)}`);
    return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
  }

  function isDefined(type: ModelType): boolean {
    return model.kindOf(type) !== "undefined";
  }

  function printUnion(parts: readonly ModelType[]): string {
    const texts = new Set(parts.map(print));
    if (texts.has("true") && texts.has("false")) {
      texts.delete("true");
      texts.delete("false");
      texts.add("boolean");
    }
    return [...texts].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).join(" | ");
  }
}

/** `null` and `undefined` stand last. */
function rank(text: string): number {
  return text === "undefined" ? 2 : text === "null" ? 1 : 0;
}

function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
