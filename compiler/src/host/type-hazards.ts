import type ts from "typescript";
import type { TypeHazard } from "../types.js";
import type { CheckedProgram } from "./checker-questions.js";
import { ERRORS, RECORDED, platformHazard } from "./known-types.js";
import { typeShape, type TypeShape } from "./type-shape.js";

const DEEPEST = 10;
const MOST = 10;

/** How the value that is looked at hangs in the one around it. */
type Link = "property" | "collection";

/**
 * What a recorder can't bring back of a value of this type, by property path (`items[].price`, `""` = the value
 * itself). A recursive type counts as `cycle` where a property leads straight back to a type around it (a parent, a
 * next), not where only arrays or maps of it are inside.
 */
export function typeHazards(type: ts.Type, at: ts.Node, checked: CheckedProgram): TypeHazard[] {
  const { checker, ts } = checked;
  const found: TypeHazard[] = [];
  const around: ts.Type[] = [];
  visit(type, "", "property");
  return found;

  function note(path: string, kind: TypeHazard["kind"], typeName: string, lossy: boolean): void {
    if (found.length < MOST && !found.some((hazard) => hazard.path === path && hazard.kind === kind))
      found.push({ path, kind, typeName, lossy });
  }

  function visit(given: ts.Type, path: string, link: Link): void {
    if (found.length >= MOST || around.length > DEEPEST) return;
    const shape = typeShape(given, checked);
    if (shape.is === "any" || shape.is === "primitive") return;
    if (around.includes(given)) {
      if (shape.is === "object" && link === "property") note(path, "cycle", shape.name ?? "object", false);
      return;
    }
    around.push(given);
    visitShape(shape, path, link);
    around.pop();
  }

  function visitShape(
    shape: Exclude<TypeShape, { is: "any" | "primitive" }>,
    path: string,
    link: Link,
  ): void {
    switch (shape.is) {
      case "symbol":
        note(path, "symbol", "symbol", false);
        return;
      case "function":
        note(path, "function", "function", false);
        return;
      case "union":
        for (const part of shape.parts) visit(part, path, link);
        return;
      case "array":
        visit(shape.item, `${path}[]`, "collection");
        return;
      case "tuple":
        shape.items.forEach((item, index) => {
          visit(item, `${path}[${index.toString()}]`, "collection");
        });
        return;
      case "platform":
        visitPlatform(shape, path);
        return;
      case "class":
        note(path, "class", shape.name, true);
        return;
      case "object":
        visitObject(shape, path);
    }
  }

  function visitPlatform(shape: Extract<TypeShape, { is: "platform" }>, path: string): void {
    const hazard = platformHazard(shape.name);
    if (hazard !== null) note(path, hazard.kind, shape.name, hazard.lossy);
    else if (RECORDED.has(shape.name) || ERRORS.test(shape.name))
      for (const arg of shape.args) visit(arg, `${path}[]`, "collection");
  }

  function visitObject(shape: Extract<TypeShape, { is: "object" }>, path: string): void {
    for (const property of shape.properties) {
      const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      // What a package's type may have beside its data is seldom there.
      if (optional && shape.module !== null) continue;
      const type = checker.getTypeOfSymbolAtLocation(property, at);
      visit(type, path === "" ? property.name : `${path}.${property.name}`, "property");
    }
    if (shape.index !== null) visit(shape.index, `${path}[]`, "collection");
  }
}
