import type ts from "typescript";
import type { CheckedProgram } from "./checker-questions.js";
import { typeShape, type TypeShape } from "./type-shape.js";

/** Object types are written out to this depth; what lies deeper is told by its name. */
const DEEPEST = 12;
/** Parts of one type that are written out at most, so that a type of generated code stays readable. */
const LONGEST = 400;

/**
 * A type as text that depends on what it is, not on how it is called: names of interfaces and aliases are written
 * out, members stand in declared order, unions are sorted. Classes, the platform's and packages' types keep their names.
 */
export function printType(type: ts.Type, at: ts.Node, checked: CheckedProgram): string {
  const { checker, ts } = checked;
  const around: ts.Type[] = [];
  let budget = LONGEST;
  return print(type);

  function print(given: ts.Type): string {
    if (budget-- <= 0) return "…";
    const shape = typeShape(given, checked);
    if (shape.is === "any") return (given.flags & ts.TypeFlags.Unknown) === 0 ? "any" : "unknown";
    if (shape.is === "primitive") return shape.text;
    if (around.includes(given) || around.length >= DEEPEST) return nameOf(given, shape);
    around.push(given);
    const text = printShape(shape);
    around.pop();
    return text;
  }

  function nameOf(given: ts.Type, shape: TypeShape): string {
    return given.aliasSymbol?.name ?? ("name" in shape ? shape.name : null) ?? "…";
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
      case "class":
        return shape.name + printArguments(shape.args);
      case "object":
        if (shape.module !== null && shape.name !== null) return shape.name;
        return printObject(shape.properties, shape.index);
    }
  }

  function printArguments(args: readonly ts.Type[]): string {
    return args.length === 0 ? "" : `<${args.map(print).join(", ")}>`;
  }

  function bracketed(item: ts.Type): string {
    const text = print(item);
    return item.isUnion() && text.includes(" | ") ? `(${text})` : text;
  }

  function printObject(properties: readonly ts.Symbol[], index: ts.Type | null): string {
    const members = properties.map((property) => {
      const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      const type = checker.getTypeOfSymbolAtLocation(property, at);
      // The `?` says that it can be undefined.
      const text = optional && type.isUnion() ? printUnion(type.types.filter(isDefined)) : print(type);
      return `${keyText(property.name)}${optional ? "?" : ""}: ${text}`;
    });
    if (index !== null) members.push(`[key]: ${print(index)}`);
    return members.length === 0 ? "{}" : `{ ${members.join("; ")} }`;
  }

  function isDefined(type: ts.Type): boolean {
    return (type.flags & ts.TypeFlags.Undefined) === 0;
  }

  function printUnion(parts: readonly ts.Type[]): string {
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
